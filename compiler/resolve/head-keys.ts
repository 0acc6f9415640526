import { stringTerm } from '../ast/make.js';
import type { RuleHead, Term } from '../ast/nodes.js';
import type { CompiledModule } from './compiled-rule.js';

/**
 * The terms of a head below the document that its rule makes with others: its keys. The package of
 * the rule may be below the document too. They have the names of the body's variables.
 * @param depth the number of keys that lead to the document, below `data`
 */
export function headKeys({ parsed }: CompiledModule, { ref }: RuleHead, depth: number): readonly Term[] {
  const own = parsed.package.path.length - 1;
  if (own < depth) return ref.slice(depth - own);
  const [first, ...rest] = ref;
  const name = first.type === 'var' ? stringTerm(first.loc, first.name) : first;
  return [...parsed.package.path.slice(1), name, ...rest].slice(depth);
}
