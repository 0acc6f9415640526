/**
 * The values of plain scalars: the words of YAML 1.2's core schema, and go-yaml's numbers.
 */
import { formatFloat } from '../numbers/go-float.js';
import { type NumberValue, numberFromInteger } from '../numbers/number.js';

const constants = new Map<string, null | boolean>();
for (const text of ['', '~', 'null', 'Null', 'NULL']) constants.set(text, null);
for (const text of ['true', 'True', 'TRUE']) constants.set(text, true);
for (const text of ['false', 'False', 'FALSE']) constants.set(text, false);

/** Words that are booleans in YAML 1.1. */
const olderWords = new Map<string, boolean>();
for (const text of ['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON']) olderWords.set(text, true);
for (const text of ['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF']) olderWords.set(text, false);

const { process: host } = globalThis as { readonly process?: { readonly env?: { WRIT_YAML?: string } } };

/** The version is the process's: documents mean the same wherever they are read. */
let hasOlderWords = host?.env?.WRIT_YAML === '1.1';

/**
 * Sets the version of YAML that this process reads; `WRIT_YAML` in the environment is the version
 * at its start. In 1.1 further words are booleans (`yes`, `off`), as in releases of the reference
 * before 1.21. Threads that start later inherit it.
 */
export function useYaml(version: string): void {
  hasOlderWords = version === '1.1';
  if (host?.env) host.env.WRIT_YAML = version;
}

/** The value of a word whose tag says that it is a boolean, by either version. */
export function taggedBoolean(text: string): boolean | undefined {
  const value = constants.get(text) ?? olderWords.get(text);
  return value === null ? undefined : value;
}

/** Whether a text may have the tag. As in go-yaml, a float may be written as an integer. */
export function hasTag(text: string, tag: ScalarTag): boolean {
  if (tag === 'null') return constants.get(text) === null;
  if (tag === 'bool') return taggedBoolean(text) !== undefined;
  const value = resolveScalar(text);
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  return tag === 'float' || integerOf(text.replaceAll('_', '')) !== undefined;
}

export type ScalarTag = 'null' | 'bool' | 'int' | 'float';

const special = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/;
const decimal = /^([-+]?)([1-9]\d*|0)$/;
const based = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+)$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const uint64End = 1n << 64n;
const int64Min = -(1n << 63n);

/** Stands for numbers that JSON has no word for: infinite ones, and what is not a number. */
export const notFinite = Symbol('not finite');

/** The value of a plain scalar, undefined where it is a string. */
export function resolveScalar(text: string): null | boolean | NumberValue | typeof notFinite | undefined {
  const constant = constants.get(text) ?? (hasOlderWords ? olderWords.get(text) : undefined);
  if (constant !== undefined || constants.has(text)) return constant ?? null;
  const first = text.charCodeAt(0);
  const isNumeric = (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46;
  if (!isNumeric) return undefined;
  if (special.test(text)) return notFinite;
  return numberOf(first === 46 ? text : text.replaceAll('_', ''));
}

/** The number of a text of digits: beyond 64 bits it becomes a float. */
function numberOf(text: string): NumberValue | undefined {
  const whole = integerOf(text);
  if (whole !== undefined) return numberFromInteger(whole);
  if (!float.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value || 0 : undefined;
}

/** An integer of 64 bits: `012` is octal, `0b11` binary. */
function integerOf(text: string): bigint | undefined {
  const whole = decimal.exec(text);
  const found = whole ?? based.exec(text);
  if (found === null) return undefined;
  const digits = whole === null && /^0[0-7]/.test(found[2]!) ? `0o${found[2]!.slice(1)}` : found[2]!;
  const value = found[1] === '-' ? -BigInt(digits) : BigInt(digits);
  return value >= int64Min && value < uint64End ? value : undefined;
}

/**
 * The text of a number that is a key: all digits of an integer, a float with those that 32 bits
 * need.
 */
export function scalarNumberKey(text: string): string {
  if (special.test(text)) return text.toLowerCase().replace('+', '');
  const written = text.replaceAll('_', '');
  return String(integerOf(written) ?? floatKey(Number(written)));
}

function floatKey(value: number): string {
  const near = Math.fround(value);
  if (near === 0) return Object.is(near, -0) ? '-0' : '0';
  if (!Number.isFinite(near)) return near < 0 ? '-.inf' : '.inf';
  let precision = 1;
  while (precision < 9 && Math.fround(Number(near.toPrecision(precision))) !== near) precision++;
  return formatFloat(Number(near.toPrecision(precision)), 'g', -1);
}

const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** Whether a string written plainly would read back as something else, in YAML 1.1 too. */
export function readsAsOther(text: string): boolean {
  return resolveScalar(text) !== undefined || olderWords.has(text) || base60.test(text) || timestamp.test(text);
}

const timestamp =
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ \t]+)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d{1,2}(?::\d{1,2})?))?)?$/;
