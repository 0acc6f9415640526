/** A token in compact form (RFC 7515) taken apart. */
import { objectGet, objectKeys } from '../../../compare.js';
import { JsonError } from '../../../json/json.js';
import { jsonComplaint } from '../../../json/json-complaint.js';
import { isArray, isObject, isString, type ObjectValue, type Value } from '../../../value.js';
import { BuiltinError } from '../../builtin-errors.js';
import { stringOperand } from '../../value-operands.js';
import { binaryOfBase64Url, decodeBase64Url } from '../go/base64.js';
import { Base64Error } from '../go/base64-decoder.js';
import { textOfBinary } from '../go/octets.js';
import { readJson } from '../json/read-json.js';

/** The three sections, still encoded. */
export interface WebToken {
  readonly text: string;
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** Throws a BuiltinError where the text has not three sections. */
export function splitToken(text: string): WebToken {
  if (!text.includes('.')) throw new BuiltinError('encoded JWT had no period separators');
  const sections = text.split('.');
  const [header = '', payload = '', signature = ''] = sections;
  if (sections.length !== 3) throw new BuiltinError(`encoded JWT must have 3 sections, found ${sections.length}`);
  return { text, header, payload, signature };
}

export function tokenOperand(operand: Value, position: number): WebToken {
  return splitToken(stringOperand(operand, position));
}

/** The signed text. */
export function signedText({ header, payload }: WebToken): string {
  return `${header}.${payload}`;
}

/** The bytes of a section. Throws a BuiltinError, with `what` before its text where given. */
export function decodeSection(section: string, what?: string): Uint8Array {
  try {
    return decodeBase64Url(section);
  } catch (error) {
    throw encodingError(error, what);
  }
}

/** The text of a section. Throws a BuiltinError. */
export function sectionText(section: string, what: string): string {
  try {
    return textOfBinary(binaryOfBase64Url(section));
  } catch (error) {
    throw encodingError(error, what);
  }
}

function encodingError(error: unknown, what: string | undefined): unknown {
  if (!(error instanceof Base64Error)) return error;
  return new BuiltinError(what === undefined ? error.message : `JWT ${what} had invalid encoding: ${error.message}`);
}

/**
 * The header as an object. Throws a BuiltinError where it is none, or that of an encrypted token.
 */
export function decodeHeader(token: WebToken): ObjectValue {
  const text = sectionText(token.header, 'header');
  const header = explained(() => jsonObject(text));
  // Encrypted tokens have a method of encryption in the header (RFC 7516, section 9).
  if (objectGet(header, 'enc') !== undefined) throw new BuiltinError('JWT is a JWE object, which is not supported');
  return header;
}

function explained(read: () => ObjectValue): ObjectValue {
  try {
    return read();
  } catch (error) {
    throw error instanceof BuiltinError ? new BuiltinError(`bad JWT header: ${error.message}`) : error;
  }
}

/** The object of a JSON text; of equal keys the last counts. Throws a BuiltinError. */
export function jsonObject(text: string): ObjectValue {
  let value: Value;
  try {
    value = readJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new BuiltinError(`invalid JSON: ${jsonComplaint(text) ?? error.message}`);
    throw error;
  }
  if (!isObject(value)) throw new BuiltinError('decoded JSON type was not an Object');
  return value;
}

/** The members of a header that have a meaning here; text members are empty where absent. */
export interface TokenHeader {
  readonly alg: string;
  readonly kid: string;
  readonly cty: string;
  /** Whether no member that must be understood is unknown to us, and there is an algorithm. */
  readonly isValid: boolean;
}

const known = ['alg', 'crit', 'cty', 'kid', 'typ'];

/** Throws a BuiltinError where a member that we know is not of its type. */
export function readHeader(header: ObjectValue): TokenHeader {
  const alg = text(header, 'alg');
  const critical = criticalMembers(objectGet(header, 'crit'));
  const cty = text(header, 'cty');
  const kid = text(header, 'kid');
  text(header, 'typ');
  let isValid = alg !== '';
  for (const key of objectKeys(header))
    if (critical.has(key as string) && !known.includes(key as string)) isValid = false;
  return { alg, kid, cty, isValid };
}

function text(header: ObjectValue, name: string): string {
  const value = objectGet(header, name);
  if (value === undefined) return '';
  if (!isString(value)) throw new BuiltinError(`${name}: must be a string`);
  return value;
}

function criticalMembers(value: Value | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  if (value === undefined) return names;
  if (!isArray(value)) throw new BuiltinError('crit: must be a list');
  for (const name of value) {
    if (!isString(name)) break;
    names.add(name);
  }
  if (names.size === 0) throw new BuiltinError('crit: must be a nonempty list');
  return names;
}
