/** Imports and refs against the packages of all files. */

import type { RefTerm, Span } from '../../../../compiler/index.js';
import { importName } from '../../../../compiler/index.js';
import type { FoundAt } from '../../frame/found-at.js';
import { firstName, foundAt, type LintFile } from '../../frame/lint-file.js';
import type { FileFacts, LintRule } from '../../frame/lint-rule.js';
import { walkFile } from '../../frame/walk-file.js';
import { fitsAny, textKeys, textsOf } from '../tree.js';
import { importPath, startsWith } from './imports.js';

/** A path that a file names, and where. */
interface Mention {
  readonly path: readonly string[];
  readonly at: FoundAt;
}

interface Facts {
  readonly package: readonly string[];
  /** The paths of rules; `**` stands for what is computed. */
  readonly rules: readonly (readonly string[])[];
  readonly mentions: readonly Mention[];
}

type Files = readonly FileFacts<Facts>[];

function factsOf(file: LintFile, mentions: readonly Mention[]): Facts {
  const own = ['data', ...file.packagePath];
  const rules = file.module.rules.map(({ head }) => [
    ...own,
    firstName(head.ref[0]),
    ...head.ref.slice(1).flatMap((term) => (term.type === 'string' ? term.value : term.type === 'var' ? '**' : [])),
  ]);
  return { package: own, rules, mentions };
}

/** The imports of documents. */
function importsOf(file: LintFile): Mention[] {
  return file.module.imports.flatMap((node) => {
    const path = importPath(node);
    // Rules of the linter's users stand on libraries that it brings.
    const isOfLinter = path[1] === 'regal' && startsWith(file.packagePath, ['custom', 'regal']);
    return path[0] === 'data' && path.length > 1 && !isOfLinter ? [{ path, at: foundAt(node.loc) }] : [];
  });
}

/** Refs and calls into `data`, by their full path or through an import. */
function refsOf(file: LintFile): Mention[] {
  const imports = new Map(file.module.imports.map((node) => [importName(node), importPath(node)]));
  const found: Mention[] = [];
  const shadowed = new Set(file.module.rules.flatMap((rule) => file.varsOf(rule).all.map(({ node }) => node.name)));
  const add = ({ terms, loc }: RefTerm, isGlobal: boolean): void => {
    const name = firstName(terms[0]);
    const isImport = isGlobal && !file.ruleNames.has(name) && !shadowed.has(name);
    const start = name === 'data' ? ['data'] : isImport ? imports.get(name) : undefined;
    const keys = textKeys(terms.slice(1));
    if (start?.[0] !== 'data' || file.builtinNames.all.has([name, ...keys].join('.'))) return;
    const path = [...start, ...keys];
    if (path.length > 1 && terms.length > 1) found.push({ path, at: refAt(loc, file) });
  };
  walkFile(file, [
    {
      ref: (ref, place) => add(ref, place.isGlobal(firstName(ref.terms[0]))),
      call: ({ operator }, place) => add(operator, place.isGlobal(firstName(operator.terms[0]))),
    },
  ]);
  return found;
}

/**
 * The text of a ref to the next parenthesis in its line, or else to the next blank: as the
 * reference marks it, which knows no more of the ref than its text.
 */
function refAt(loc: Span, file: LintFile): FoundAt {
  const at = foundAt(loc);
  const rest = [...(file.lines[at.row - 1] ?? '')].slice(at.col - 1);
  const length = [rest.indexOf('('), rest.indexOf(' '), rest.length].find((end) => end >= 0)!;
  return { row: at.row, col: at.col, end: { row: at.row, col: at.col + length } };
}

/** Whether a path is that of a package or rule, or leads to one; `**` stands for any names. */
function isKnownPath(path: readonly string[], files: Files): boolean {
  return files.some(
    ({ facts }) =>
      startsWith(facts.package, path) || facts.rules.some((rule) => startsWith(rule, path) || fitsComputed(path, rule)),
  );
}

function fitsComputed(path: readonly string[], rule: readonly string[]): boolean {
  const computed = rule.indexOf('**');
  return (
    computed >= 0 &&
    startsWith(path, rule.slice(0, computed)) &&
    fitsAny(path.join('.'), [rule.join('.'), `${rule.join('.')}.**`])
  );
}

/** Whether a path leads to a package or rule, or into a rule. */
function isResolved(path: readonly string[], files: Files): boolean {
  return files.some(
    ({ facts }) =>
      startsWith(facts.package, path) ||
      facts.rules.some((rule) => startsWith(rule, path) || startsWith(path, constantPart(rule))),
  );
}

function constantPart(rule: readonly string[]): readonly string[] {
  const computed = rule.indexOf('**');
  return computed < 0 ? rule : rule.slice(0, computed);
}

export const resolutionRules: readonly LintRule[] = [
  {
    name: 'prefer-package-imports',
    category: 'imports',
    finds: 'Import the package, and name its rule where it is used',
    options: { 'ignore-import-paths': [] },
    collect: (file) => factsOf(file, importsOf(file)),
    conclude: (files: Files, { options, report }) => {
      const ignored = textsOf(options['ignore-import-paths']);
      const packages = files.map(({ facts }) => facts.package);
      for (const { file, facts } of files)
        for (const { path, at } of facts.mentions) {
          const isBelow = packages.some((each) => startsWith(path, each) && path.length > each.length);
          const isPackage = packages.some((each) => startsWith(each, path));
          if (isBelow && !isPackage && !ignored.includes(path.join('.'))) report(file, at);
        }
    },
  },
  {
    name: 'unresolved-import',
    category: 'imports',
    finds: 'No file has what is imported',
    options: { 'except-imports': [] },
    collect: (file) => factsOf(file, importsOf(file)),
    conclude: (files: Files, { options, report }) => {
      const except = textsOf(options['except-imports']);
      for (const { file, facts } of files)
        for (const { path, at } of facts.mentions)
          if (!isKnownPath(path, files) && !fitsAny(path.join('.'), except)) report(file, at);
    },
  },
  {
    name: 'unresolved-reference',
    category: 'imports',
    finds: 'No file has what the ref names',
    options: { 'except-paths': [], excepted_export_patterns: ['**.test_*'] },
    collect: (file) => factsOf(file, refsOf(file)),
    conclude: (files: Files, { options, report }) => {
      const except = textsOf(options['except-paths']);
      for (const { file, facts } of files)
        for (const { path, at } of facts.mentions)
          if (!isResolved(path, files) && !fitsAny(path.join('.'), except)) report(file, at);
    },
  },
];
