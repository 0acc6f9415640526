/** Faults of definitions and calls of functions. */

import { type Rule, type Term, type VarTerm, walk } from '../../../../compiler/index.js';
import { between, foundAt, headRefAt } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isAnyWildcard, isBinary, isInterpolated, isSign, isVar, nameOf, patternOf, ruleName } from '../tree.js';
import { missingArguments } from './sprintf.js';

/** The definitions of each function of a file. */
function functionsOf(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  return [
    ...Map.groupBy(
      rules.filter(({ head }) => (head.args?.length ?? 0) > 0),
      ruleName,
    ).values(),
  ];
}

/**
 * The definition that shows the fault: the first with metadata, else the first with a body, else
 * the first, by their places as texts, as the reference sorts them.
 */
function leastDefinition(definitions: readonly Rule[]): Rule {
  const keyOf = ({ annotations, generatedBody, default: isDefault, body, head }: Rule): string => {
    const rank = annotations.length > 0 ? 0 : isDefault ? 2 : generatedBody ? 3 : 1;
    const { row, col } = foundAt(rank === 1 ? body[0]!.loc : head.args![0]!.loc);
    return `${rank} ${row}:${col}`;
  };
  return definitions.reduce((least, each) => (keyOf(each) < keyOf(least) ? each : least));
}

/** The text that a rule assigns to a variable above its use. */
function assignedText(node: VarTerm, rule: Rule): Term | undefined {
  let found: Term | undefined;
  walk(rule, (each) => {
    if (found || each.type !== 'expr' || !isBinary(each, 'assign') || each.loc.row >= node.loc.row) return;
    const [left, right] = each.args;
    if (left.type === 'var' && left.name === node.name && right.type === 'string') found = right;
  });
  return found;
}

export const functionRules: readonly LintRule[] = [
  {
    name: 'argument-always-wildcard',
    category: 'bugs',
    finds: 'No definition of the function uses this argument',
    options: { 'except-function-name-pattern': '^mock_' },
    visit: ({ file, options, report }) => ({
      file: () => {
        const except = patternOf(options['except-function-name-pattern']);
        for (const definitions of functionsOf(file.module.rules)) {
          if (except?.(ruleName(definitions[0]!))) continue;
          const shown = leastDefinition(definitions);
          shown.head.args!.forEach((arg, i) => {
            if (definitions.every(({ head }) => isAnyWildcard(head.args![i]))) report(arg);
          });
        }
      },
    }),
  },
  {
    name: 'inconsistent-args',
    category: 'bugs',
    finds: 'The arguments have other names in another definition',
    visit: ({ file, report }) => ({
      file: () => {
        for (const definitions of functionsOf(file.module.rules)) {
          const [first, second] = definitions.map(({ head }) => head.args!);
          // Other numbers of arguments are an error of the compiler.
          if (!first || !second || definitions.some(({ head }) => head.args!.length !== first.length)) continue;
          const isOther = (_: Term, i: number): boolean =>
            new Set(definitions.flatMap(({ head }) => (isVar(head.args![i]) ? [head.args![i].name] : []))).size > 1;
          if (first.some(isOther)) report(between(second[0]!.loc, second.at(-1)!));
        }
      },
    }),
  },
  {
    name: 'sprintf-arguments-mismatch',
    category: 'bugs',
    finds: 'The format of sprintf and its list of values do not fit each other',
    unless: ({ builtins }) => (builtins.has('sprintf') ? undefined : 'the built-in sprintf is not there'),
    isLeftOutSilently: true,
    visit: ({ report }) => ({
      call: (call, { rule }) => {
        const [format, values] = call.args;
        if (nameOf(call) !== 'sprintf' || !format || values?.type !== 'array') return;
        const text = format.type === 'var' ? assignedText(format, rule) : format;
        if (text?.type === 'string' && missingArguments(text.value, values.items.length))
          report(between(format.loc, values));
      },
    }),
  },
  {
    name: 'time-now-ns-twice',
    category: 'bugs',
    finds: 'The time is the same during a decision: ask for it once',
    visit: ({ report }) => {
      let last: Rule | undefined;
      return {
        call: (call, { rule }) => {
          if (nameOf(call) !== 'time.now_ns') return;
          if (rule === last) report(call.operator.loc);
          last = rule;
        },
      };
    },
  },
  {
    name: 'unassigned-return-value',
    category: 'bugs',
    finds: 'The result of the function is not used',
    visit: ({ file, report }) => ({
      expr: (expr, place) => {
        if (expr.kind !== 'call' || isSign(expr) || isInterpolated(place)) return;
        const builtin = file.builtinOf(expr) === undefined ? undefined : file.builtins.of(expr.operator);
        if (builtin === undefined || builtin.relation === true || builtin.result === undefined) return;
        if (expr.args.length <= builtin.args.length && builtin.result.type !== 'boolean') report(expr.operator.loc);
      },
    }),
  },
  {
    name: 'zero-arity-function',
    category: 'bugs',
    isOff: true,
    finds: 'The parentheses are empty: a function without arguments is a rule',
    visit: ({ report }) => ({
      rule: (rule) => {
        const { loc } = rule.head.ref.at(-1)! as Term;
        if (rule.head.args === undefined && /^\]?\s*\(\s*\)/.test(loc.source.text.slice(loc.end, rule.loc.end)))
          report(headRefAt(rule));
      },
    }),
  },
];
