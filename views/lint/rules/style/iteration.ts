/** How iteration and assignment are written. */

import type { RefTerm, Rule } from '../../../../compiler/ast/nodes.js';
import type { LintRule, RuleOptions } from '../../frame/lint-rule.js';
import type { Place } from '../../frame/place.js';
import { isGenerated } from '../../frame/walk-file.js';
import { isChained, isScalar, isSign, nameOf, partAt } from '../tree.js';
import { declaredVars } from '../variables.js';

export const iterationStyleRules: readonly LintRule[] = [
  {
    name: 'mixed-iteration',
    category: 'style',
    finds: 'Two ways of iterating in one expression: write a some for each',
    visit: ({ report }) => ({
      some: (some, place) => {
        for (const symbol of some.symbols) {
          const domain = symbol.type === 'call' ? symbol.args.at(-1) : undefined;
          if (domain?.type === 'ref' && place.outputsOf(domain).length > 0) report(domain.loc);
        }
      },
    }),
  },
  {
    name: 'prefer-some-in-iteration',
    category: 'style',
    finds: 'Iterate with some … in',
    options: { 'ignore-nesting-level': 2, 'ignore-if-sub-attribute': true },
    visit: ({ options, report }) => ({
      ref: (ref, place) => {
        if (isIteration(ref, place, options)) report(ref.loc);
      },
    }),
  },
  {
    name: 'prefer-snake-case',
    category: 'style',
    finds: 'Write names in small letters with underscores',
    visit: ({ report }) => {
      const isCamel = (name: string): boolean => /[A-Z]/.test(name);
      const { rule: seeRule, ...visitor } = declaredVars((node) => {
        if (isCamel(node.name)) report(node.loc);
      });
      return {
        ...visitor,
        package: ({ path }) => {
          for (const part of path) if (part.type === 'string' && isCamel(part.value)) report(part.loc);
        },
        rule: (rule, place) => {
          seeRule?.(rule, place);
          if (isChained(rule)) return;
          rule.head.ref.forEach((part, i) => {
            const name = part.type === 'var' && i === 0 ? part.name : part.type === 'string' ? part.value : '';
            if (isCamel(name)) report(part.loc);
          });
        },
      };
    },
  },
  {
    name: 'use-assignment-operator',
    category: 'style',
    finds: 'Give rules their value with :=',
    isFixable: true,
    visit: ({ report }) => ({
      link: (link) => {
        const at = equalsSign(link);
        if (at !== undefined) report(partAt(link.loc, at, at + 1));
      },
    }),
  },
];

/** The offset of the `=` of a head. */
export function equalsSign(link: Rule): number | undefined {
  const { value, assign, loc, ref, args } = link.head;
  if (!value || assign || isGenerated(value, link) || isChained(link)) return undefined;
  const named = args?.at(-1) ?? ref.at(-1)!;
  const start = link.loc.text.startsWith('else') ? link.loc.start : named.loc.end;
  const at = loc.source.text.slice(start, value.loc.start).search(/(?<![:=])=(?!=)/);
  return at < 0 ? undefined : start + at;
}

function isIteration(ref: RefTerm, place: Place, options: RuleOptions): boolean {
  if (place.body === undefined) return false;
  const outputs = place.outputsOf(ref);
  const nesting = options['ignore-nesting-level'];
  if (outputs.length === 0 || (typeof nesting === 'number' && outputs.length >= nesting)) return false;
  if (options['ignore-if-sub-attribute'] === true && ref.terms.at(-1) !== outputs.at(-1)) return false;
  const { node } = place;
  if (node.type === 'call') return false;
  if (node.type !== 'expr') return true;
  if (node.kind === 'call') {
    if (!isSign(node)) return false;
    return !(['equal', 'eq'].includes(nameOf(node)) && node.args.some(isScalar));
  }
  return !isKeyOfComprehension(ref, place);
}

/** `{k | xs[k]}`: the comprehension takes what the ref gives. */
function isKeyOfComprehension(ref: RefTerm, { up }: Place): boolean {
  const last = ref.terms.at(-1);
  const comprehension = up?.node;
  if (comprehension?.type !== 'setcomprehension' && comprehension?.type !== 'arraycomprehension') return false;
  const { term } = comprehension;
  return last?.type === 'var' && term.type === 'var' && term.name === last.name;
}
