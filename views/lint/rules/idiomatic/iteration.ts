/** Iteration and comparison that the language has shorter forms for. */

import type { Comprehension, RefTerm, Term } from '../../../../compiler/ast/nodes.js';
import type { LintRule } from '../../frame/lint-rule.js';
import type { Place } from '../../frame/place.js';
import { findDeclarations } from '../../frame/scope.js';
import { isAnyWildcard, isBinary, isScalar, nameOf } from '../tree.js';

export const iterationRules: readonly LintRule[] = [
  {
    name: 'in-wildcard-key',
    category: 'idiomatic',
    finds: 'The key is not used: leave it out',
    visit: ({ report }) => ({
      some: (some) => {
        for (const symbol of some.symbols)
          if (
            symbol.type === 'call' &&
            symbol.args.length === 3 &&
            isAnyWildcard(symbol.args[0]) &&
            !isAnyWildcard(symbol.args[1])
          )
            report(symbol.args[0]!.loc);
      },
    }),
  },
  {
    name: 'prefer-equals-comparison',
    category: 'idiomatic',
    finds: 'Nothing gets a value here: compare with ==',
    isFixable: true,
    visit: ({ report }) => ({
      expr: (expr, place) => {
        if (isBinary(expr, 'eq') && expr.args.every((arg) => isKnown(arg, place))) report(expr.loc);
      },
    }),
  },
  {
    name: 'use-in-operator',
    category: 'idiomatic',
    finds: 'Look for an element with in',
    visit: ({ report }) => ({
      expr: (expr, place) => {
        if (!isBinary(expr, 'eq', 'equal')) return;
        const [left, right] = expr.args;
        for (const [loop, other] of [
          [left, right],
          [right, left],
        ] as const)
          if (endsInWildcard(loop) && isFixedTerm(other, place)) {
            report(loop.loc);
            return;
          }
      },
    }),
  },
  {
    name: 'use-object-keys',
    category: 'idiomatic',
    finds: 'object.keys is the set of the keys',
    unless: () => undefined,
    visit: ({ report }) => ({
      comprehension: (node) => {
        if (node.type === 'setcomprehension' && collectsKeys(node)) report(node.loc);
      },
    }),
  },
  {
    name: 'use-some-for-output-vars',
    category: 'idiomatic',
    finds: 'Declare the variable with some',
    visit: ({ report }) => {
      const seen = new Map<unknown, Set<string>>();
      return {
        ref: (ref, place) => {
          if (place.isWithin(isClosure) || isClosure(place.node)) return;
          for (const { name, loc } of place.outputsOf(ref)) {
            if (name.startsWith('$') || findDeclarations(place.scope, name).length > 0) continue;
            const names = seen.get(place.rule) ?? new Set();
            if (!names.has(name)) report(loc);
            seen.set(place.rule, names.add(name));
          }
        },
      };
    },
  },
];

function isClosure({ type }: { readonly type: string }): boolean {
  return type.endsWith('comprehension');
}

/** Whether a term has a value before the expression is looked at. */
function isKnown(term: Term, place: Place): boolean {
  switch (term.type) {
    case 'var': {
      if (isAnyWildcard(term)) return false;
      const declared = findDeclarations(place.scope, term.name);
      if (declared.length === 0) return place.isGlobal(term.name);
      return declared.some(
        ({ kind, node }) =>
          kind === 'argument' || kind === 'every' || (kind !== 'some' && node.loc.start < term.loc.start),
      );
    }
    case 'array':
    case 'set':
      return term.items.every((item) => item.type !== 'var' && isKnown(item, place));
    case 'object':
      return term.entries.every(({ value }) => value.type !== 'var' && isKnown(value, place));
    default:
      return true;
  }
}

function endsInWildcard(term: Term): term is RefTerm {
  if (term.type !== 'ref' || !isAnyWildcard(term.terms.at(-1))) return false;
  return term.terms.slice(1, -1).every((part) => !isAnyWildcard(part));
}

/** A term that does not iterate. */
function isFixedTerm(term: Term, place: Place): boolean {
  if (term.type === 'var') return !isAnyWildcard(term);
  if (term.type === 'ref') return place.outputsOf(term).length === 0;
  return isScalar(term) || term.type === 'array' || term.type === 'set' || term.type === 'object';
}

function collectsKeys({ term, body }: Extract<Comprehension, { type: 'setcomprehension' }>): boolean {
  const [expr] = body;
  if (body.length !== 1 || term.type !== 'var' || expr === undefined || expr.negated || expr.with.length > 0)
    return false;
  if (expr.kind === 'term') {
    const { term: ref } = expr;
    const last = ref.type === 'ref' ? ref.terms.at(-1) : undefined;
    return (
      ref.type === 'ref' && ref.terms.slice(1, -1).every(isScalar) && last?.type === 'var' && last.name === term.name
    );
  }
  const [symbol] = expr.kind === 'some' ? expr.symbols : [];
  if (symbol?.type !== 'call' || nameOf(symbol) !== 'internal.member_3') return false;
  const [key, value] = symbol.args;
  return key?.type === 'var' && key.name === term.name && isAnyWildcard(value);
}
