import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { versions } from '../envoy/authz-messages.js';
import { DecodeError, decodeMessage, structureNaming } from './decode.js';
import { encodeMessage } from './encode.js';
import { field, MessageType, map, repeated } from './message-type.js';

const bytes = (base64: string) => Buffer.from(base64, 'base64');

// Written by the compiled protos of Envoy in Python.
const recorded = {
  request:
    'CuUCCkMKGwoZCAESCDEwLjAuMC4xGKAfKgFyMAE6Ay9ucxIFZnJvbnQaDAoDYXBwEgVmcm9udCIMc3BpZmZlOi8vYS9iKgFDEg8KDRILCgYvcnVuL3AQgAMiZgoLCNmD4rEGEICt4gQSVwoBNxIEUE9TVBoGCgFhEgFiIgYvcD9xPTEqAWgyBWh0dHBzOgJxcUIBZkiBgICAgICAEFIGSFRUUC8yWgR0ZXh0YgIBAmoQCgYKAWsaAQIKBgoBbBIBdlIGCgFjEgFkWokBCkkKAW0SRAogCgFsEhsyGQoDGgF4ChIqEAoOCgF5EgkRAAAAAAAAAEAKDgoBbhIJEQAAAAAAAPg/CgcKAXQSAiABCgcKAXoSAggAEjwKAnR5EjYKL3R5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnByb3RvYnVmLlN0cmluZ1ZhbHVlEgMKAXhiCAoGcy50ZXN0agcKBQoBchIA',
  otherAddresses: 'ChgKCwoJGgcKAmluEgFlEgkKBwoFIgN3ZWI=',
  secondVersion:
    'CqkBCi4KEQoPCAESCDEwLjAuMC4xGKAfEgVmcm9udBoMCgNhcHASBWZyb250IgFwKgFDEg8KDRILCgYvcnVuL3AQgAMiRQoLCNmD4rEGEICt4gQSNgoBNxIEUE9TVBoGCgFhEgFiIgIvcCoBaDIFaHR0cHM6AnFxQgFmSAlSBkhUVFAvMloEdGV4dFIGCgFjEgFkWhcKFQoBbRIQCg4KAW4SCREAAAAAAAD4Pw==',
  denied: 'CgUIBxIBbRISCgMIkwMSCAoGCgFrEgF2GgFiIgoKCAoBZBIDGgFp',
  ok: 'CgAaIhIICgYKAWsSAXYqAWgyCAoGCgFyEgF3OgYKAXESATFCAXoiEAoOCgFuEgkRAAAAAAAAAEA=',
  secondDenied: 'CgIIBxISCgMIkwMSCAoGCgFrEgF2GgFi',
};

const header = (key: string, value: string) => ({ header: { key, value } });

describe('decoding', () => {
  test('a request with all fields', () => {
    const { attributes } = decodeMessage(versions.v3.checkRequest, bytes(recorded.request)) as { attributes: PlainObject };
    expect(JSON.parse(toJson(attributes))).toEqual({
      source: {
        address: {
          socketAddress: {
            protocol: 1,
            address: '10.0.0.1',
            portValue: 4000,
            resolverName: 'r',
            ipv4Compat: true,
            networkNamespaceFilepath: '/ns',
          },
        },
        service: 'front',
        labels: { app: 'front' },
        principal: 'spiffe://a/b',
        certificate: 'C',
      },
      destination: { address: { pipe: { path: '/run/p', mode: 384 } } },
      request: {
        time: { seconds: 1714979289, nanos: 10_000_000 },
        http: {
          id: '7',
          method: 'POST',
          headers: { a: 'b' },
          path: '/p?q=1',
          host: 'h',
          scheme: 'https',
          query: 'qq',
          fragment: 'f',
          size: JSON.parse('9007199254740993'),
          protocol: 'HTTP/2',
          body: 'text',
          rawBody: 'AQI=',
          headerMap: {
            headers: [
              { key: 'k', rawValue: 'Ag==' },
              { key: 'l', value: 'v' },
            ],
          },
        },
      },
      contextExtensions: { c: 'd' },
      metadataContext: {
        filterMetadata: { m: { n: 1.5, t: true, z: null, l: ['x', { y: 2 }] } },
        typedFilterMetadata: { ty: { typeUrl: 'type.googleapis.com/google.protobuf.StringValue', value: 'CgF4' } },
      },
      routeMetadataContext: { filterMetadata: { r: {} } },
      tlsSession: { sni: 's.test' },
    });
    // Beyond the doubles: the digits stay.
    expect(toJson((attributes.request as PlainObject).http as PlainObject)).toContain('"size":9007199254740993');
  });

  test('the other kinds of addresses', () => {
    expect(decodeMessage(versions.v3.checkRequest, bytes(recorded.otherAddresses))).toEqual({
      attributes: {
        source: { address: { envoyInternalAddress: { serverListenerName: 'in', endpointId: 'e' } } },
        destination: { address: { socketAddress: { namedPort: 'web' } } },
      },
    });
  });

  test('version 2, as structures', () => {
    expect(decodeMessage(versions.v2.checkRequest, bytes(recorded.secondVersion), structureNaming)).toMatchObject({
      attributes: {
        source: { address: { Address: { SocketAddress: { protocol: 1, address: '10.0.0.1', PortSpecifier: { PortValue: 4000 } } } } },
        destination: { address: { Address: { Pipe: { path: '/run/p', mode: 384 } } } },
        context_extensions: { c: 'd' },
        metadata_context: { filter_metadata: { m: { n: 1.5 } } },
      },
    });
  });
});

test.each([
  [
    'v3',
    'denied',
    {
      status: { code: 7, message: 'm' },
      deniedResponse: { status: { code: 403 }, headers: [header('k', 'v')], body: 'b' },
      dynamicMetadata: { d: 'i' },
    },
  ],
  [
    'v3',
    'ok',
    {
      status: {},
      okResponse: {
        headers: [header('k', 'v')],
        headersToRemove: ['h'],
        responseHeadersToAdd: [header('r', 'w')],
        queryParametersToSet: [{ key: 'q', value: '1' }],
        queryParametersToRemove: ['z'],
      },
      dynamicMetadata: { n: 2 },
    },
  ],
  [
    'v2',
    'secondDenied',
    {
      status: { code: 7 },
      deniedResponse: { status: { code: 403 }, headers: [header('k', 'v')], body: 'b' },
      dynamicMetadata: { left: 'out' },
    },
  ],
] as const)('an answer is encoded: %s, %s', (version, name, message) => {
  const encoded = encodeMessage(versions[version].checkResponse, message as unknown as PlainObject);
  expect(Buffer.from(encoded).toString('base64')).toBe(recorded[name]);
});

const inner = new MessageType('t.Inner', { text: field(1, 'string'), list: repeated(2, 'string') });
const outer = new MessageType('t.Outer', {
  inner: field(1, inner),
  number: field(2, 'int64'),
  flag: field(3, 'bool'),
  left: field(4, 'uint32', 'choice'),
  right: field(5, inner, 'choice'),
  struct: field(6, 'google.protobuf.Struct'),
  labels: map(7, 'string'),
});

test.each<[string, string, PlainObject]>([
  ['an explicit default is absent', '100018002002', { left: 2 }],
  ['a default in a oneof is there', '2000', { left: 0 }],
  ['the last of a oneof counts', '20012a00', { right: {} }],
  ['a message that comes twice is merged', '0a060a0161120162' + '0a03120163', { inner: { text: 'a', list: ['b', 'c'] } }],
  ['a later default wins, as the last of a field', '0a030a0161' + '0a020a00', { inner: {} }],
  ['a message of a oneof that comes twice is merged', '2a030a0161' + '2a03120162', { right: { text: 'a', list: ['b'] } }],
  ['a message of a oneof is new after another', '2a030a0161' + '2001' + '2a03120162', { right: { list: ['b'] } }],
  ['an unknown field is skipped', '4a03616263f8070118011a00', { flag: true }],
  ['a field of another wire type is skipped', '0d01000000', {}],
  ['a map without a key has the empty one', '3a03120176', { labels: { '': 'v' } }],
  ['a map without a value has the empty one', '3a030a016b', { labels: { k: '' } }],
  ['negative numbers take ten bytes', '10ffffffffffffffffff01', { number: -1 }],
  [
    'a key may be __proto__',
    '3a0e0a095f5f70726f746f5f5f120178',
    Object.fromEntries([['labels', Object.fromEntries([['__proto__', 'x']])]]),
  ],
])('%s', (_title, hex, message) => {
  expect(decodeMessage(outer, Buffer.from(hex, 'hex'))).toEqual(message);
});

test.each([
  ['no tag', 'ff'],
  ['a length beyond the end', '0a7f'],
  ['a huge length', '0affffffff0f'],
  ['field number 0', '0001'],
  ['a text that is no UTF-8', '0a030a01ff'],
  ['an endless number', '10ffffffffffffffffffffff'],
  ['a message that ends inside a field', '0a020a05'],
  ['an open group', '5b'],
])('bytes that are no message: %s', (_title, hex) => {
  expect(() => decodeMessage(outer, Buffer.from(hex, 'hex'))).toThrow(DecodeError);
});

test.each([
  ['Infinity', 'f07f'],
  ['-Infinity', 'f0ff'],
  ['NaN', 'f87f'],
])('the number %s of a struct is that word, as JSON has no such number', (word, end) => {
  const message = Buffer.from(`32100a0e0a016e120911000000000000${end}`, 'hex');
  expect(decodeMessage(outer, message)).toEqual({ struct: { n: word } });
});

test.each(['v3', 'v2'] as const)('a message that comes 100,000 times is merged in linear time: %s', (version) => {
  const type = versions[version].checkRequest;
  const once = (i: number) => encodeMessage(type, { attributes: { contextExtensions: { [i]: '' } } });
  const all = Buffer.concat(Array.from({ length: 100_000 }, (_, i) => once(i)));
  const { attributes } = decodeMessage(type, all) as { readonly attributes: PlainObject };
  expect(Object.keys(attributes.contextExtensions as PlainObject)).toHaveLength(100_000);
});

test('structs are bounded in depth', () => {
  const nested = (depth: number): PlainObject => (depth === 0 ? {} : { a: nested(depth - 1) });
  expect(decodeMessage(outer, encodeMessage(outer, { struct: nested(90) }))).toEqual({ struct: nested(90) });
  expect(() => decodeMessage(outer, encodeMessage(outer, { struct: nested(200) }))).toThrow(DecodeError);
});

test('any bytes give a message or a DecodeError, and messages come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (random) => {
      try {
        const message = decodeMessage(outer, random);
        expect(decodeMessage(outer, encodeMessage(outer, message))).toEqual(message);
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
    }),
  );
});

test('a request that is cut off anywhere gives a message or a DecodeError', () => {
  const whole = bytes(recorded.request);
  for (let length = 0; length < whole.length; length++) {
    try {
      decodeMessage(versions.v3.checkRequest, whole.subarray(0, length));
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError);
    }
  }
});
