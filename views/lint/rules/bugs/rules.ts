/** Faults of rules as a whole. */

import type { Rule, VarTerm } from '../../../../compiler/index.js';
import { equalTerms } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isGenerated } from '../../frame/walk-file.js';
import { countName, isLiteral, ruleName } from '../tree.js';

export const wholeRules: readonly LintRule[] = [
  {
    name: 'duplicate-rule',
    category: 'bugs',
    finds: 'The rule is written more than once',
    visit: ({ file, report }) => ({
      file: () => {
        const same = Map.groupBy(file.module.rules, ({ loc }) => loc.text.replace(/\s+/g, ''));
        for (const [first, ...others] of same.values()) {
          const rows = others.map(({ loc }) => loc.row);
          if (rows.length > 0)
            report(first!.loc, `The rule is written again in ${rows.length > 1 ? 'rows' : 'row'} ${rows.join(', ')}`);
        }
      },
    }),
  },
  {
    name: 'rule-assigns-default',
    category: 'bugs',
    finds: 'The rule has the value of its default',
    visit: ({ file, report }) => {
      const defaults = new Map<string, Rule>();
      for (const rule of file.module.rules) if (rule.default) defaults.set(ruleName(rule), rule);
      return {
        rule: (rule) => {
          const { value } = rule.head;
          const fallback = rule.default ? undefined : defaults.get(ruleName(rule))?.head.value;
          if (value && fallback && !isGenerated(value, rule) && isLiteral(value) && equalTerms(value, fallback))
            report(value.loc);
        },
      };
    },
  },
  {
    name: 'top-level-iteration',
    category: 'bugs',
    finds: 'The value of the rule takes the elements of a collection in turn: more than one conflict',
    visit: ({ file, report }) => ({
      rule: (rule) => {
        const { value, ref, args = [], loc } = rule.head;
        if (value?.type !== 'ref' || ref.slice(1).some(({ type }) => type === 'var')) return;
        const names = new Set(args.flatMap((arg) => (arg.type === 'var' ? [arg.name] : [])));
        const isFree = ({ name }: VarTerm): boolean =>
          !names.has(name) && !file.globals.has(name) && name !== 'input' && countName(rule.body, name) === 0;
        if (value.terms.slice(1).some((term) => term.type === 'var' && isFree(term))) report(loc);
      },
    }),
  },
  {
    name: 'unused-output-variable',
    category: 'bugs',
    finds: 'The variable gets a value that nothing uses: write _',
    visit: ({ report }) => ({
      ref: (ref, place) => {
        for (const node of place.outputsOf(ref)) {
          if (node.name.startsWith('$') || place.body === undefined || place.isWithin(({ type }) => type === 'call'))
            continue;
          if (place.isWithin((each) => each.type === 'expr' && each.kind === 'call')) continue;
          if (place.node.type === 'expr' && place.node.kind === 'call') continue;
          if (countName([place.rule], node.name) === 1) report(node.loc);
        }
      },
    }),
  },
];
