/** Tests, and what is left of searching for faults. */

import type { Rule } from '../../../../compiler/index.js';
import { headRefAt } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isChained, isTest, nameOf, ruleName } from '../tree.js';

/** Names that say nothing. */
const placeholders: ReadonlySet<string> = new Set([
  'foobar',
  'foo',
  'bar',
  'baz',
  'qux',
  'quux',
  'corge',
  'grault',
  'garply',
  'waldo',
  'fred',
  'plugh',
  'xyzzy',
  'thud',
]);

export const testingRules: readonly LintRule[] = [
  {
    name: 'dubious-print-sprintf',
    category: 'testing',
    finds: 'A print prints nothing where sprintf is undefined: give print the values themselves',
    visit: ({ report }) => ({
      call: (call) => {
        if (nameOf(call) !== 'print') return;
        const [arg] = call.args;
        if (arg?.type === 'call' && nameOf(arg) === 'sprintf') report(arg.operator.loc);
      },
    }),
  },
  {
    name: 'file-missing-test-suffix',
    category: 'testing',
    finds: 'The file has tests, but its name does not end in _test.rego',
    unless: ({ isStdin }) => (isStdin ? 'standard input has no name' : undefined),
    visit: ({ file, report }) => ({
      file: () => {
        const isNamed = file.name.endsWith('_test.rego') || file.name === 'test.rego';
        if (!isNamed && file.module.rules.some(isTest)) report({ row: 0, col: 0, text: null });
      },
    }),
  },
  {
    name: 'identically-named-tests',
    category: 'testing',
    finds: 'Another test has the same name',
    visit: ({ file, report }) => ({
      file: () => {
        for (const group of Map.groupBy(file.module.rules.filter(isTest), ruleName).values())
          if (group.length > 1) report(headRefAt(group.at(-1)!));
      },
    }),
  },
  {
    name: 'metasyntactic-variable',
    category: 'testing',
    finds: 'The name says nothing about the value',
    visit: ({ file, report }) => {
      const isPlaceholder = (name: string): boolean => placeholders.has(name.toLowerCase());
      return {
        rule: (rule) => {
          for (const node of file.varsOf(rule).named)
            if (isPlaceholder(node.name) && file.varsOf(rule).isOutput(node)) report(node.loc);
          if (isChained(rule)) return;
          for (const part of namedParts(rule)) if (isPlaceholder(part.name)) report(part.loc);
        },
      };
    },
  },
  {
    name: 'print-or-trace-call',
    category: 'testing',
    finds: 'A print or trace was left behind',
    visit: ({ file, report }) => ({
      call: (call) => {
        const name = file.builtinOf(call);
        if (name === 'print' || name === 'trace') report(call.operator.loc);
      },
    }),
  },
  {
    name: 'test-outside-test-package',
    category: 'testing',
    finds: 'Tests stand in a package that ends in _test',
    visit: ({ file, report }) => {
      const name = file.packagePath.join('.');
      if (name.endsWith('_test') || name === 'test') return {};
      return {
        rule: (rule) => {
          if (isTest(rule)) report(headRefAt(rule));
        },
      };
    },
  },
  {
    name: 'todo-test',
    category: 'testing',
    finds: 'The test is switched off',
    visit: ({ report }) => ({
      rule: (rule) => {
        if (rule.head.args === undefined && ruleName(rule).startsWith('todo_test_')) report(headRefAt(rule));
      },
    }),
  },
];

function namedParts({ head }: Rule) {
  return head.ref.flatMap((part, i) =>
    part.type === 'var' && i === 0 ? [part] : part.type === 'string' ? [{ name: part.value, loc: part.loc }] : [],
  );
}
