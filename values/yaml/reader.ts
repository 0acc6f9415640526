/** The first document of a YAML text, where go-yaml and js-yaml end it differently. */
import { YAMLException } from 'js-yaml';
import type { Value } from '../value.js';
import { mayHaveAliases, mostExpanded, withMerges } from './merge.js';
import { refuseKeys, refuseSurrogates } from './refusals.js';
import { withNumbers } from './scalar-number.js';
import { loadWith, maxNesting, plainSchema } from './schema.js';

const preamble = /^(?:\ufeff)?(?:[ \t]*(?:#.*)?\r?\n|%.*\n)*(?:---(?=\s|$))?/;
/** At the start of a line: other separators of lines than these are characters of a text. */
const documentEnd = /(?<![^\r\n])(?:---|\.\.\.)(?=\s|$)/;

/** The text after the first document is not read: it may be no YAML at all. */
function cutDocument(text: string): string {
  const start = preamble.exec(text)![0].length;
  const end = text.slice(start).search(documentEnd);
  // js-yaml takes an end without a document for an empty one, and what follows is not read.
  if (end === 0 && /^\.\.\.\s+\S/.test(text.slice(start))) throw new YAMLException('expected the node content');
  return end <= 0 ? text : text.slice(0, start + end);
}

export function firstDocument(whole: string): Value {
  const text = documentEnd.test(whole) ? cutDocument(whole) : whole;
  const atEnd = blockScalar.test(text) && !text.endsWith('\n') ? loadMarked(text) : undefined;
  if (typeof atEnd === 'string' && atEnd.endsWith(`${endMark}\n`)) return atEnd.slice(0, -2);
  if (atEnd !== undefined && cutEndMark(atEnd, 0)) return atEnd;
  return load(text);
}

/** A private character that tells which scalar the text ends with. */
const endMark = '\uf8f0';
const blockScalar = /[|>][-+\d]*[ \t]*(?:#.*)?\r?\n/;

/**
 * A block scalar that the text ends with has no line end there; js-yaml gives it one. Whether there
 * was such a scalar.
 */
function cutEndMark(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxNesting) return false;
  const members = value as Record<string, unknown>;
  const last = Object.keys(members).at(-1);
  if (last === undefined) return false;
  const member = members[last];
  if (typeof member !== 'string') return cutEndMark(member, depth + 1);
  if (!member.endsWith(`${endMark}\n`)) return false;
  members[last] = member.slice(0, -2);
  return true;
}

/**
 * Undefined where the text does not read with the mark: then it does not end with a block scalar,
 * or is wrong anyway.
 */
function loadMarked(text: string): Value | undefined {
  try {
    return load(text + endMark);
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** A document that is a block scalar with a stated indentation. */
const indentedDocument = /^((?:\s|#.*\n|%.*\n|---(?=\s)|[&!]\S*(?=\s))*[|>][-+]?)([1-9])([-+]?[ \t]*(?:#.*)?\r?\n)/;

/** The indentation of such a scalar counts from 0; js-yaml counts it from -1. */
function withIndentation(text: string): string {
  const found = indentedDocument.exec(text);
  if (found === null) return text;
  const [all, start, digit, end] = found as unknown as readonly [string, string, string, string];
  if (digit !== '9') return `${start}${Number(digit) + 1}${end}${text.slice(all.length)}`;
  return all + text.slice(all.length).replace(/^ /gm, '');
}

/** Dashes that a text begins with, which js-yaml would take for the start of the document. */
const dashedWord = /^((?:\ufeff)?(?:[ \t]*(?:#.*)?\r?\n)*)---(?=\S)/;

function load(whole: string): Value {
  const text = withIndentation(whole.replace(dashedWord, '$1---\n---'));
  refuseSurrogates(text);
  refuseKeys(text);
  const document = loadWith(text, plainSchema());
  const merged = text.includes('<<') ? withMerges(document, mostExpanded(text)) : document;
  return withNumbers(merged, mayHaveAliases(text));
}
