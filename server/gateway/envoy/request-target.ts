/** The path and the query of a request, as the reference parses them. */
import type { PlainObject } from '../../../values/index.js';
import { CheckRequestError } from './request-error.js';

export interface ParsedTarget {
  /** Unescaped and then split: an escaped slash separates segments too. */
  readonly path: readonly string[];
  readonly query: PlainObject;
}

/** Throws a RequestError. */
export function parseTarget(target: string): ParsedTarget {
  const mark = target.indexOf('?');
  const path = unescaped(mark < 0 ? target : target.slice(0, mark));
  return { path: path.replace(/^\/+/, '').split('/'), query: mark < 0 ? {} : parseForm(target.slice(mark + 1)) };
}

/** The values by key of a query or a form. Throws a RequestError. */
export function parseForm(text: string): PlainObject {
  const values = new Map<string, string[]>();
  for (const pair of text.split('&')) {
    if (pair.includes(';')) throw new CheckRequestError('invalid semicolon separator in query');
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = unescaped((equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' '));
    const value = equals < 0 ? '' : unescaped(pair.slice(equals + 1).replaceAll('+', ' '));
    const others = values.get(key);
    if (others === undefined) values.set(key, [value]);
    else others.push(value);
  }
  return Object.fromEntries(values);
}

/** Escapes may be of bytes that are no UTF-8: these become the replacement character. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (bad !== null)
    throw new CheckRequestError(`invalid URL escape ${JSON.stringify(text.slice(bad.index, bad.index + 3))}`);
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString());
}
