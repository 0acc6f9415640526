/** Conventions of names, and arguments that say too much. */

import type { Node, RefTerm, Rule, VarTerm } from '../../../../compiler/index.js';
import { forEachChild, printRef } from '../../../../compiler/index.js';
import type { LintRule, RuleOptions } from '../../frame/lint-rule.js';
import { isChained, isVar, patternOf, ruleName, textsOf } from '../tree.js';

interface Convention {
  readonly pattern: string | undefined;
  readonly fits: ((name: string) => boolean) | undefined;
  readonly names: readonly string[];
  readonly targets: readonly string[];
}

export const argumentRules: readonly LintRule[] = [
  {
    name: 'naming-convention',
    category: 'custom',
    isOff: true,
    finds: 'A name does not follow the convention',
    options: { conventions: [] },
    visit: ({ file, options, report }) => {
      const conventions = conventionsOf(options);
      const check = (target: string, name: string, loc: Rule['loc'], ...also: string[]): void => {
        for (const { pattern, fits, names, targets } of conventions) {
          if (![target, ...also].some((each) => targets.includes(each)) || fits?.(name) || names.includes(name))
            continue;
          const wanted = pattern ?? names.join(', ');
          report(loc, `Another name is agreed: ${target} name "${name}" does not fit ${wanted}`);
        }
      };
      return {
        package: ({ loc }) => check('package', file.packagePath.join('.'), loc),
        rule: (rule) => {
          for (const { name, loc } of file.varsOf(rule).named) check('variable', name, loc, 'var');
          if (!isChained(rule)) check(rule.head.args ? 'function' : 'rule', ruleName(rule), rule.head.loc);
        },
      };
    },
  },
  {
    name: 'narrow-argument',
    category: 'custom',
    isOff: true,
    finds: 'The function needs only a part of its argument',
    options: { 'exclude-args': [] },
    visit: ({ file, options, report }) => ({
      file: () => {
        const excluded = textsOf(options['exclude-args']);
        const functions = file.module.rules.filter(({ head, default: isDefault }) => head.args && !isDefault);
        for (const definitions of Map.groupBy(functions, ruleName).values()) {
          definitions[0]!.head.args!.forEach((_, i) => {
            const arg = definitions.map(({ head }) => head.args![i]).find(isVar);
            const path = arg && !excluded.includes(arg.name) ? narrowed(definitions, i) : undefined;
            if (arg && path !== undefined) report(arg.loc, `Argument ${arg.name} can be ${path}`);
          });
        }
      },
    }),
  },
];

function conventionsOf({ conventions }: RuleOptions): readonly Convention[] {
  if (!Array.isArray(conventions)) return [];
  return conventions.map((each: Record<string, unknown>) => ({
    pattern: typeof each.pattern === 'string' && each.pattern !== '' ? each.pattern : undefined,
    fits: patternOf(each.pattern),
    names: textsOf(each.names),
    targets: textsOf(each.targets),
  }));
}

/** How an argument can be narrowed; undefined if it cannot. */
function narrowed(definitions: readonly Rule[], index: number): string | undefined {
  const paths: string[][] = [];
  let name: string | undefined;
  for (const definition of definitions) {
    const arg = definition.head.args?.[index];
    if (arg === undefined) return undefined;
    if (arg.type === 'var' && !isVar(arg)) continue;
    if (!isVar(arg)) return undefined;
    const found = pathsOf(definition, arg);
    if (found === undefined) return undefined;
    name ??= arg.name;
    paths.push(...found);
  }
  const [first = []] = paths;
  let length = 0;
  while (length < first.length && paths.every((path) => path[length] === first[length])) length++;
  if (name === undefined || length === 0) return undefined;
  const isWhole = paths.every((path) => path.length === length);
  return isWhole ? 'narrowed' : `narrowed to ${[name, ...first.slice(0, length)].join('')}`;
}

/** The constant paths that a definition reads below an argument; undefined if it reads it all. */
function pathsOf(rule: Rule, arg: VarTerm): string[][] | undefined {
  const paths: string[][] = [];
  let isWhole = false;
  const visit = (node: Node): void => {
    if (node === arg) return;
    if (node.type === 'var') isWhole ||= node.name === arg.name;
    else if (node.type === 'ref' && node.terms[0].type === 'var' && node.terms[0].name === arg.name) {
      paths.push(staticKeys(node));
      node.terms.slice(1).forEach(visit);
    } else forEachChild(node, visit);
  };
  visit(rule);
  return isWhole ? undefined : paths;
}

/** The constant keys of a ref as texts, with dots or brackets. */
function staticKeys({ terms }: RefTerm): string[] {
  const keys: string[] = [];
  for (const term of terms.slice(1)) {
    if (term.type !== 'string' && term.type !== 'number') break;
    keys.push(printRef([{ type: 'var', loc: term.loc, name: '' }, term]));
  }
  return keys;
}
