/** Semantic versions. */
import { compareStrings } from '../../../compare.js';
import { goQuote } from '../../../text/term-text.js';
import { BuiltinError } from '../../builtin-errors.js';

interface Version {
  /** Major, minor, patch. */
  readonly numbers: readonly (number | bigint)[];
  /** Empty for a release. */
  readonly preRelease: string;
}

const identifiers = /^[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/;
const leadingZero = /(?:^|\.)0\d+(?:\.|$)/;

const int64Max = (1n << 63n) - 1n;

/** A version of the standard, before which a `v` may stand. */
export function parseVersion(text: string): Version | undefined {
  const numbers = plainNumbers(text);
  return numbers === undefined ? parseParts(text) : { numbers, preRelease: '' };
}

/** Digits that a double holds. */
const fewDigits = 15;
const [zero, point, letterV] = [48, 46, 118];

/** The numbers of a version that is three short numbers, as most are; undefined for others. */
function plainNumbers(text: string): readonly number[] | undefined {
  const numbers = [0, 0, 0];
  let part = 0;
  let start = text.charCodeAt(0) === letterV ? 1 : 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (i > start && code !== point && text.charCodeAt(start) === zero) return undefined;
    if (code >= zero && code <= zero + 9 && i - start < fewDigits) numbers[part] = numbers[part]! * 10 + code - zero;
    else if (code !== point || i === start || ++part > 2) return undefined;
    else start = i + 1;
  }
  return part === 2 && start < text.length ? numbers : undefined;
}

function parseParts(text: string): Version | undefined {
  const [rest, metadata] = cut(text.startsWith('v') ? text.slice(1) : text, '+');
  const [core, preRelease] = cut(rest, '-');
  if (metadata !== undefined && !identifiers.test(metadata)) return undefined;
  if (preRelease !== undefined && (!identifiers.test(preRelease) || leadingZero.test(preRelease))) return undefined;
  const parts = core.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^(?:0|[1-9]\d{0,18})$/.test(part))) return undefined;
  const numbers = parts.map(BigInt);
  return numbers.every((n) => n <= int64Max) ? { numbers, preRelease: preRelease ?? '' } : undefined;
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) {
    if (a.numbers[i]! < b.numbers[i]!) return -1;
    if (a.numbers[i]! > b.numbers[i]!) return 1;
  }
  if (a.preRelease === b.preRelease) return 0;
  if (a.preRelease === '') return 1;
  if (b.preRelease === '') return -1;
  const parts = a.preRelease.split('.');
  const others = b.preRelease.split('.');
  for (const [i, part] of parts.entries()) {
    const other = others[i];
    const order = other === undefined ? 1 : compareIdentifiers(part, other);
    if (order !== 0) return order;
  }
  return parts.length === others.length ? 0 : -1;
}

/** Numbers come before words. */
function compareIdentifiers(a: string, b: string): number {
  const aIsNumber = /^\d+$/.test(a);
  const bIsNumber = /^\d+$/.test(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  if (!aIsNumber) return Math.sign(compareStrings(a, b));
  const x = clamped(a);
  const y = clamped(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

function clamped(digits: string): bigint {
  const value = BigInt(digits);
  return value > int64Max ? int64Max : value;
}

function versionOperand(text: string, position: number): Version {
  const version = parseVersion(text);
  if (version === undefined)
    throw new BuiltinError(`operand ${position}: string ${goQuote(text)} is not a valid SemVer`);
  return version;
}

export function compareSemver(a: string, b: string): number {
  return compareVersions(versionOperand(a, 1), versionOperand(b, 2));
}
