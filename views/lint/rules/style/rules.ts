/** Rules as a whole: names, order, length, defaults. */

import { equalTerms, type Rule } from '../../../../compiler/index.js';
import type { FoundAt } from '../../frame/found-at.js';
import type { LintFile } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { isGenerated } from '../../frame/walk-file.js';
import { hasTestName, isChained, isLiteral, isStaticRef, partAt, ruleName, staticName } from '../tree.js';

export const ruleRules: readonly LintRule[] = [
  {
    name: 'avoid-get-and-list-prefix',
    category: 'style',
    finds: 'A rule is a value: its name needs no get_ or list_',
    visit: ({ report }) => ({
      rule: (rule) => {
        if (/^(get|list)_/.test(ruleName(rule)) && !isChained(rule)) report(rule.head.loc);
      },
    }),
  },
  {
    name: 'default-over-else',
    category: 'style',
    finds: 'Write the value of the last else as a default',
    options: { 'prefer-default-functions': false },
    visit: ({ options, report }) => ({
      link: (link, { rule }) => {
        if (link === rule || !link.generatedBody || link.else !== undefined) return;
        if (rule.head.args !== undefined && options['prefer-default-functions'] !== true) return;
        const { value } = link.head;
        if (value && !isGenerated(value, link) && isLiteral(value)) report(link.loc);
      },
    }),
  },
  {
    name: 'default-over-not',
    category: 'style',
    finds: 'Write the value for the case that there is none as a default',
    visit: ({ file, report }) => ({
      rule: (rule) => {
        const [expr] = rule.body;
        const { value, args } = rule.head;
        if (args !== undefined || rule.generatedBody || rule.default || !value || !isLiteral(value)) return;
        if (rule.body.length !== 1 || expr?.kind !== 'term' || !expr.negated || !isStaticRef(expr.term)) return;
        const { term, loc } = expr;
        const isValue = ({ head, generatedBody }: Rule): boolean =>
          generatedBody && head.value !== undefined && equalTerms(head.value, term);
        if (sameName(file, rule).some(isValue)) report(loc);
      },
    }),
  },
  {
    name: 'messy-rule',
    category: 'style',
    finds: 'Other rules stand between the rules of this name',
    visit: ({ report }) => {
      const seen = new Set<string>();
      let last: string | undefined;
      return {
        rule: (rule) => {
          const name = staticName(rule);
          const isTest = hasTestName(rule) || name.startsWith('todo_test_');
          if (!isTest && name !== last && seen.has(name)) report(rule.default ? defaultAt(rule) : rule.loc);
          seen.add(name);
          last = name;
        },
      };
    },
  },
  {
    name: 'rule-length',
    category: 'style',
    finds: 'The rule is too long',
    options: { 'max-rule-length': 30, 'max-test-rule-length': 60, 'count-comments': false, 'except-empty-body': true },
    visit: ({ file, options, report }) => ({
      rule: (rule) => {
        // A default's place is its word alone.
        if (rule.default || (rule.generatedBody && options['except-empty-body'] === true)) return;
        const first = rule.loc.row;
        const last = rule.loc.endPosition.row;
        const lines = file.lines.slice(first - 1, last);
        const counted = options['count-comments'] === true ? lines : lines.filter((line) => !/^\s*#/.test(line));
        const most = options[hasTestName(rule) ? 'max-test-rule-length' : 'max-rule-length'];
        if (typeof most === 'number' && counted.length > most) report(rule.head.loc);
      },
    }),
  },
  {
    name: 'rule-name-repeats-package',
    category: 'style',
    finds: 'The name of the rule repeats the path of its package',
    visit: ({ file, report }) => {
      const prefixes = prefixesOf(file.packagePath);
      return {
        rule: (rule) => {
          const [first] = rule.head.ref;
          const name = first.type === 'var' ? first.name : '';
          if (!isChained(rule) && prefixes.some((prefix) => name.startsWith(prefix))) report(first.loc);
        },
      };
    },
  },
  {
    name: 'trailing-default-rule',
    category: 'style',
    finds: 'The default stands above its rule',
    visit: ({ report }) => {
      const seen = new Set<string>();
      return {
        rule: (rule) => {
          const name = staticName(rule);
          if (rule.default && seen.has(name)) report(defaultAt(rule));
          seen.add(name);
        },
      };
    },
  },
];

/** The word `default`, which stands for its rule. */
function defaultAt({ loc }: Rule): FoundAt {
  return partAt(loc, loc.start, loc.start + 'default'.length);
}

function sameName(file: LintFile, rule: Rule): readonly Rule[] {
  const name = ruleName(rule);
  return file.module.rules.filter((other) => other !== rule && ruleName(other) === name);
}

/** The ends of a path in both spellings: `harbor_gate`, `harborGate`, `gate`. */
function prefixesOf(path: readonly string[]): readonly string[] {
  const ends = path.map((_, i) => path.slice(i));
  return [...new Set(ends.flatMap((end) => [end.join('_'), camel(end)]))].filter((prefix) => prefix !== '');
}

function camel(parts: readonly string[]): string {
  return parts.map((part, i) => (i === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join('');
}
