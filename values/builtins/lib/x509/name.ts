/** Distinguished names: a list of attributes, each an identifier and a text. */

import { fromBytes } from '../../../text/utf8.js';
import type { Value } from '../../../value.js';
import { octetsText } from '../go/octets.js';
import { type DerReader, tags } from './der.js';
import { must, X509Error } from './x509-error.js';

export interface NameAttribute {
  readonly type: readonly number[];
  readonly value: string;
}

/** Reads a name: a sequence of sets of attributes. Throws an X509Error. */
export function readName(reader: DerReader): readonly NameAttribute[] {
  const attributes: NameAttribute[] = [];
  const sets = must(reader.read(tags.sequence), 'x509: invalid RDNSequence');
  while (!sets.empty) {
    const set = must(sets.read(tags.set), 'x509: invalid RDNSequence');
    while (!set.empty) {
      const attribute = must(set.read(tags.sequence), 'x509: invalid RDNSequence: invalid attribute');
      const type = must(attribute.oid(), 'x509: invalid RDNSequence: invalid attribute type');
      const value = must(attribute.any(), 'x509: invalid RDNSequence: invalid attribute value');
      attributes.push({ type, value: readText(value.tag, value.content.bytes) });
    }
  }
  return attributes;
}

function readText(tag: number, bytes: Uint8Array): string {
  const text = decodeText(tag, bytes);
  if (text === undefined)
    throw new X509Error(`x509: invalid RDNSequence: invalid attribute value: invalid ${textTypes.get(tag)}`);
  return text;
}

const textTypes = new Map<number, string>([
  [tags.printableString, 'PrintableString'],
  [tags.utf8String, 'UTF-8 string'],
  [tags.bmpString, 'BMPString'],
  [tags.ia5String, 'IA5String'],
  [tags.numericString, 'NumericString'],
]);

/**
 * A text, undefined if its bytes are invalid for its type. T.61 is read as Latin-1. Throws an
 * X509Error for other types.
 */
export function decodeText(tag: number, bytes: Uint8Array): string | undefined {
  switch (tag) {
    case tags.t61String:
      return fromBytes(bytes);
    case tags.printableString:
      return matching(fromBytes(bytes), /^[A-Za-z0-9 '()+,\-./:=?*&]*$/);
    case tags.utf8String: {
      const text = octetsText(bytes);
      return isUtf8(bytes) ? text : undefined;
    }
    case tags.bmpString:
      return decodeBmp(bytes);
    case tags.ia5String:
      return matching(fromBytes(bytes), /^[\u0000-\u007f]*$/);
    case tags.numericString:
      return matching(fromBytes(bytes), /^[0-9 ]*$/);
    default:
      throw new X509Error(`x509: invalid RDNSequence: invalid attribute value: unsupported string type: ${tag}`);
  }
}

function matching(text: string, pattern: RegExp): string | undefined {
  return pattern.test(text) ? text : undefined;
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** UCS-2: no surrogates, no unassigned code points; a terminator is dropped. */
function decodeBmp(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  for (let i = 0; i < bytes.length; i += 2) text += String.fromCharCode(view.getUint16(i));
  if (text.endsWith('\u0000')) text = text.slice(0, -1);
  return /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text) ? undefined : text;
}

/** Attributes of 2.5.4 that have members of their own, by their last number. */
const single = new Map([
  [3, 'CommonName'],
  [5, 'SerialNumber'],
]);
const multiple = new Map([
  [6, 'Country'],
  [7, 'Locality'],
  [8, 'Province'],
  [9, 'StreetAddress'],
  [10, 'Organization'],
  [11, 'OrganizationalUnit'],
  [17, 'PostalCode'],
]);

/** A name as Go's JSON shows it. */
export function nameValue(name: readonly NameAttribute[]): Value {
  const members: { [member: string]: Value } = { CommonName: '', SerialNumber: '' };
  for (const list of multiple.values()) members[list] = null;
  for (const { type, value } of name) {
    const [a, b, c, last = -1, ...more] = type;
    if (a !== 2 || b !== 5 || c !== 4 || more.length > 0) continue;
    const text = single.get(last);
    if (text !== undefined) members[text] = value;
    const list = multiple.get(last);
    if (list !== undefined) members[list] = [...((members[list] as readonly Value[] | null) ?? []), value];
  }
  const names = name.map(({ type, value }) => ({ Type: type, Value: value }));
  return { ...members, Names: names.length === 0 ? null : names, ExtraNames: null };
}
