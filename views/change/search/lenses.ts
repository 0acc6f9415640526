/**
 * Built-ins with a way back: an operand for a wanted result. So a constant that a policy compares
 * with `split(input.path, "/")[1]` leads to a path.
 */
import type { Value } from '../../../values/index.js';
import { isArray, isNumber, isObject, isPlainObject, isString, parseJson, toJson } from '../../../values/index.js';

/** A step of a place: into the result of a built-in, whose other operands are constants. */
export interface LensStep {
  readonly call: string;
  readonly others: readonly Value[];
}

interface Lens {
  /** The operand that depends on the input. Default: 0. */
  readonly operand?: number;
  read(operand: Value, others: readonly Value[]): Value | undefined;
  /** Undefined for a result that no operand has. */
  write(result: Value, others: readonly Value[]): Value | undefined;
}

const texts: Lens = {
  read: (text) => (isString(text) ? text : undefined),
  write: (result) => (isString(result) ? result : undefined),
};

const coded = (from: BufferCoding): Lens => ({
  read: (text) => (isString(text) ? from.decode(text) : undefined),
  write: (result) => (isString(result) ? from.encode(result) : undefined),
});

interface BufferCoding {
  decode(text: string): string | undefined;
  encode(text: string): string;
}

function orUndefined<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const base64: BufferCoding = {
  decode: (text) => orUndefined(() => atob(text)),
  encode: (text) => orUndefined(() => btoa(text)) ?? '',
};

const base64url: BufferCoding = {
  decode: (text) => base64.decode(text.replaceAll('-', '+').replaceAll('_', '/')),
  encode: (text) => base64.encode(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
};

const document: Lens = {
  read: (text) => (isString(text) ? orUndefined(() => parseJson(text)) : undefined),
  write: (result) => toJson(result),
};

const rows: Readonly<Record<string, Lens>> = {
  split: {
    read: (text, [delimiter]) => (isString(text) && isString(delimiter!) ? text.split(delimiter) : undefined),
    write: (parts, [delimiter]) =>
      isArray(parts) && parts.every(isString) && isString(delimiter!) ? parts.join(delimiter) : undefined,
  },
  concat: {
    operand: 1,
    read: (parts, [delimiter]) =>
      isArray(parts) && parts.every(isString) && isString(delimiter!) ? parts.join(delimiter) : undefined,
    write: (text, [delimiter]) => (isString(text) && isString(delimiter!) ? text.split(delimiter) : undefined),
  },
  lower: texts,
  upper: texts,
  trim_space: texts,
  to_number: {
    read: (text) => (isString(text) && text !== '' ? Number(text) : undefined),
    write: (result) => (isNumber(result) ? String(result) : undefined),
  },
  format_int: {
    read: (value) => (isNumber(value) ? String(value) : undefined),
    write: (text) => (isString(text) && Number.isInteger(Number(text)) ? Number(text) : undefined),
  },
  'json.unmarshal': document,
  'yaml.unmarshal': document,
  'base64.decode': coded(base64),
  'base64url.decode': coded(base64url),
  'urlquery.decode': coded({
    decode: (text) => orUndefined(() => decodeURIComponent(text)),
    encode: encodeURIComponent,
  }),
  'io.jwt.decode': {
    read: (token) => {
      if (!isString(token)) return undefined;
      const [header, payload, signature] = token.split('.');
      const parts = [header, payload].map((part) => document.read(base64url.decode(part ?? '') ?? '', []));
      return parts.includes(undefined) ? undefined : [...(parts as Value[]), signature ?? ''];
    },
    write: (parts) => {
      if (!isArray(parts)) return undefined;
      const [header, payload] = parts.map((part) => (isPlainObject(part) ? part : {}));
      const written = [{ ...header, alg: 'HS256' }, payload ?? {}].map((part) => base64url.encode(toJson(part)));
      return `${written.join('.')}.YQ`;
    },
  },
  'time.parse_rfc3339_ns': {
    read: (text) => (isString(text) ? orUndefined(() => Date.parse(text) * 1e6) : undefined),
    write: (ns) => (isNumber(ns) ? orUndefined(() => new Date(Number(ns) / 1e6).toISOString()) : undefined),
  },
  'object.keys': {
    read: (object) => (isPlainObject(object) ? Object.keys(object).sort() : undefined),
    write: (names) =>
      isArray(names) ? Object.fromEntries(names.filter(isString).map((name) => [name, true])) : undefined,
  },
  sum: {
    read: (list) => (isArray(list) ? list.reduce<number>((sum, one) => sum + Number(one), 0) : undefined),
    write: (result) => (isNumber(result) ? [result] : undefined),
  },
};

/** The step for a call, and its operand that may depend on the input; undefined for others. */
export function lensOf(name: string): { readonly operand: number } | undefined {
  const lens = Object.hasOwn(rows, name) ? rows[name] : undefined;
  return lens && { operand: lens.operand ?? 0 };
}

export function readLens({ call, others }: LensStep, operand: Value): Value | undefined {
  return orNoNumber(rows[call]!.read(operand, others));
}

export function writeLens({ call, others }: LensStep, result: Value): Value | undefined {
  return isObject(result) && !isPlainObject(result) ? undefined : orNoNumber(rows[call]!.write(result, others));
}

/** The number of a text that has none is no value. */
function orNoNumber(value: Value | undefined): Value | undefined {
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
}
