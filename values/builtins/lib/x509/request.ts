/** Certificate signing requests (RFC 2986) as the values that Go's JSON of them shows. */
import { numberFromInteger } from '../../../numbers/number.js';
import type { ObjectValue, Value } from '../../../value.js';
import { encodeBase64 } from '../go/base64.js';
import { noNames, readAlternativeNames } from './alternative-names.js';
import { extensionsValue, listValue, namesValue } from './certificate-values.js';
import { context, type DerElement, DerReader, rightAligned, tags } from './der.js';
import { type Extension, readExtension } from './extensions.js';
import { decodeText, nameValue, readName } from './name.js';
import { publicKeyValue, readAlgorithm, readPublicKey } from './public-key.js';
import { signatureAlgorithm } from './signature-algorithm.js';
import { readTime } from './time.js';
import { must, X509Error } from './x509-error.js';

const structureError = "asn1: structure error: tags don't match";
const truncated = 'asn1: syntax error: data truncated';

const extensionRequest = '1.2.840.113549.1.9.14';

/** Throws an X509Error. */
export function certificateRequestValue(der: Uint8Array): ObjectValue {
  const reader = new DerReader(der);
  if (reader.empty) throw new X509Error('asn1: syntax error: sequence truncated');
  if (reader.peek() !== tags.sequence) throw new X509Error(wrongTag(der));
  const whole = must(reader.any(), truncated);
  if (!reader.empty) throw new X509Error('asn1: syntax error: trailing data');
  const outer = whole.content;
  const tbs = must(outer.element(tags.sequence), structureError);
  const algorithm = readAlgorithm(must(outer.read(tags.sequence), structureError));
  const signature = rightAligned(must(outer.bitString(), structureError));
  const version = must(tbs.content.integer(), structureError);
  const rawSubject = must(tbs.content.any(), structureError).raw;
  const rawKey = must(tbs.content.element(tags.sequence), structureError).raw;
  const publicKey = readPublicKey(rawKey);
  const attributes = readAttributes(must(tbs.content.read(context(0, true)), structureError));
  const extensions = attributes.flatMap(requestedExtensions);
  if (new Set(extensions.map(({ oid }) => oid)).size !== extensions.length) {
    throw new X509Error('x509: certificate request contains duplicate requested extensions');
  }
  const names = extensions.find(({ oid }) => oid === '2.5.29.17');
  return {
    Raw: encodeBase64(whole.raw),
    RawTBSCertificateRequest: encodeBase64(tbs.raw),
    RawSubjectPublicKeyInfo: encodeBase64(rawKey),
    RawSubject: encodeBase64(rawSubject),
    Version: numberFromInteger(version),
    Signature: encodeBase64(signature),
    SignatureAlgorithm: signatureAlgorithm(algorithm),
    PublicKeyAlgorithm: publicKey.algorithm,
    PublicKey: publicKeyValue(publicKey.key),
    Subject: nameValue(readName(new DerReader(rawSubject))),
    Attributes: listValue(
      attributes.map(attributeValue).filter((value) => value !== undefined),
      (value) => value,
    ),
    Extensions: extensionsValue(extensions),
    ExtraExtensions: null,
    ...namesValue(names === undefined ? noNames : readAlternativeNames(new DerReader(names.value))),
  };
}

/** Go's message for another element in the place of the request. */
function wrongTag(der: Uint8Array): string {
  const [tag = 0, length = 0] = der;
  const found = `{class:${tag >> 6} tag:${tag & 0x1f} length:${length < 0x80 ? length : 0} isCompound:${(tag & 0x20) !== 0}}`;
  const parameters =
    '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';
  return `asn1: structure error: tags don't match (16 vs ${found}) ${parameters} certificateRequest @2`;
}

function readAttributes(list: DerReader): readonly DerElement[] {
  const attributes: DerElement[] = [];
  while (!list.empty) attributes.push(must(list.any(), truncated));
  return attributes;
}

/** The extensions that an attribute requests. Other attributes have none. */
function requestedExtensions({ raw }: DerElement): readonly Extension[] {
  const attribute = new DerReader(raw).read(tags.sequence);
  if (attribute?.oid()?.join('.') !== extensionRequest) return [];
  const first = attribute.read(tags.set)?.any();
  if (first === undefined) return [];
  if (first.tag !== tags.sequence) throw new X509Error(structureError);
  const extensions: Extension[] = [];
  while (!first.content.empty) extensions.push(readExtension(must(first.content.read(tags.sequence), structureError)));
  return extensions;
}

/**
 * An attribute as a list of lists of names and values, which is how Go reads any of them; undefined
 * where it is of another form (a challenge password, say).
 */
function attributeValue({ raw }: DerElement): Value | undefined {
  const attribute = new DerReader(raw).read(tags.sequence);
  const type = attribute?.oid();
  const sets = attribute?.read(tags.set);
  if (type === undefined || sets === undefined) return undefined;
  const lists: Value[] = [];
  while (!sets.empty) {
    const list = sets.read(tags.sequence);
    if (list === undefined) return undefined;
    const pairs: Value[] = [];
    while (!list.empty) {
      const pair = list.read(tags.sequence);
      const name = pair?.oid();
      const value = pair?.any();
      if (name === undefined || value === undefined) return undefined;
      const read = anyValue(value);
      if (read === undefined) return undefined;
      pairs.push({ Type: name, Value: read });
    }
    lists.push(pairs);
  }
  return { Type: type, Value: lists };
}

/** A value of any type; null for types that Go leaves alone, undefined where it is malformed. */
function anyValue({ tag, content, raw }: DerElement): Value | undefined {
  const again = new DerReader(raw);
  switch (tag) {
    case tags.boolean:
      return again.boolean();
    case tags.integer: {
      const value = again.integer();
      return value === undefined || BigInt.asIntN(64, value) !== value ? undefined : numberFromInteger(value);
    }
    case tags.bitString: {
      const bits = again.bitString();
      return bits && { Bytes: encodeBase64(bits.bytes), BitLength: bits.bytes.length * 8 - bits.unused };
    }
    case tags.octetString:
      return encodeBase64(content.bytes);
    case tags.oid:
      return again.oid();
    case tags.utcTime:
    case tags.generalizedTime:
      try {
        return readTime(again).text;
      } catch (error) {
        if (error instanceof X509Error) return undefined;
        throw error;
      }
    case tags.utf8String:
    case tags.numericString:
    case tags.printableString:
    case tags.t61String:
    case tags.ia5String:
    case tags.bmpString:
      return decodeText(tag, content.bytes);
    default:
      return null;
  }
}
