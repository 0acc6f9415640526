/** Input and data as callers give them: any JSON value, or the bytes of a JSON text. */

import { encodeUtf8, isPlainJson, parseJson, plainCopy, type Value } from '../../../values/index.js';
import { OpaWasmError } from './opa-wasm-error.js';

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes of an ArrayBuffer, of another realm too, or of a view; undefined otherwise. */
export function bytesOfDocument(given: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const tag = Object.prototype.toString.call(given);
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
    ? new Uint8Array(given as ArrayBuffer)
    : undefined;
}

/** A document as JSON text; undefined for none. Throws an OpaWasmError for what is no JSON. */
export function documentBytes(given: unknown, name: string): Uint8Array | undefined {
  if (given === undefined) return undefined;
  const bytes = bytesOfDocument(given);
  if (bytes === undefined) return encodeUtf8(jsonOf(given, name));
  // A policy would go on without a document that it cannot read.
  read(() => JSON.parse(strictDecoder.decode(bytes)) as unknown, name);
  return bytes;
}

/** A document as a value; undefined for none. Throws an OpaWasmError. */
export function documentValue(given: unknown, name: string): Value | undefined {
  if (given === undefined) return undefined;
  const bytes = bytesOfDocument(given);
  if (bytes === undefined && isPlainJson(given)) return given as Value;
  const text = bytes === undefined ? jsonOf(given, name) : read(() => strictDecoder.decode(bytes), name);
  return read(() => parseJson(text), name);
}

/** A document that shares no part with the value that the caller gave. */
export function documentCopy(given: unknown, name: string): Value | undefined {
  const value = documentValue(given, name);
  return value !== undefined && value === given ? (plainCopy(value) as Value) : value;
}

/** As `JSON.stringify` writes it: dates become texts, members that are undefined are left out. */
function jsonOf(given: unknown, name: string): string {
  const text = read(() => JSON.stringify(given) as string | undefined, name);
  if (text === undefined) throw new OpaWasmError('invalid_document', `${name} is no JSON but of type ${typeof given}`);
  return text;
}

function read<T>(step: () => T, name: string): T {
  try {
    return step();
  } catch (error) {
    throw new OpaWasmError('invalid_document', `${name} is no JSON: ${(error as Error).message}`, { cause: error });
  }
}
