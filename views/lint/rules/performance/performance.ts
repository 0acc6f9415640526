/** Work that a decision could do without, or do less often. */

import type { Rule, Term } from '../../../../compiler/index.js';
import { between } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { countName, hasTestName, isAnyWildcard, isBinary, isVar, nameOf, partAt, ruleName, uses } from '../tree.js';
import { Loops } from './loops.js';

export const performanceRules: readonly LintRule[] = [
  {
    name: 'defer-assignment',
    category: 'performance',
    finds: 'The expression below does not need this value: assign it later',
    visit: ({ report }) => ({
      rule: (rule) => {
        if (rule.generatedBody) return;
        rule.body.forEach((expr, i) => {
          const next = rule.body[i + 1];
          if (!next || !isBinary(expr, 'assign') || next.kind !== 'call') return;
          const [left, right] = expr.args;
          if (left.type !== 'var' || isRefWithVars(right) || ['assign', 'print', 'walk'].includes(nameOf(next))) return;
          const names = new Set([left.name]);
          if (!uses(next, names) && !headTerms(rule).some((term) => uses(term, names))) report(expr.loc);
        });
      },
    }),
  },
  {
    name: 'equals-over-count',
    category: 'performance',
    isOff: true,
    finds: 'Compare with the empty collection: nothing is counted',
    visit: ({ report }) => ({
      call: (call) => {
        const [left, right] = call.args;
        if (!['equal', 'neq', 'gt'].includes(nameOf(call)) || right?.type !== 'number' || right.text !== '0') return;
        if (left?.type === 'call' && nameOf(left) === 'count') report(between(left.loc, right));
      },
    }),
  },
  {
    name: 'non-loop-expression',
    category: 'performance',
    finds: 'The expression is the same in each turn of the loop: move it out',
    visit: ({ file, report }) => ({
      rule: (rule) => {
        const loops = new Loops(rule, file);
        for (const expr of loops.expressions) if (loops.isOutside(expr)) report(expr.loc);
      },
    }),
  },
  {
    name: 'walk-no-path',
    category: 'performance',
    finds: 'The path is not used: write _, so that none is built',
    visit: ({ report }) => ({
      call: (call, place) => {
        const pattern = walkPattern(call.args, nameOf(call));
        const path = pattern?.type === 'array' && pattern.items.length === 2 ? pattern.items[0] : undefined;
        if (isVar(path) && countName([place.rule], path.name) === 1)
          report((nameOf(call) === 'walk' ? call : (call.args[1] as Extract<Term, { type: 'call' }>)).operator.loc);
      },
    }),
  },
  {
    name: 'with-outside-test-context',
    category: 'performance',
    finds: 'A decision with other documents is made anew each time: only tests need it',
    visit: ({ report }) => ({
      expr: (expr, { rule }) => {
        if (hasTestName(rule) || ruleName(rule).startsWith('todo_test')) return;
        for (const { loc } of expr.with) report(partAt(loc, loc.start, loc.start + 'with'.length));
      },
    }),
  },
];

function isRefWithVars(term: Term): boolean {
  return term.type === 'ref' && term.terms.slice(1).some(({ type }) => type === 'var');
}

/** The terms of a head whose variables the body must give a value: no calls and closures. */
function headTerms({ head }: Rule): readonly Term[] {
  const types = new Set(['var', 'array', 'object', 'set', 'ref']);
  return [...head.ref.slice(1), head.key, head.value].filter(
    (term) => term !== undefined && types.has(term.type),
  ) as Term[];
}

/** The pattern that takes paths and values of a `walk`. */
function walkPattern(args: readonly Term[], name: string): Term | undefined {
  if (name === 'walk') return args[1];
  const [left, right] = args;
  if ((name !== 'eq' && name !== 'assign') || right?.type !== 'call' || nameOf(right) !== 'walk') return undefined;
  return right.args.length === 1 && !isAnyWildcard(left) ? left : undefined;
}
