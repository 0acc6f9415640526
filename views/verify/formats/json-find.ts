/** Finds a path in a long JSON text without a tree of it. */
import type { RangeFinder } from './format.js';
import type { FoundRange } from './marks.js';

/** The ranges of paths in a text that was read before. */
export function jsonFinder(text: string): RangeFinder {
  // Of each list, the last item that was found: failures come in the order of the text.
  const known = new Map<number, { readonly index: number; readonly at: number }>();

  function itemIn(open: number, index: number): Member | undefined {
    if (text[open] !== '[') return undefined;
    const before = known.get(open);
    const isBefore = before !== undefined && before.index <= index;
    let at = isBefore ? before.at : afterSpace(text, open + 1);
    for (let i = isBefore ? before.index : 0; text[at] !== ']' && at < text.length; i++) {
      if (i === index) {
        known.set(open, { index, at });
        return { start: at, value: at };
      }
      at = nextMember(text, afterValue(text, at));
    }
    return undefined;
  }

  return (path) => {
    let found: FoundRange | undefined;
    let at = afterSpace(text, 0);
    for (const [i, key] of path.entries()) {
      const member = typeof key === 'number' ? itemIn(at, key) : memberIn(text, at, key);
      if (member === undefined) break;
      found = { start: member.start, end: member.value, depth: i + 1 };
      at = member.value;
    }
    return found && { ...found, end: afterValue(text, found.end) };
  };
}

/** A member: where it begins, with its key, and where its value does. */
interface Member {
  readonly start: number;
  readonly value: number;
}

/** Of members with one key the last counts. */
function memberIn(text: string, open: number, key: string): Member | undefined {
  if (text[open] !== '{') return undefined;
  let found: Member | undefined;
  let at = afterSpace(text, open + 1);
  while (text[at] === '"') {
    const end = afterValue(text, at);
    const value = afterSpace(text, afterSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === key) found = { start: at, value };
    at = nextMember(text, afterValue(text, value));
  }
  return found;
}

function nextMember(text: string, end: number): number {
  const at = afterSpace(text, end);
  return text[at] === ',' ? afterSpace(text, at + 1) : at;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || (code >= 9 && code <= 13); code = text.charCodeAt(at)) at++;
  return at;
}

const quote = 34;
const backslash = 92;

function afterString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return at;
}

function afterValue(text: string, from: number): number {
  if (text.charCodeAt(from) === quote) return afterString(text, from);
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = afterString(text, at);
      continue;
    }
    if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (code === 44 || code <= 32)) return at;
    at++;
  }
  return at;
}
