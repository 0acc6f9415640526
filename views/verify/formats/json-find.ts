/** Finds a path in a long JSON text without a tree of it. */
import type { RangeFinder } from './format.js';
import type { FoundRange, PathKey } from './marks.js';

/** The ranges of paths in a text that was read before. */
export function jsonFinder(text: string): RangeFinder {
  // Lists and objects are indexed once: the paths of many failures come in any order.
  const lists = new Map<number, readonly number[]>();
  const objects = new Map<number, ReadonlyMap<string, Member>>();

  function memberAt(open: number, key: PathKey): Member | undefined {
    if (typeof key === 'string') return indexed(objects, open, membersIn).get(key);
    const start = indexed(lists, open, itemsIn)[key];
    return start === undefined ? undefined : { start, value: start };
  }

  function indexed<T>(known: Map<number, T>, open: number, index: (text: string, open: number) => T): T {
    let found = known.get(open);
    if (found === undefined) known.set(open, (found = index(text, open)));
    return found;
  }

  return (path) => {
    let found: FoundRange | undefined;
    let at = afterSpace(text, 0);
    for (const [i, key] of path.entries()) {
      const member = memberAt(at, key);
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

/** Where the items of a list begin. */
function itemsIn(text: string, open: number): readonly number[] {
  const items: number[] = [];
  if (text[open] !== '[') return items;
  for (let at = afterSpace(text, open + 1); text[at] !== ']' && at < text.length; ) {
    items.push(at);
    at = nextMember(text, afterValue(text, at));
  }
  return items;
}

/** Of members with one key the last counts. */
function membersIn(text: string, open: number): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  if (text[open] !== '{') return members;
  for (let at = afterSpace(text, open + 1); text[at] === '"'; ) {
    const end = afterString(text, at);
    const value = afterSpace(text, afterSpace(text, end) + 1);
    members.set(JSON.parse(text.slice(at, end)) as string, { start: at, value });
    at = nextMember(text, afterValue(text, value));
  }
  return members;
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
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
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
