import { describe, expect, test } from 'vitest';
import { toJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { parseMediaType } from './media-type.js';
import { parseBody } from './request-body.js';
import { CheckRequestError } from './request-error.js';
import { parseForm, parseTarget } from './request-target.js';

describe('the path and the query', () => {
  test.each<[string, readonly string[], PlainObject]>([
    ['', [''], {}],
    ['/', [''], {}],
    ['///a//b/', ['a', '', 'b', ''], {}],
    ['/a%2Fb/%2e%2e', ['a', 'b', '..'], {}],
    ['/a%3Fx=1?y=2&y=3', ['a?x=1'], { y: ['2', '3'] }],
    ['/caf%C3%A9/é+b', ['café', 'é+b'], {}],
    ['/%ff%C3%A9', ['\ufffdé'], {}],
    ['?', [''], {}],
    ['/a?b&=c&&d=e=f+g', ['a'], { b: [''], '': ['c'], d: ['e=f g'] }],
    ['/a?__proto__=1', ['a'], JSON.parse('{"__proto__":["1"]}')],
    ['/a?constructor=1&toString=2', ['a'], { constructor: ['1'], toString: ['2'] } as unknown as PlainObject],
  ])('%s', (target, path, query) => {
    expect(parseTarget(target)).toEqual({ path, query });
  });

  test.each([
    ['/a%', 'invalid URL escape "%"'],
    ['/%zz', 'invalid URL escape "%zz"'],
    ['/a?b=%4', 'invalid URL escape "%4"'],
    ['/a?%=1', 'invalid URL escape "%"'],
    ['/a?b=1;c=2', 'invalid semicolon separator in query'],
  ])('%s is an error', (target, message) => {
    expect(() => parseTarget(target)).toThrow(new CheckRequestError(message));
  });
});

test('a form has a list of values for each name', () => {
  expect(parseForm('a=1&b=+&a=%32')).toEqual({ a: ['1', '2'], b: [' '] });
});

describe('media types', () => {
  test.each([
    ['text/plain', 'text/plain', {}],
    ['Multipart/Form-Data; boundary=B1', 'multipart/form-data', { boundary: 'B1' }],
    ['a/b; X="q \\" ;x" ; y=z;', 'a/b', { x: 'q " ;x', y: 'z' }],
    ['form-data', 'form-data', {}],
  ])('%s', (text, type, parameters) => {
    const parsed = parseMediaType(text);
    expect([parsed.type, Object.fromEntries(parsed.parameters)]).toEqual([type, parameters]);
  });

  test.each(['', ';a=b', 'a/b; c', 'a/b; c=', 'a/b; c="x', 'a b/c', 'a/b; c=d; c=e'])('%j is none', (text) => {
    expect(() => parseMediaType(text)).toThrow(CheckRequestError);
  });
});

const form = 'multipart/form-data; boundary=B';
const part = (headers: string, content: string) => `--B\r\n${headers}\r\n\r\n${content}\r\n`;
const named = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`;

function body(contentType: string, text: string, headers: PlainObject = {}) {
  return parseBody({ headers: { 'content-type': contentType, ...headers }, text, raw: '', path: [] }, undefined);
}

describe('the body', () => {
  test.each<[string, string, string]>([
    ['application/json', '{"a": [1.50, 12345678901234567890]}', '{"a":[1.50,12345678901234567890]}'],
    ['application/json', '"\\ud800"', '"\ufffd"'],
    ['application/vnd.api+json', '{}', 'null'],
    ['application/x-www-form-urlencoded', 'a=1&a=2&b', '{"a":["1","2"],"b":[""]}'],
    [form, `${part(named('a'), '1')}${part(named('a'), '2\r\n')}--B--`, '{"a":["1","2\\r\\n"]}'],
    [form, `--B\n${named('a')}\n\n1\n--B--\n`, '{"a":["1"]}'],
    [form, `${part(named('f', '; filename=x'), '--Bx\r\n--B-')}--B--`, '{"f":["--Bx\\r\\n--B-"]}'],
    [form, `${part(`${named('a')}\r\nContent-Type: application/json`, '{"k":1}')}--B--`, '{"a":[{"k":1}]}'],
    [form, `${part(`${named('a')}\r\ncontent-transfer-encoding: Quoted-Printable`, 'x=3D=\r\ny  ')}--B--`, '{"a":["x=y  "]}'],
    [form, `${part(`${named('a')}\r\nContent-Transfer-Encoding: quoted-printable`, ' x \t\r\n\t\ny')}--B--`, '{"a":[" x\\r\\n\\ny"]}'],
    [form, `${part(`Content-Disposition: form-data;\r\n name="a"`, '1')}--B--`, '{"a":["1"]}'],
    [form, `${part(named('__proto__'), '1')}--B-- `, '{"__proto__":["1"]}'],
    [form, 'a preamble\r\n--B--', '{}'],
    ['multipart/form-data', 'x', 'null'],
  ])('%s: %j', (contentType, text, value) => {
    expect(toJson(body(contentType, text).value)).toBe(value);
  });

  test.each([' ', '\t', '= ', '\r'])('a megabyte of %j in quoted-printable is parsed in linear time', (space) => {
    const content = `${space.repeat(1_000_000 / space.length)}x`;
    const text = `${part(`${named('a')}\r\nContent-Transfer-Encoding: quoted-printable`, content)}--B--`;
    if (space.startsWith('=')) expect(() => body(form, text)).toThrow(CheckRequestError);
    else expect(body(form, text).value).toEqual({ a: [content] });
  });

  test.each([
    ['application/json', '{'],
    ['application/json', '1 2'],
    ['application/json', ' '],
    ['application/json', '\ufeff{}'],
    ['application/x-www-form-urlencoded', 'a=1;b=2'],
    [form, ''.padEnd(10, 'x')],
    [form, part(named('a'), '1')],
    [form, '--B\r\n'],
    [form, `${part('no colon', '1')}--B--`],
    [form, `${part(`x: ${'y'.repeat(20_000)}`, '1')}--B--`],
    [form, `${part(named('a'), '1').repeat(1001)}--B--`],
    [form, `${part(`${named('a')}\r\nContent-Transfer-Encoding: quoted-printable`, '=zz')}--B--`],
    [form, `${part(`${named('a')}\r\nContent-Type: application/json`, '{')}--B--`],
    ['multipart/form-data; boundary', 'x'],
  ])('%s: an error for %j', (contentType, text) => {
    expect(() => body(contentType, text)).toThrow(CheckRequestError);
  });

  test.each<[string, boolean | string]>([
    ['2', false],
    ['3', true],
    ['+3', true],
    ['-9', false],
    ['x', 'content-length "x": invalid syntax'],
    ['99999999999999999999', 'content-length "99999999999999999999": value out of range'],
  ])('of 2 bytes with the length %s', (length, outcome) => {
    const parse = () => body('application/json', '{}', { 'content-length': length }).isTruncated;
    if (typeof outcome === 'string') expect(parse).toThrow(new CheckRequestError(outcome));
    else expect(parse()).toBe(outcome);
  });
});
