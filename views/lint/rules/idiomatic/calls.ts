/** Calls that other built-ins and operators replace. */

import { equalTerms, type Term } from '../../../../compiler/index.js';
import type { Call } from '../../frame/found-at.js';
import { between } from '../../frame/lint-file.js';
import type { LintRule, RuleOptions } from '../../frame/lint-rule.js';
import { patternArguments } from '../regex-calls.js';
import { isBinary, isScalar, nameOf } from '../tree.js';

export const callRules: readonly LintRule[] = [
  {
    name: 'non-raw-regex-pattern',
    category: 'idiomatic',
    finds: 'Write regular expressions in back ticks: nothing is escaped there',
    isFixable: true,
    visit: ({ file, report }) => ({
      call: (call) => {
        for (const pattern of patternArguments(call, file))
          if (pattern.type === 'string' && pattern.loc.text.startsWith('"')) report(pattern);
      },
    }),
  },
  {
    name: 'single-item-in',
    category: 'idiomatic',
    finds: 'The collection has one element: compare with it',
    visit: ({ report }) => ({
      call: (call) => {
        if (nameOf(call) !== 'internal.member_2') return;
        const items = call.args[1];
        const isSingle =
          ((items?.type === 'array' || items?.type === 'set') && items.items.length === 1) ||
          (items?.type === 'object' && items.entries.length === 1);
        if (isSingle) report(call.operator.loc);
      },
    }),
  },
  {
    name: 'superfluous-object-get',
    category: 'idiomatic',
    finds: 'The default of object.get never equals the other side: a plain ref does',
    visit: ({ report }) => ({
      expr: (expr) => {
        if (!isBinary(expr, 'equal')) return;
        const [left, right] = expr.args;
        for (const [get, other] of [
          [left, right],
          [right, left],
        ] as const) {
          const fallback = get.type === 'call' && nameOf(get) === 'object.get' ? get.args[2] : undefined;
          if (fallback === undefined || fallback.type === 'var' || fallback.type === 'ref') continue;
          if (!isSame(fallback, other)) report(get);
        }
      },
    }),
  },
  nested('use-array-flatten', ['array.concat', 'array.flatten'], 'array.flatten joins several arrays', {
    'flag-wrapped-concat': false,
    'flag-all-concat': false,
  }),
  nested('use-object-union-n', ['object.union', 'object.union_n'], 'object.union_n joins several objects', {
    'flag-all-union': false,
  }),
  {
    name: 'use-strings-count',
    category: 'idiomatic',
    finds: 'strings.count counts without a list of places',
    unless: ({ builtins }) => (builtins.has('strings.count') ? undefined : 'the built-in strings.count is not there'),
    visit: ({ report }) => ({
      call: (call) => {
        const [inner] = call.args;
        if (nameOf(call) !== 'count' || inner?.type !== 'call' || nameOf(inner) !== 'indexof_n') return;
        report(between(call.operator.loc, inner));
      },
    }),
  },
];

/** Whether two terms are the same scalar, or both an empty collection of one type. */
function isSame(one: Term, other: Term): boolean {
  if (one.type === 'object') return other.type === 'object' && one.entries.length + other.entries.length === 0;
  if (one.type === 'array' || one.type === 'set')
    return one.type === other.type && one.items.length + other.items.length === 0;
  return isScalar(one) && equalTerms(one, other);
}

/** A rule about calls of a function of two within each other. */
function nested(
  name: string,
  [builtin, better]: readonly [string, string],
  finds: string,
  options: RuleOptions,
): LintRule {
  return {
    name,
    category: 'idiomatic',
    finds,
    options,
    unless: ({ builtins }) => (builtins.has(better) ? undefined : `the built-in ${better} is not there`),
    isLeftOutSilently: true,
    visit: ({ file, options: given, report }) => ({
      call: (call) => {
        if (file.builtinOf(call) !== builtin) return;
        const isAll = given['flag-all-concat'] === true || given['flag-all-union'] === true;
        const isWrapped = given['flag-wrapped-concat'] === true && call.args.some(({ type }) => type === 'array');
        if (isAll || isWrapped || hasCallOf(call, builtin)) report(call.operator.loc);
      },
    }),
  };
}

function hasCallOf(call: Call, name: string): boolean {
  return call.args.some((arg) => arg.type === 'call' && nameOf(arg) === name);
}
