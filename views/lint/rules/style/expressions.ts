/** Expressions that could be plainer. */

import type { Expr, Term } from '../../../../compiler/ast/nodes.js';
import { firstName } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import type { Place } from '../../frame/place.js';
import { argumentVars } from '../../frame/scope.js';
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
          if (isVar(left) && names.has(left.name) && isStaticRef(right)) report(leftAndSign(expr));
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
    visit: ({ options, report }) => ({
      rule: (rule, place) => {
        if (rule.head.args === undefined) return;
        const own = new Set(rule.head.args.flatMap(argumentVars).map(({ name }) => name));
        const heads = rule.generatedBody ? [] : rule.body.flatMap(directHeads);
        const outside = heads.filter((term) => !own.has(firstName(term)) && place.isGlobal(firstName(term)));
        if (new Set(outside.map(firstName)).size > Number(options['max-allowed']))
          for (const { loc } of outside) report(loc);
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
          if (arity !== undefined && expr.args.length > arity && !except.has(name)) report(expr.args.at(-1)!.loc);
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
        const { value, args } = rule.head;
        if (rule.generatedBody && args === undefined && isVar(value)) report(rule.loc);
      },
      expr: (expr) => {
        if (isBinary(expr, 'assign') && expr.with.length === 0 && expr.args.every(isVar)) report(leftAndSign(expr));
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
        const { value = rule.head.key, ref } = rule.head;
        if (
          rule.generatedBody ||
          !ref.slice(1).every(isScalar) ||
          rule.else !== undefined ||
          rule.body.length !== 1 ||
          !expr ||
          expr.with.length > 0
        )
          return;
        if (!isBinary(expr, 'assign', 'eq')) return;
        const [left] = expr.args;
        if (isVar(left) && isVar(value) && left.name === value.name) report(leftAndSign(expr));
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
          if (symbol.type === 'call' && symbol.args.slice(0, -1).every(isScalar)) report(symbol.loc);
      },
    }),
  },
  {
    name: 'yoda-condition',
    category: 'style',
    finds: 'Write the constant on the right side',
    visit: ({ report }) => ({
      call: (call, place) => {
        const [left, right] = call.args;
        if (!comparisons.has(nameOf(call)) || !left || !right || !isScalar(left) || isScalar(right)) return;
        if (!(right.type === 'ref' && iteratesHere(right, place))) report(leftAndSign(call));
      },
    }),
  },
];

function iteratesHere(ref: Extract<Term, { type: 'ref' }>, place: Place): boolean {
  return place.outputsOf(ref).length > 0;
}

/** The heads of refs and variables that are operands of an expression. */
function directHeads(expr: Expr): readonly Term[] {
  const terms = expr.kind === 'call' ? expr.args : expr.kind === 'term' ? [expr.term] : [];
  return terms.flatMap((term) => (term.type === 'ref' ? [term.terms[0]] : isVar(term) ? [term] : []));
}
