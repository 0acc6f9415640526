/** Finds a path in a long JSON text without a tree of it. */
import type { RangeFinder } from './format.js';
import type { FoundRange, PathKey } from './marks.js';

/** The ranges of paths in a text that was read before. */
export function jsonFinder(text: string): RangeFinder {
  // Lists and objects are indexed once: the paths of many failures come in any order.
  const lists = new Map<number, ListIndex>();
  const objects = new Map<number, ReadonlyMap<string, Member>>();

  function listAt(open: number): ListIndex {
    let found = lists.get(open);
    if (found === undefined) lists.set(open, (found = itemsIn(text, open)));
    return found;
  }

  function membersAt(open: number): ReadonlyMap<string, Member> {
    let found = objects.get(open);
    if (found === undefined) objects.set(open, (found = membersIn(text, open, listAt)));
    return found;
  }

  function memberAt(open: number, key: PathKey): Member | undefined {
    if (typeof key === 'string') return membersAt(open).get(key);
    const start = text[open] === '[' ? listAt(open).starts[key] : undefined;
    return start === undefined ? undefined : { start, value: start };
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

/** Where the items of a list begin, and where it ends. */
interface ListIndex {
  readonly starts: readonly number[];
  readonly end: number;
}

function itemsIn(text: string, open: number): ListIndex {
  const starts: number[] = [];
  let at = afterSpace(text, open + 1);
  while (text[at] !== ']' && at < text.length) {
    starts.push(at);
    at = nextMember(text, afterValue(text, at));
  }
  return { starts, end: at + 1 };
}

/** The members of an object, the last of those with one key. Long lists are indexed too. */
function membersIn(text: string, open: number, listAt: (open: number) => ListIndex): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  if (text[open] !== '{') return members;
  for (let at = afterSpace(text, open + 1); text[at] === '"'; ) {
    const end = afterString(text, at);
    const value = afterSpace(text, afterSpace(text, end) + 1);
    members.set(JSON.parse(text.slice(at, end)) as string, { start: at, value });
    at = nextMember(text, text[value] === '[' ? listAt(value).end : afterValue(text, value));
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
