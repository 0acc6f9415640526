/**
 * Heads of comprehensions without refs and comprehensions: `[x[0] | …]` is
 * `[__local0__ | …; __local0__ = x[0]]`.
 */

import type { Expr, Term } from '../ast/nodes.js';
import { requiresEval } from '../resolve/expression-kinds.js';
import type { Context } from '../resolve/working-module.js';
import { append, bindToLocal } from './bodies.js';
import type { Rewriting } from './closures.js';

export function comprehensionHeads(context: Context): Rewriting {
  const bind = (term: Term, added: Expr[]): Term => {
    if (!requiresEval(term)) return term;
    const { variable, binding } = bindToLocal(context, term);
    added.push(binding);
    return variable;
  };
  return {
    term: (term) => {
      const added: Expr[] = [];
      switch (term.type) {
        case 'arraycomprehension':
        case 'setcomprehension': {
          const head = bind(term.term, added);
          return added.length === 0 ? term : { ...term, term: head, body: append(term.body, added) };
        }
        case 'objectcomprehension': {
          const key = bind(term.key, added);
          const value = bind(term.value, added);
          return added.length === 0 ? term : { ...term, key, value, body: append(term.body, added) };
        }
        default:
          return term;
      }
    },
  };
}
