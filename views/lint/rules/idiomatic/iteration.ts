/** Iteration and comparison that the language has shorter forms for. */

import type { Comprehension, Node, RefTerm, Term } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import type { NodePlace } from '../../frame/place.js';
import { countName, isAnyWildcard, isBinary, isLiteral, isScalar, isVar, nameOf } from '../tree.js';

export const iterationRules: readonly LintRule[] = [
  {
    name: 'in-wildcard-key',
    category: 'idiomatic',
    finds: 'The key is not used: leave it out',
    visit: ({ report }) => ({
      some: (some) => {
        for (const symbol of some.symbols)
          if (symbol.type === 'call' && symbol.args.length === 3 && isAnyWildcard(symbol.args[0]))
            report(symbol.args[0]!);
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
      rule: (rule) => {
        for (const expr of rule.generatedBody ? [] : rule.body) {
          if (!isBinary(expr, 'eq', 'equal')) continue;
          const loops = expr.args.filter(endsInWildcard);
          if (loops.length === 1 && expr.args.some((other) => other !== loops[0] && isFixedTerm(other)))
            report(loops[0]!);
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
        if (node.type === 'setcomprehension' && collectsKeys(node)) report(node);
      },
    }),
  },
  {
    name: 'use-some-for-output-vars',
    category: 'idiomatic',
    finds: 'Declare the variable with some',
    visit: ({ file, report }) => ({
      ref: (ref, place) => {
        const vars = file.varsOf(place.rule);
        for (const node of ref.terms.slice(1)) {
          if (!isVar(node) || file.plainRuleNames.has(node.name) || file.importNames.has(node.name)) continue;
          const { name } = node;
          const isBound = (each: Node): boolean => isClosure(each) && countName(each.body, name) > 0;
          if (isBound(place.node) || place.isWithin(isBound)) continue;
          if (!vars.isDeclaredBySome(node.name) && !vars.isKnownAt(node)) report(node.loc);
        }
      },
    }),
  },
];

function isClosure(node: Node): node is Comprehension {
  return node.type.endsWith('comprehension');
}

/** Whether `=` gives a term no value: a constant, a ref, a variable that has one. */
function isKnown(term: Term, place: NodePlace): boolean {
  if (term.type === 'ref') return true;
  if (term.type !== 'var') return isLiteral(term);
  const { name } = term;
  return !place.isOutput(term) && !isOfComprehension(name, place);
}

/** Whether a variable stands in the term of a comprehension around a place. */
function isOfComprehension(name: string, place: NodePlace): boolean {
  return place.isWithin((node) => {
    if (node.type === 'objectcomprehension') return countName([node.key, node.value], name) > 0;
    return (node.type === 'arraycomprehension' || node.type === 'setcomprehension') && countName([node.term], name) > 0;
  });
}

function endsInWildcard(term: Term): term is RefTerm {
  return term.type === 'ref' && term.terms[0].type === 'var' && isAnyWildcard(term.terms.at(-1));
}

/** A term that is no call, and no ref with parts that are not constants. */
function isFixedTerm(term: Term): boolean {
  if (term.type === 'ref') return term.terms.slice(1).every(isScalar);
  return (
    term.type === 'var' || isScalar(term) || term.type === 'array' || term.type === 'set' || term.type === 'object'
  );
}

/** `{k | some k, _ in xs}`, `{k | xs[k]}` and `{k | some k; xs[k]}`. */
function collectsKeys({ term, body }: Extract<Comprehension, { type: 'setcomprehension' }>): boolean {
  const [first, last = first] = body;
  if (!first || !last || body.length > 2 || !isVar(term) || body.some((expr) => expr.negated || expr.with.length > 0))
    return false;
  const isKey = (key: Term | undefined): boolean => isVar(key) && key.name === term.name;
  const declared = first.kind === 'some' ? first.symbols[0] : undefined;
  if (body.length === 1 && declared?.type === 'call') {
    const [key, , domain] = declared.args;
    return nameOf(declared) === 'internal.member_3' && isKey(key) && (isVar(domain) || domain?.type === 'ref');
  }
  if (last.kind !== 'term' || last.term.type !== 'ref' || (body.length === 2 && !isVar(declared))) return false;
  const vars = last.term.terms.slice(1).filter(({ type }) => type === 'var');
  return vars.length === 1 && isKey(vars[0]);
}
