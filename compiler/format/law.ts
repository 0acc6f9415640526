/** The invariant of formatting: it keeps the tree and every comment. */

import { setMembers } from '../ast/compare-terms.js';
import { isWildcard } from '../ast/names.js';
import type { Comment, Expr, Import, Module, Rule, RuleHead, TemplateString, Term } from '../ast/nodes.js';

/** Whether two rules have equal meanings, at any positions and in any notation of their heads. */
export function sameRule(a: Rule, b: Rule): boolean {
  let [left, right]: (Rule | undefined)[] = [a, b];
  for (; left && right; left = left.else, right = right.else)
    if (left.default !== right.default || !sameHead(left.head, right.head) || !same(left.body, right.body))
      return false;
  return left === right;
}

/** The key of `p[x] := y` is a part of its ref as well. */
function sameHead(a: RuleHead, b: RuleHead): boolean {
  return (
    same(a.ref, b.ref) &&
    same(a.args, b.args) &&
    same(a.value, b.value) &&
    (a.value !== undefined || same(a.key, b.key))
  );
}

export function samePackage(a: Module, b: Module): boolean {
  return same(a.package.path, b.package.path);
}

export function sameImport(a: Import, b: Import): boolean {
  return a.alias === b.alias && same(a.path, b.path);
}

/** Whether both have the same comments, in any order: imports are sorted. */
export function sameComments(a: readonly Comment[], b: readonly Comment[]): boolean {
  const texts = (comments: readonly Comment[]): string[] => comments.map(({ text }) => text.trimEnd()).sort();
  const others = texts(b);
  return a.length === b.length && texts(a).every((text, i) => text === others[i]);
}

/** Parts of nodes that say where they stand, or that the text had a word which may go or come. */
const free: ReadonlySet<string> = new Set(['loc', 'generated']);

/**
 * Whether two parts of trees are equal. The names of wildcards are compared as numbers, duplicate
 * members of a set count once, and constants in a template are a part of its text.
 */
function same(a: unknown, b: unknown): boolean {
  // No recursion: a tree may be deep.
  const left: unknown[] = [a, b];
  while (left.length > 0) {
    const other = left.pop();
    if (!sameParts(left.pop(), other, left)) return false;
  }
  return true;
}

/** As `same`, but for the parts of both, which are added to a list. */
function sameParts(a: unknown, b: unknown, parts: unknown[]): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) parts.push(a[i], b[i]);
    return true;
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  if (left.type !== right.type) return false;
  if (left.type === 'var')
    return left.name === right.name || (isWildcard(left.name as string) && isWildcard(right.name as string));
  if (left.type === 'set') parts.push(distinct(left.items as Term[]), distinct(right.items as Term[]));
  else if (left.type === 'templatestring')
    parts.push(templateParts(a as TemplateString), templateParts(b as TemplateString));
  else for (const key of Object.keys(left)) if (!free.has(key)) parts.push(left[key], right[key]);
  return true;
}

/** The parts of a template: texts, each as long as it can be, and expressions. */
function templateParts({ parts }: TemplateString): readonly (string | Term | Expr)[] {
  const joined: (string | Term | Expr)[] = [];
  for (const part of parts) {
    const text = part.type === 'expr' ? undefined : constantText(part);
    const last = joined.at(-1);
    if (text === undefined) joined.push(part);
    else if (typeof last === 'string') joined[joined.length - 1] = last + text;
    else if (text !== '') joined.push(text);
  }
  return joined;
}

/** The text of a scalar in a template. */
export function constantText(term: Term): string | undefined {
  switch (term.type) {
    case 'string':
      return term.value;
    case 'number':
      return term.text;
    case 'null':
      return 'null';
    case 'boolean':
      return String(term.value);
    default:
      return undefined;
  }
}

/** The members of a set without repetitions, in the order of the text. */
export function distinct(items: readonly Term[]): readonly Term[] {
  const members = setMembers(items);
  if (members.length === items.length) return items;
  const first = new Set(members);
  return items.filter((item) => first.has(item));
}
