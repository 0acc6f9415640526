/**
 * Compares the output and the files of a call with the recorded ones, by the rules of
 * cli/README.md.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { parseJson } from '../../values/json/json.js';
import { isArray, isObject, type PlainObject, type Value } from '../../values/value.js';
import { difference } from './rest-compare.js';

export interface Comparison {
  readonly as: 'text' | 'lines-any-order' | 'json' | 'contains';
  readonly masks?: readonly string[];
  readonly unordered?: readonly string[];
  readonly strings?: readonly string[];
}

interface Document {
  readonly text?: string;
  readonly json?: Value;
  readonly masks?: readonly string[];
  readonly unordered?: readonly string[];
  readonly tokens?: readonly string[];
}

export interface Output extends Document {
  readonly absent?: true;
  readonly archive?: readonly string[];
  readonly members?: { readonly [name: string]: Document };
}

/** The first difference between a text and the recorded one; undefined if they match. */
export function textDifference(want: string, got: string, comparison: Comparison): string | undefined {
  switch (comparison.as) {
    case 'text':
      return got === want ? undefined : `wanted\n${want}\ngot\n${got}`;
    case 'lines-any-order':
      return textDifference(sortedLines(want), sortedLines(got), { as: 'text' });
    case 'contains': {
      const missing = comparison.strings?.find((part) => !got.includes(part));
      return missing === undefined ? undefined : `wanted ${missing} somewhere in\n${got}`;
    }
    case 'json':
      try {
        return difference(documents(want), documents(got), comparison);
      } catch (error) {
        return `${(error as Error).message}: wanted\n${want}\ngot\n${got}`;
      }
  }
}

/**
 * The difference between the file at a path and the recorded one. `clean` removes volatile parts.
 */
export async function outputDifference(path: string, want: Output, clean: (text: string) => string): Promise<string | undefined> {
  if (!existsSync(path)) return want.absent === true ? undefined : 'is missing';
  if (want.absent === true) return 'should not be there';
  if (want.archive === undefined) return documentDifference(want, clean(readFileSync(path, 'utf8')));
  const entries = await unpackTar(gunzipSync(readFileSync(path)));
  const members = new Map(entries.map(({ header, data }) => [header.name, new TextDecoder().decode(data)]));
  const names = sortedLines([...members.keys()].join('\n'));
  if (names !== sortedLines(want.archive.join('\n'))) return `wanted the members ${want.archive}, got ${[...members.keys()]}`;
  for (const [name, document] of Object.entries(want.members ?? {})) {
    const why = documentDifference(document, clean(members.get(name) ?? ''));
    if (why !== undefined) return `${name}: ${why}`;
  }
  return undefined;
}

function documentDifference(want: Document, got: string): string | undefined {
  if (want.text !== undefined) return textDifference(want.text, got, { as: 'text' });
  if (want.json === undefined) return undefined;
  const tokens = want.tokens ?? [];
  return difference(readable(want.json, tokens), readable(documents(got), tokens), want);
}

function sortedLines(text: string): string {
  return text.split('\n').sort().join('\n');
}

/** A document, or several consecutive ones. */
function documents(text: string): Value {
  const parts = split(text);
  return parts.length === 1 ? parseJson(parts[0]!) : { 'several documents': parts.map(parseJson) };
}

/** Splits a text into documents: outermost brackets, or whole lines of other values. */
function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]|\n/g)) {
    if (part === '[' || part === '{') depth++;
    else if (part === ']' || part === '}') depth--;
    if (depth > 0 || part.startsWith('"') || part === '[' || part === '{') continue;
    const document = text.slice(start, index + 1).trim();
    if (document !== '') parts.push(document);
    start = index + 1;
  }
  const rest = text.slice(start).trim();
  return rest === '' ? parts : [...parts, rest];
}

/** The document with its tokens decoded to algorithm and payload. */
function readable(document: Value, pointers: readonly string[], place: readonly string[] = []): Value {
  if (typeof document === 'string') return pointers.some((pointer) => isAt(pointer, place)) ? token(document) : document;
  if (isArray(document)) return document.map((item, i) => readable(item, pointers, [...place, String(i)]));
  if (document === null || !isObject(document)) return document;
  const entries = Object.entries(document as PlainObject);
  return Object.fromEntries(entries.map(([key, value]) => [key, readable(value, pointers, [...place, key])]));
}

function isAt(pointer: string, place: readonly string[]): boolean {
  const parts = pointer.split('/').slice(1);
  return parts.length === place.length && parts.every((part, i) => part === '*' || part === place[i]);
}

function token(text: string): Value {
  const [header, payload] = text
    .split('.')
    .slice(0, 2)
    .map((part) => parseJson(Buffer.from(part, 'base64url').toString()));
  return { algorithm: (header as { alg: string }).alg, payload: payload! };
}
