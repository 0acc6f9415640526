/** Objects and sets inside of an object of rules that are there although no rule fills them. */
import type { ScalarTerm } from '../ast/nodes.js';
import { type CompiledRule, ruleKind } from '../resolve/compiled-rule.js';
import { constantKeys, keyOfTerm, step } from '../resolve/tree.js';
import type { VirtualDocument } from '../resolve/virtual-document.js';

export interface EmptyPart {
  /** The keys that lead there, below the document. */
  readonly keys: readonly ScalarTerm[];
  readonly kind: 'object' | 'set';
}

const known = new WeakMap<VirtualDocument, readonly EmptyPart[]>();

/**
 * The parts at constant keys, as packages have them: `p.open contains x` and `p[1].note := 2` make
 * `{"open": set(), 1: {}}` where they do not hold. A head with a variable makes an object of all
 * that is below the keys before the variable: this has what rules put there, and no more.
 */
export function emptyParts(document: VirtualDocument): readonly EmptyPart[] {
  if (document.kind !== 'object') return [];
  let parts = known.get(document);
  if (parts === undefined) known.set(document, (parts = findParts(document)));
  return parts;
}

function findParts({ path, rules }: VirtualDocument): readonly EmptyPart[] {
  const parts = new Map<string, EmptyPart>();
  const open = new Set<string>();
  for (const rule of rules) {
    const keys = constantKeys(rule.ref).slice(path.length);
    if (keys.length < rule.ref.length - 1 - path.length) open.add(pathOf(keys));
    const part = partOf(rule, keys, open.has(pathOf(keys)));
    parts.set(pathOf(part.keys), part);
  }
  return [...parts.values()].filter(({ keys }) => keys.length > 0 && !isBelow(keys, open));
}

/** The part that a rule fills. */
function partOf({ rule }: CompiledRule, keys: readonly ScalarTerm[], isOpen: boolean): EmptyPart {
  if (isOpen) return { keys, kind: 'object' };
  return ruleKind(rule.head) === 'multi' ? { keys, kind: 'set' } : { keys: keys.slice(0, -1), kind: 'object' };
}

function isBelow(keys: readonly ScalarTerm[], places: ReadonlySet<string>): boolean {
  return keys.some((_, i) => places.has(pathOf(keys.slice(0, i))));
}

function pathOf(keys: readonly ScalarTerm[]): string {
  return keys.map((key) => step(keyOfTerm(key))).join('');
}
