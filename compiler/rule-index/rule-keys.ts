/** How sets and objects can be asked for keys, without the whole of them. */
import { isLiteral, isScalar } from '../ast/names.js';
import type { Expr, Term } from '../ast/nodes.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { isEquality } from '../resolve/expression-kinds.js';
import { headKeys } from '../resolve/head-keys.js';
import type { VirtualDocument } from '../resolve/virtual-document.js';
import { type IndexContext, Questions } from './questions.js';

/** The first key below a set or an object that a rule of it is about. */
function keyOf({ path }: VirtualDocument, { module, rule, ref }: CompiledRule): Term {
  const depth = path.length + 1;
  const [below] = ref.length > depth ? headKeys(module, rule.head, path.length) : [];
  // A rule at the path itself is one of a set.
  return below ?? rule.head.key!;
}

/**
 * Whether a key can be matched with the heads of a set's or an object's rules before their bodies
 * are evaluated.
 */
export function matchesKeys(document: VirtualDocument): boolean {
  const isPattern = (term: Term): boolean => {
    if (term.type === 'var' || isLiteral(term)) return true;
    if (term.type === 'array') return term.items.every(isPattern);
    return term.type === 'object' && term.entries.every(({ key, value }) => isLiteral(key) && isPattern(value));
  };
  const depth = document.path.length + 1;
  return document.rules.every((compiled) => {
    // A set where other rules make an object is a conflict for every key.
    if (document.kind === 'object' && compiled.ref.length === depth) return false;
    return compiled.rule.else === undefined && isPattern(keyOf(document, compiled));
  });
}

/** How many keys the rules of a set or an object have in common. */
export function commonKeys({ kind, path, rules }: VirtualDocument): number {
  const lengths = new Set(rules.map(({ ref }) => ref.length - path.length - 1));
  const [count = 1] = lengths;
  return kind === 'set' || lengths.size > 1 ? 1 : count;
}

/**
 * Whether it shows at once which key each rule of a set or an object is about: a constant, or a
 * place that the index compares.
 */
export function tellsKeys(functions: IndexContext['functions'], document: VirtualDocument): boolean {
  return document.rules.every((compiled) => {
    const key = keyOf(document, compiled);
    // Results at scalars are remembered.
    if (key.type !== 'var') return isScalar(key);
    const { body } = compiled.rule;
    const questions = new Questions({ functions, environment: { mockOf: () => undefined } }, [key]).of(body);
    const isAbout = (expr: Expr) =>
      isEquality(expr) && expr.args.some((arg) => arg.type === 'var' && arg.name === key.name);
    return body.some((expr, i) => questions?.[i]?.some(({ isWhole }) => isWhole) === true && isAbout(expr));
  });
}
