/**
 * Objects of rules that read each other's keys: `p[x].a` may use `p[x].b`. The whole object needs
 * the keys that it is made of, so such a ref reads an object of those rules alone that may make
 * what it asks for.
 */
import { refPrefix } from '../ast/make.js';
import type { Ref, Term } from '../ast/nodes.js';
import type { CompiledRule } from './compiled-rule.js';
import { mayRead } from './graph.js';
import { keyOfTerm, step } from './tree.js';
import type { RuleDocument } from './virtual-document.js';

/** Rules of objects that would read themselves, if refs into these read the whole. */
const entangled = new WeakSet<CompiledRule>();

export function entangle(rules: Iterable<CompiledRule>): void {
  for (const rule of rules) entangled.add(rule);
}

const narrow = new WeakMap<RuleDocument, Map<string, RuleDocument>>();

/**
 * The document that answers a ref, whose terms from `at` on are keys of a document; undefined where
 * no rule makes what it asks for.
 */
export function narrowedDocument(document: RuleDocument, terms: readonly Term[], at: number): RuleDocument | undefined {
  if (document.kind !== 'object' || document.part !== undefined || at >= terms.length) return document;
  if (!document.rules.some((rule) => entangled.has(rule))) return document;
  const path: Ref = [...refPrefix(document.rules[0].ref, document.path.length + 1), ...terms.slice(at)];
  const [first, ...others] = document.rules.filter(({ ref }) => mayRead(path, ref));
  if (first === undefined) return undefined;
  if (others.length + 1 === document.rules.length) return document;
  let part = '';
  for (const term of terms.slice(at)) part += step(keyOfTerm(term) ?? '*');
  let known = narrow.get(document);
  if (known === undefined) narrow.set(document, (known = new Map()));
  let found = known.get(part);
  if (found === undefined) known.set(part, (found = { ...document, rules: [first, ...others], part }));
  return found;
}
