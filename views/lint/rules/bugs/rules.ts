/** Faults of rules as a whole. */

import type { Rule, Term, VarTerm } from '../../../../compiler/index.js';
import { CompileErrors, equalTerms, parseModule, printRule } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isGenerated } from '../../frame/walk-file.js';
import { countName, isChained, isScalar, ruleName, staticName } from '../tree.js';

/** Whether a rule of version 0 is one of version 1 too: others are not compared. */
function isReadAsV1({ loc }: Rule): boolean {
  try {
    return parseModule('', `package p\n\n${loc.text}`, { regoVersion: 'v1' }).rules.length > 0;
  } catch (error) {
    if (error instanceof CompileErrors) return false;
    throw error;
  }
}

/** A scalar or an empty collection: others are written out on purpose. */
function isPlain(term: Term): boolean {
  if (term.type === 'object') return term.entries.length === 0;
  return isScalar(term) || ((term.type === 'array' || term.type === 'set') && term.items.length === 0);
}

export const wholeRules: readonly LintRule[] = [
  {
    name: 'duplicate-rule',
    category: 'bugs',
    finds: 'The rule is written more than once',
    visit: ({ file, report }) => ({
      file: () => {
        const rules = file.module.rules.filter((rule) => !rule.default && !isChained(rule));
        const alike = Map.groupBy(rules, ({ loc }) => loc.text.replace(/\s+/g, ''));
        for (const [first, ...rest] of alike.values()) {
          if (rest.length === 0 || (file.module.regoVersion === 'v0' && !isReadAsV1(first!))) continue;
          // Blanks within texts count.
          const others = rest.filter((rule) => printRule(rule) === printRule(first!));
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
          const fallback = rule.default ? undefined : defaults.get(staticName(rule))?.head.value;
          if (value && fallback && !isGenerated(value, rule) && isPlain(value) && equalTerms(value, fallback))
            report(value);
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
    visit: ({ file, report }) => ({
      ref: (ref, place) => {
        for (const node of place.outputsOf(ref)) {
          // A rule that has several variables in refs is not looked at.
          if (file.varsOf(place.rule).inRefs.size > 1) continue;
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
