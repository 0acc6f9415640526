/** Imports and refs against the packages of all files. */

import { importName, leadingKeys, nameOfKey, type RefTerm, type Span } from '../../../../compiler/index.js';
import { beginsWith } from '../../../../values/index.js';
import type { FoundAt } from '../../frame/found-at.js';
import { foundAt, type LintFile } from '../../frame/lint-file.js';
import type { FileFacts, LintRule } from '../../frame/lint-rule.js';
import type { NodePlace } from '../../frame/place.js';
import { walkFile } from '../../frame/walk-file.js';
import { fitsAny, textsOf } from '../tree.js';
import { importPath } from './imports.js';

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
  return { package: ['data', ...file.packagePath], rules: file.once(rulePaths), mentions };
}

function rulePaths(file: LintFile): readonly (readonly string[])[] {
  const own = ['data', ...file.packagePath];
  return file.module.rules.map(({ head }) => [
    ...own,
    nameOfKey(head.ref[0]),
    ...head.ref.slice(1).flatMap((term) => (term.type === 'string' ? term.value : term.type === 'var' ? '**' : [])),
  ]);
}

/** The imports of documents. */
function importsOf(file: LintFile): Mention[] {
  return file.module.imports.flatMap((node) => {
    const path = importPath(node);
    // Rules of the linter's users stand on libraries that it brings.
    const isOfLinter = path[1] === 'regal' && beginsWith(file.packagePath, ['custom', 'regal']);
    return path[0] === 'data' && path.length > 1 && !isOfLinter ? [{ path, at: foundAt(node.loc) }] : [];
  });
}

/** A ref or the name of a called function; `isGlobal` where it begins with a rule or an import. */
interface FoundRef {
  readonly ref: RefTerm;
  readonly isCall: boolean;
  readonly isGlobal: boolean;
}

/** The refs of a file in order of the text. */
export function allRefs(file: LintFile): readonly FoundRef[] {
  const found: FoundRef[] = [];
  const isGlobal = (ref: RefTerm, place: NodePlace): boolean => place.isGlobal(nameOfKey(ref.terms[0]));
  walkFile(file, [
    {
      ref: (ref, place) => void found.push({ ref, isCall: false, isGlobal: isGlobal(ref, place) }),
      call: ({ operator }, place) => {
        // Names of one part are those of built-ins and of functions of the package.
        if (operator.terms.length > 1) found.push({ ref: operator, isCall: true, isGlobal: isGlobal(operator, place) });
      },
    },
  ]);
  return found;
}

/** Refs and calls into `data`, by their full path or through an import. */
function refsOf(file: LintFile): Mention[] {
  const imports = new Map(file.module.imports.map((node) => [importName(node), importPath(node)]));
  const found: Mention[] = [];
  const shadowed = new Set(file.module.rules.flatMap((rule) => file.varsOf(rule).all.map(({ node }) => node.name)));
  const add = ({ terms, loc }: RefTerm, isGlobal: boolean): void => {
    const name = nameOfKey(terms[0]);
    const isImport = isGlobal && !file.ruleNames.has(name) && !shadowed.has(name);
    const start = name === 'data' ? ['data'] : isImport ? imports.get(name) : undefined;
    const keys = leadingKeys(terms.slice(1));
    if (start?.[0] !== 'data' || file.builtinNames.all.has([name, ...keys].join('.'))) return;
    const path = [...start, ...keys];
    if (path.length > 1 && terms.length > 1) found.push({ path, at: refAt(loc, file) });
  };
  for (const { ref, isGlobal } of file.once(allRefs)) add(ref, isGlobal);
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

/** The paths of all packages and rules, and of what leads to them. */
class KnownPaths {
  readonly #leading = new Set<string>();
  readonly #rules = new Set<string>();
  readonly #computed: (readonly string[])[] = [];

  constructor(files: Files) {
    for (const { facts } of files) {
      this.#addLeading(facts.package);
      for (const rule of facts.rules) {
        const computed = rule.indexOf('**');
        this.#addLeading(rule);
        this.#rules.add(keyOf(computed < 0 ? rule : rule.slice(0, computed)));
        if (computed >= 0) this.#computed.push(rule);
      }
    }
  }

  #addLeading(path: readonly string[]): void {
    for (let length = path.length; length > 0; length--) {
      const key = keyOf(path.slice(0, length));
      if (this.#leading.has(key)) return;
      this.#leading.add(key);
    }
  }

  /** Whether a path is that of a package or rule, or leads to one; `**` stands for any names. */
  has(path: readonly string[]): boolean {
    return this.#leading.has(keyOf(path)) || this.#computed.some((rule) => fitsComputed(path, rule));
  }

  /** Whether a path leads to a package or rule, or into a rule. */
  reaches(path: readonly string[]): boolean {
    return this.#leading.has(keyOf(path)) || path.some((_, i) => this.#rules.has(keyOf(path.slice(0, i + 1))));
  }
}

/** A path of an option, where `data.` may be left out. */
function withoutData(path: string): string {
  return path.startsWith('data.') ? path.slice('data.'.length) : path;
}

function keyOf(path: readonly string[]): string {
  return path.join('\0');
}

function fitsComputed(path: readonly string[], rule: readonly string[]): boolean {
  return (
    beginsWith(path, rule.slice(0, rule.indexOf('**'))) &&
    fitsAny(path.join('.'), [rule.join('.'), `${rule.join('.')}.**`])
  );
}

export const resolutionRules: readonly LintRule[] = [
  {
    name: 'prefer-package-imports',
    category: 'imports',
    finds: 'Import the package, and name its rule where it is used',
    options: { 'ignore-import-paths': [] },
    collect: (file) => factsOf(file, file.once(importsOf)),
    conclude: (files: Files, { options, report }) => {
      const ignored = new Set(textsOf(options['ignore-import-paths']).map(withoutData));
      const packages = new Set(files.map(({ facts }) => keyOf(facts.package)));
      for (const { file, facts } of files)
        for (const { path, at } of facts.mentions) {
          const isBelow = path.some((_, i) => packages.has(keyOf(path.slice(0, i))));
          const isPackage = packages.has(keyOf(path));
          if (isBelow && !isPackage && !ignored.has(withoutData(path.join('.')))) report(file, at);
        }
    },
  },
  {
    name: 'unresolved-import',
    category: 'imports',
    finds: 'No file has what is imported',
    options: { 'except-imports': [] },
    collect: (file) => factsOf(file, file.once(importsOf)),
    conclude: (files: Files, { options, report }) => {
      // A last `*` stands for any path.
      const except = textsOf(options['except-imports']).map((path) => withoutData(path).replace(/\.\*$/, '.**'));
      const known = new KnownPaths(files);
      for (const { file, facts } of files)
        for (const { path, at } of facts.mentions)
          if (!known.has(path) && !fitsAny(withoutData(path.join('.')), except)) report(file, at);
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
      const known = new KnownPaths(files);
      for (const { file, facts } of files)
        for (const { path, at } of facts.mentions)
          if (!known.reaches(path) && !fitsAny(path.join('.'), except)) report(file, at);
    },
  },
];
