/** Names that hide others. */

import { importName } from '../../../../compiler/index.js';
import { firstName } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isScalar, nameOf, staticName, textKeys } from '../tree.js';
import { namedVars } from '../variables.js';

export const nameRules: readonly LintRule[] = [
  {
    name: 'import-shadows-rule',
    category: 'bugs',
    finds: 'An import has the name of this rule',
    visit: ({ file, report }) => {
      const imported = new Set(file.documentImports.map(importName));
      return {
        rule: (rule) => {
          if (imported.has(staticName(rule))) report(rule.head.loc);
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
        if (file.module.regoVersion === 'v0' && firstName(head.ref[0]) === 'if') report(head.ref[0].loc);
      },
    }),
  },
  {
    name: 'rule-shadows-builtin',
    category: 'bugs',
    finds: 'The rule has the name of a built-in, or of its namespace',
    visit: ({ file, report }) => ({
      rule: ({ head }) => {
        if (file.builtinNames.first.has(firstName(head.ref[0]))) report(head.ref[0].loc);
      },
    }),
  },
  {
    name: 'var-shadows-builtin',
    category: 'bugs',
    finds: 'The variable has the name of a built-in, or of its namespace',
    visit: ({ file, report }) => ({
      rule: (rule) => {
        for (const { name, loc } of namedVars(file, rule)) if (file.builtinNames.first.has(name)) report(loc);
      },
    }),
  },
  {
    name: 'leaked-internal-reference',
    category: 'bugs',
    finds: 'An internal rule of another package is used',
    options: { 'include-test-files': false },
    visit: ({ file, options, report }) => {
      if (file.name.endsWith('_test.rego') && options['include-test-files'] !== true) return {};
      const imported = new Set(file.documentImports.map(importName));
      const isInternal = (name: string): boolean => name.startsWith('_');
      return {
        import: ({ path }) => {
          if (textKeys(path.terms.slice(1)).some(isInternal)) report(path.loc);
        },
        ref: (ref, place) => {
          const [head, ...rest] = ref.terms;
          const name = firstName(head);
          const isOutside = name === 'data' || (imported.has(name) && place.isGlobal(name));
          if (isOutside && rest.some((term) => isScalar(term) && term.type === 'string' && isInternal(term.value)))
            report(ref.loc);
        },
        call: (call) => {
          const [head, ...rest] = nameOf(call).split('.');
          if ((head === 'data' || imported.has(head!)) && rest.some(isInternal)) report(call.operator.loc);
        },
      };
    },
  },
];
