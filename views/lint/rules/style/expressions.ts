/** Expressions that could be plainer. */

import { isWildcard, type Rule, type Term } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import {
  comparisons,
  isBinary,
  isScalar,
  isSign,
  isStaticRef,
  isVar,
  leftAndSign,
  nameOf,
  ruleName,
  textsOf,
} from '../tree.js';
import { outsideNames } from './outside-names.js';

export const expressionRules: readonly LintRule[] = [
  {
    name: 'comprehension-term-assignment',
    category: 'style',
    finds: 'Write the value in the place of the variable',
    visit: ({ report }) => ({
      comprehension: (node) => {
        const terms = node.type === 'objectcomprehension' ? [node.key, node.value] : [node.term];
        const names = new Set(terms.flatMap((term) => (isVar(term) ? [term.name] : [])));
        if (node.body.length < 2) return;
        for (const expr of node.body) {
          if (!isBinary(expr, 'assign')) continue;
          const [left, right] = expr.args;
          if (isVar(left) && names.has(left.name) && (isVar(right) || isStaticRef(right))) report(leftAndSign(expr));
        }
      },
    }),
  },
  {
    name: 'double-negative',
    category: 'style',
    finds: 'A negated name stands under not: name what is the case',
    visit: ({ report }) => ({
      expr: (expr) => {
        if (
          expr.kind === 'term' &&
          expr.negated &&
          isVar(expr.term) &&
          /^(no|not|non|cannot|without)_/.test(expr.term.name)
        )
          report(expr.loc);
      },
    }),
  },
  {
    name: 'external-reference',
    category: 'style',
    finds: 'The function reads what is none of its arguments',
    options: { 'max-allowed': 2 },
    visit: ({ file, options, report }) => ({
      rule: (rule) => {
        if (rule.head.args === undefined) return;
        const vars = file.varsOf(rule);
        const isOwn = (name: string): boolean =>
          isWildcard(name) || vars.has(name) || file.functionNames.has(name) || file.builtinNames.first.has(name);
        const outside = outsideNames(rule, isOwn);
        if (outside.length > Number(options['max-allowed'] ?? 2)) for (const { loc } of outside) report(loc);
      },
    }),
  },
  {
    name: 'function-arg-return',
    category: 'style',
    finds: 'Assign the result: do not pass a variable for it',
    options: { 'except-functions': ['walk'] },
    visit: ({ file, options, report }) => {
      const except = new Set([...textsOf(options['except-functions']), 'print']);
      const own = new Map(file.module.rules.map((rule) => [ruleName(rule), rule.head.args?.length]));
      return {
        expr: (expr) => {
          if (expr.kind !== 'call' || isSign(expr)) return;
          const name = nameOf(expr);
          const builtin = file.builtinOf(expr) === undefined ? undefined : file.builtins.of(expr.operator);
          const arity = builtin === undefined ? own.get(name) : builtin.variadic ? undefined : builtin.args.length;
          // Calls among the operands are not counted.
          const operands = expr.args.filter(({ type }) => type !== 'call');
          if (arity !== undefined && operands.length > arity && !except.has(name)) report(operands.at(-1)!);
        },
      };
    },
  },
  {
    name: 'pointless-reassignment',
    category: 'style',
    finds: 'The variable is another name of the same value',
    visit: ({ report }) => ({
      rule: (rule) => {
        const { value, args, ref } = rule.head;
        if (rule.generatedBody && args === undefined && ref.length === 1 && isVar(value)) report(rule.loc);
      },
      expr: (expr) => {
        if (isBinary(expr, 'assign') && expr.with.length === 0 && expr.args.every(({ type }) => type === 'var'))
          report(leftAndSign(expr));
      },
    }),
  },
  {
    name: 'unconditional-assignment',
    category: 'style',
    finds: 'The body only assigns the value of the rule: write it in the head',
    visit: ({ report }) => ({
      rule: (rule) => {
        const [expr] = rule.body;
        if (rule.generatedBody || rule.body.length !== 1 || !expr || expr.with.length > 0) return;
        if (!isBinary(expr, 'assign', 'eq')) return;
        const [left] = expr.args;
        const named = assignedPart(rule);
        if (isVar(left) && isVar(named) && left.name === named.name) report(leftAndSign(expr));
      },
    }),
  },
  {
    name: 'unnecessary-some',
    category: 'style',
    finds: 'No variable is declared: leave some out',
    visit: ({ report }) => ({
      some: (some) => {
        for (const symbol of some.symbols)
          if (symbol.type === 'call' && symbol.args.slice(0, -1).every(isScalar)) report(symbol);
      },
    }),
  },
  {
    name: 'yoda-condition',
    category: 'style',
    finds: 'Write the constant on the right side',
    visit: ({ report }) => ({
      call: (call) => {
        const [left, right] = call.args;
        if (!comparisons.has(nameOf(call)) || !left || !right || !isScalar(left) || isScalar(right)) return;
        if (!hasVarBehindFirst(right)) report(leftAndSign(call));
      },
    }),
  },
];

/** The key of a head, or else its value, where no `else` follows. */
function assignedPart({ head, else: next }: Rule): Term | undefined {
  const { args, value, ref } = head;
  const key = head.key ?? (ref.length === 2 && args === undefined ? ref[1] : undefined);
  return key ?? (next === undefined ? value : undefined);
}

/** Whether one of three or more parts of a term, the first excepted, is a variable. */
function hasVarBehindFirst(term: Term): boolean {
  const parts = partsOf(term);
  return parts.length > 2 && parts.slice(1).some(({ type }) => type === 'var');
}

function partsOf(term: Term): readonly Term[] {
  if (term.type === 'ref') return term.terms;
  if (term.type === 'call') return [term.operator, ...term.args];
  return term.type === 'array' || term.type === 'set' ? term.items : [];
}
