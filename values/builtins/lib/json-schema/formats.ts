/**
 * The values of `format`, as the reference checks them with Go's parsers. A format that is not
 * known lets everything pass.
 */
import type { BuiltinContext } from '../../builtin-context.js';
import { parseIp } from '../ip/ip-text.js';
import { UrlError } from '../url/escape.js';
import { parseUrl } from '../url/url.js';
import { compilePattern } from './patterns.js';

export function matchesFormat(format: string, text: string, context: BuiltinContext): boolean {
  return formats.get(format)?.(text, context) ?? true;
}

const hostname =
  /^(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]))*$/;
const uuid = /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/i;
const jsonPointer = /^(?:\/(?:[^~/]|~0|~1)*)*$/;
const relativeJsonPointer = /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/;
const uriTemplate = /^[^{]*(?:\{[^}]*\}[^{]*)*$/;

type Check = (text: string, context: BuiltinContext) => boolean;

const formats: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['hostname', (text) => text.length < 256 && hostname.test(text)],
  ['email', isEmail],
  ['idn-email', isEmail],
  ['ipv4', (text) => text.includes('.') && parseIp(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && parseIp(text) !== undefined],
  ['uri', isUri],
  ['iri', isUri],
  ['uri-reference', isUriReference],
  ['iri-reference', isUriReference],
  ['uri-template', (text) => isUriReference(text) && uriTemplate.test(parseUrl(text).path)],
  ['uuid', (text) => uuid.test(text)],
  ['regex', (text, context) => text === '' || compilePattern(text, context) !== undefined],
  ['json-pointer', (text) => jsonPointer.test(text)],
  ['relative-json-pointer', (text) => relativeJsonPointer.test(text)],
]);

const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;
// The hour may be one digit, and seconds may have a fraction: so Go reads times.
const timePattern = /^(\d{1,2}):(\d\d):(\d\d)(?:[.,]\d+)?(Z|[+-](\d\d):(\d\d))?$/;

function isDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  return (
    month !== undefined &&
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isTime(text: string): boolean {
  const found = timePattern.exec(text);
  if (found === null) return false;
  const [, hour, minute, second, , zoneHour, zoneMinute] = found;
  return (
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(zoneHour ?? 0) <= 24 &&
    Number(zoneMinute ?? 0) <= 60
  );
}

function isDateTime(text: string): boolean {
  if (isTime(text) || isDate(text)) return true;
  const time = text.slice(11);
  return text[10] === 'T' && isDate(text.slice(0, 10)) && isTime(time) && timePattern.exec(time)?.[4] !== undefined;
}

function isUri(text: string): boolean {
  return isUriReference(text) && parseUrl(text).scheme !== '';
}

function isUriReference(text: string): boolean {
  try {
    parseUrl(text);
    return !text.includes('\\');
  } catch (error) {
    if (error instanceof UrlError) return false;
    throw error;
  }
}

// RFC 5322 as Go's net/mail reads it: an address, or a name and an address in angle brackets.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\[\\t -~\\u0080-\\u{10ffff}])*"';
const domainLiteral = '\\[[^\\[\\]\\\\\\s]*\\]';
const address = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|${domainLiteral})`;
const plainAddress = new RegExp(`^[ \\t]*${address}[ \\t]*$`, 'u');
const word = `(?:${atom}|${quoted})`;
const namedAddress = new RegExp(`^[ \\t]*(?:${word}(?:[ \\t.]+${word})*[ \\t.]*)?<${address}>[ \\t]*$`, 'u');

function isEmail(text: string): boolean {
  return plainAddress.test(text) || namedAddress.test(text);
}
