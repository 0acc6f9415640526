/** Rules that a team switches on. */

import { nameOfKey, type Package } from '../../../../compiler/index.js';
import type { FoundAt } from '../../frame/found-at.js';
import { foundAt, headRefAt } from '../../frame/lint-file.js';
import type { FileFacts, LintRule } from '../../frame/lint-rule.js';
import { importPath } from '../imports/imports.js';
import { isBinary, isChained, isScalar, isVar, lacksKeyword, patternOf, staticName, textsOf } from '../tree.js';
import { fitsOneLine } from './one-liner.js';

interface Documented {
  readonly path: string;
  readonly isInternal: boolean;
  readonly at: FoundAt;
  readonly isDocumented: boolean;
}

export const customRules: readonly LintRule[] = [
  {
    name: 'chained-rule-body',
    category: 'custom',
    isOff: true,
    finds: 'Write each body of a rule with its own head',
    visit: ({ report }) => ({
      rule: (rule) => {
        if (isChained(rule)) report(rule.loc);
      },
    }),
  },
  {
    name: 'disallow-rego-v1',
    category: 'custom',
    isOff: true,
    finds: 'The import of rego.v1 is not wanted here',
    visit: ({ file, report }) => ({
      package: ({ loc }: Package) => {
        if (file.module.imports.some((node) => importPath(node).join('.') === 'rego.v1')) report(loc);
      },
    }),
  },
  {
    name: 'forbidden-function-call',
    category: 'custom',
    isOff: true,
    finds: 'The function is not to be called',
    options: { 'forbidden-functions': [] },
    visit: ({ file, options, report }) => {
      const names = new Set(textsOf(options['forbidden-functions']));
      return {
        call: (call) => {
          if (names.has(file.builtinOf(call) ?? '')) report(call.operator.loc);
        },
      };
    },
  },
  {
    name: 'missing-metadata',
    category: 'custom',
    isOff: true,
    finds: 'The rule has no metadata',
    options: { 'except-package-path-pattern': '', 'except-rule-path-pattern': '' },
    collect: (file): readonly Documented[] =>
      file.module.rules
        .filter((rule) => !isChained(rule))
        .map((rule) => ({
          path: [...file.packagePath, staticName(rule)].join('.'),
          isInternal: rule.head.ref.some((term) => nameOfKey(term).startsWith('_')),
          at: headRefAt(rule),
          isDocumented: rule.annotations.length > 0,
        })),
    conclude: (files: readonly FileFacts<readonly Documented[]>[], { options, report }) => {
      const except = patternOf(options['except-rule-path-pattern']);
      const all = files.flatMap(({ file, facts }) => facts.map((rule) => ({ ...rule, file })));
      for (const [path, rules] of Map.groupBy(all, (rule) => rule.path)) {
        const isExcepted = except?.(path) === true || except?.(`data.${path}`) === true;
        if (!rules[0]!.isInternal && !isExcepted && !rules.some(({ isDocumented }) => isDocumented))
          report(rules[0]!.file, rules[0]!.at);
      }
    },
  },
  {
    name: 'one-liner-rule',
    category: 'custom',
    isOff: true,
    finds: 'The rule fits one line',
    unless: lacksKeyword('if'),
    options: { 'max-line-length': 120 },
    visit: ({ file, options, report }) => ({
      rule: (rule) => {
        if (fitsOneLine(rule, file, Number(options['max-line-length'] ?? 120))) report(foundAt(rule.head.loc));
      },
    }),
  },
  {
    name: 'prefer-value-in-head',
    category: 'custom',
    isOff: true,
    finds: 'The last expression only names the value of the head: write it there',
    options: { 'only-scalars': false, 'include-interpolated': false, 'except-var-names': [] },
    visit: ({ options, report }) => ({
      rule: (rule) => {
        const last = rule.body.at(-1);
        if (rule.generatedBody || !last || !isBinary(last, 'assign', 'eq')) return;
        const [left, right] = last.args;
        const { value, key } = rule.head;
        const named = value ?? key;
        if (
          !isVar(named) ||
          !isVar(left) ||
          named.name !== left.name ||
          textsOf(options['except-var-names']).includes(nameOfKey(left))
        )
          return;
        const isShort =
          isScalar(right) || (options['include-interpolated'] === true && right.type === 'templatestring');
        if (options['only-scalars'] !== true || isShort) report(right);
      },
    }),
  },
];
