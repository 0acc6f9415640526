/** Names that hide others. */

import { importName, nameOfKey, plainName, type RefTerm } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';

export const nameRules: readonly LintRule[] = [
  {
    name: 'import-shadows-rule',
    category: 'bugs',
    finds: 'An import has the name of this rule',
    visit: ({ file, report }) => {
      const imported = new Set(file.documentImports.filter(({ path }) => path.terms.length > 1).map(importName));
      return {
        rule: ({ head }) => {
          if (head.ref.length === 1 && imported.has(nameOfKey(head.ref[0]))) report(head.loc);
        },
      };
    },
  },
  {
    name: 'rule-named-if',
    category: 'bugs',
    finds: 'A rule is called if: the import of the keyword is missing',
    visit: ({ file, report }) => ({
      rule: ({ head }) => {
        if (file.module.regoVersion === 'v0' && nameOfKey(head.ref[0]) === 'if') report(head.ref[0].loc);
      },
    }),
  },
  {
    name: 'rule-shadows-builtin',
    category: 'bugs',
    finds: 'The rule has the name of a built-in, or of its namespace',
    visit: ({ file, report }) => ({
      rule: ({ head }) => {
        if (head.ref.length === 1 && file.builtinNames.first.has(nameOfKey(head.ref[0]))) report(head.ref[0].loc);
      },
    }),
  },
  {
    name: 'var-shadows-builtin',
    category: 'bugs',
    finds: 'The variable has the name of a built-in, or of its namespace',
    visit: ({ file, report }) => ({
      rule: (rule) => {
        for (const { name, loc } of file.varsOf(rule).named) if (file.builtinNames.first.has(name)) report(loc);
      },
    }),
  },
  {
    name: 'leaked-internal-reference',
    category: 'bugs',
    finds: 'An internal rule of another package is used',
    options: { 'include-test-files': false },
    visit: ({ file, options, report }) => {
      const isTest = file.name.endsWith('_test.rego') || file.name === 'test.rego';
      if (isTest && options['include-test-files'] !== true) return {};
      const check = (ref: RefTerm): void => {
        if (ref.terms.some((term) => term.type === 'string' && isInternal(term.value))) report(ref);
      };
      return {
        import: ({ path }) => check(path),
        ref: check,
        call: ({ operator }) => check(operator),
      };
    },
  },
];

/** Whether a name says that a rule is for its package alone. */
function isInternal(name: string): boolean {
  return name.startsWith('_') && plainName.test(name);
}
