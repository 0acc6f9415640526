/** Regular expressions, old built-ins and sets under `not`. */

import { importName, leadingKeys, nameOfKey, type Rule, type Term, walk } from '../../../../compiler/index.js';
import { regexFault } from '../../../../values/index.js';
import type { FoundAt } from '../../frame/found-at.js';
import { foundAt, type LintFile } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { importPath } from '../imports/imports.js';
import { patternArguments } from '../regex-calls.js';
import { isScalar } from '../tree.js';

/** A set under `not`: the path of the rule, and where. */
interface Negation {
  readonly path: string;
  readonly at: FoundAt;
}

interface Facts {
  readonly sets: readonly string[];
  readonly negations: readonly Negation[];
}

export const patternRules: readonly LintRule[] = [
  {
    name: 'deprecated-builtin',
    category: 'bugs',
    finds: 'The built-in is deprecated, and version 1 of the language has it no more',
    visit: ({ file, report }) => {
      if (!file.isOld) return {};
      const deprecated = new Set(file.builtins.deprecated);
      return {
        call: (call) => {
          if (deprecated.has(file.builtinOf(call) ?? '')) report(call.operator.loc);
        },
      };
    },
  },
  {
    name: 'invalid-regexp',
    category: 'bugs',
    finds: 'The regular expression is not valid',
    visit: ({ file, report, later }) => ({
      call: (call) => {
        for (const pattern of patternArguments(call, file))
          if (pattern.type === 'string')
            later(() => {
              if (regexFault(pattern.value) !== undefined) report(pattern);
            });
      },
    }),
  },
  {
    name: 'impossible-not',
    category: 'bugs',
    finds: 'A set is always defined, so that it never fails under not: compare it with set()',
    visit: ({ file, report }) => ({
      file: () => {
        const sets = setsOf(file);
        if (sets.length === 0) return;
        for (const { path, at } of negationsOf(file)) if (sets.includes(path)) report(at);
      },
    }),
    collect: (file) => {
      const sets = setsOf(file);
      return { sets, negations: negationsOf(file).filter(({ path }) => !sets.includes(path)) } satisfies Facts;
    },
    conclude: (files: readonly { file: string; facts: Facts }[], { report }) => {
      const sets = new Set(files.flatMap(({ facts }) => facts.sets));
      for (const { file, facts } of files)
        for (const { path, at } of facts.negations) if (sets.has(path)) report(file, at);
    },
  },
];

/** The paths of rules that make a set. */
function setsOf(file: LintFile): readonly string[] {
  const own = ['data', ...file.packagePath];
  return file.module.rules.filter(isSet).map(({ head }) => pathText([...own, ...head.ref.map(nameOfKey)]));
}

function negationsOf(file: LintFile): readonly Negation[] {
  if (!/\bnot\b/.test(file.text)) return [];
  const own = ['data', ...file.packagePath];
  const imports = new Map(file.module.imports.map((each) => [importName(each), importPath(each)]));
  const negations: Negation[] = [];
  for (const rule of file.module.rules) {
    walk(rule, (node) => {
      if (node.type !== 'expr' || node.kind !== 'term' || !node.negated) return;
      const path = documentPath(node.term, own, imports);
      const head = node.term.type === 'ref' ? node.term.terms[0] : node.term;
      if (path === undefined || (head.type === 'var' && file.varsOf(rule).isKnownAt(head))) return;
      const { source, start } = node.loc;
      negations.push({
        path: pathText(path),
        at: {
          ...foundAt(node.term.type === 'ref' ? node.term.terms[0].loc : node.term.loc),
          text: source.text.slice(start, node.term.loc.end),
        },
      });
    });
  }
  return negations;
}

function isSet({ head }: Rule): boolean {
  return head.key !== undefined && head.value === undefined && head.ref.every((term, i) => i === 0 || isScalar(term));
}

/** The path of the document that a variable or ref names, as far as names tell. */
function documentPath(
  term: Term,
  own: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  if (term.type === 'var') return imports.get(term.name) ?? [...own, term.name];
  if (term.type !== 'ref' || !term.terms.slice(1).every(({ type }) => type === 'string')) return undefined;
  const [head, ...rest] = term.terms;
  const name = nameOfKey(head);
  const keys = leadingKeys(rest);
  if (name === 'data') return ['data', ...keys];
  return [...(imports.get(name) ?? [...own, name]), ...keys];
}

function pathText(path: readonly string[]): string {
  return JSON.stringify(path);
}
