/** How iteration and assignment are written. */

import type { Node, RefTerm, Rule } from '../../../../compiler/index.js';
import type { LintFile } from '../../frame/lint-file.js';
import type { LintRule, RuleOptions } from '../../frame/lint-rule.js';
import type { NodePlace } from '../../frame/place.js';
import { isGenerated } from '../../frame/walk-file.js';
import { isChained, isScalar, isSign, nameOf, partAt } from '../tree.js';

export const iterationStyleRules: readonly LintRule[] = [
  {
    name: 'mixed-iteration',
    category: 'style',
    finds: 'Two ways of iterating in one expression: write a some for each',
    visit: ({ report }) => ({
      some: (some, place) => {
        for (const symbol of some.symbols) {
          const domain = symbol.type === 'call' ? symbol.args.at(-1) : undefined;
          if (domain?.type === 'ref' && place.outputsOf(domain).length > 0) report(domain);
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
        if (isIteration(ref, place, options)) report(ref);
      },
    }),
  },
  {
    name: 'prefer-snake-case',
    category: 'style',
    finds: 'Write names in small letters with underscores',
    visit: ({ file, report }) => {
      const isCamel = (name: string): boolean => name !== name.toLowerCase();
      return {
        package: ({ path }) => {
          for (const part of path) if (part.type === 'string' && isCamel(part.value)) report(part.loc);
        },
        rule: (rule) => {
          for (const { name, loc } of file.varsOf(rule).named) if (isCamel(name)) report(loc);
          if (isChained(rule)) return;
          rule.head.ref.forEach((part) => {
            if (isCamel(part.type === 'var' ? part.name : part.type === 'string' ? part.value : '')) report(part.loc);
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

function isIteration(ref: RefTerm, place: NodePlace, options: RuleOptions): boolean {
  const { rule, file } = place;
  if (rule.generatedBody && rule.head.value?.type === 'ref') return false;
  const outputs = place.outputsOf(ref).length;
  const nesting = options['ignore-nesting-level'];
  if (outputs === 0 || typeof nesting !== 'number' || outputs >= nesting) return false;
  if (options['ignore-if-sub-attribute'] === true && ref.terms.at(-1)?.type !== 'var') return false;
  if (place.node.type === 'call') return false;
  if (place.body === undefined && rule.head.key !== undefined) return false;
  return !isNoPlaceForSome(place.node, file) && !place.isWithin((node) => isNoPlaceForSome(node, file));
}

/** Whether no `some … in` can stand for the iteration within a node. */
function isNoPlaceForSome(node: Node, file: LintFile): boolean {
  switch (node.type) {
    case 'array':
    case 'set':
    case 'object':
    case 'objectcomprehension':
      return true;
    case 'expr':
      if (node.kind === 'every') return node.key !== undefined;
      if (node.kind !== 'call') return false;
      // `"x" == xs[_]` is written `"x" in xs`.
      if (['equal', 'eq'].includes(nameOf(node)) && node.args.some(isScalar)) return true;
      return !isSign(node) && node.operator.terms.length === 1 && file.isKnownFunction(node);
    default:
      return false;
  }
}
