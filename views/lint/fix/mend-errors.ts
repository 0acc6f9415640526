/** Mends errors in policies, where a hint names the change. */

import type { Mend, Module } from '../../../compiler/index.js';
import { CompileErrors, compileModules, hintOf, hintsOf, mendOf, parseModule } from '../../../compiler/index.js';
import { isOwnRule } from '../frame/compiler-findings.js';
import type { LintOptions, LintSource } from '../frame/lint-source.js';
import { readModule } from '../frame/read-module.js';
import { edited } from './edits.js';

export interface MendedFile {
  readonly source: LintSource;
  /** The titles of what was mended, in order. */
  readonly mends: readonly string[];
}

/** The most changes of one file, and the most rounds over all files. */
const mostSyntaxMends = 100;
const mostRounds = 20;

/**
 * Mends errors of syntax file by file, then those of all files together. Changes stay only if their
 * errors are gone.
 */
export function mendErrors(sources: readonly LintSource[], { capabilities }: LintOptions): readonly MendedFile[] {
  let files = sources.map((source) => readable(source, capabilities));
  let found = errorsOf(files, capabilities);
  for (let round = 0; round < mostRounds && found !== undefined && found.mends.size > 0; round++) {
    const { mends } = found;
    const next = files.map((file) => mended(file, mends.get(file.source.file) ?? [], capabilities));
    const after = errorsOf(next, capabilities);
    // Errors of later stages may come up.
    if (after === undefined || [...mends.values()].flat().some(([error]) => after.all.has(error))) break;
    files = next;
    found = after;
  }
  return files;
}

interface ReadFile extends MendedFile {
  /** Undefined for a text that is no policy. */
  readonly module: Module | undefined;
}

function read(
  { file, text, regoVersion }: LintSource,
  capabilities: LintOptions['capabilities'],
): Module | CompileErrors {
  return orErrors(() => readModule(file, text, regoVersion, capabilities));
}

function parsed({ file, text, regoVersion = 'v1' }: LintSource): Module | CompileErrors {
  return orErrors(() => parseModule(file, text, { regoVersion: file.endsWith('_v0.rego') ? 'v0' : regoVersion }));
}

function orErrors(parse: () => Module): Module | CompileErrors {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CompileErrors) return error;
    throw error;
  }
}

/** The file without errors of syntax, or as it was. */
function readable(first: LintSource, capabilities: LintOptions['capabilities']): ReadFile {
  const mends: string[] = [];
  const seen = new Set<string>();
  let source = first;
  for (let i = 0; i < mostSyntaxMends; i++) {
    // A text that no version reads is mended for one: in the other, `if` may be a rule's name.
    const module = i === 0 ? read(source, capabilities) : parsed(source);
    if (!(module instanceof CompileErrors)) return { source, mends, module };
    const [error] = module.diagnostics;
    const mend = error && mendOf(error, hintOf(error));
    if (mend === undefined || seen.has(source.text)) break;
    seen.add(source.text);
    mends.push(mend.title);
    source = { ...source, text: edited(source.text, [mend]) };
  }
  return { source: first, mends: [], module: undefined };
}

interface FoundErrors {
  /** The errors that have a change, with it, by file. */
  readonly mends: ReadonlyMap<string, readonly (readonly [error: string, mend: Mend])[]>;
  readonly all: ReadonlySet<string>;
}

/** The errors of all files together; undefined where a file is no policy. */
function errorsOf(files: readonly ReadFile[], capabilities: LintOptions['capabilities']): FoundErrors | undefined {
  const modules = new Map<string, Module>();
  for (const { source, module } of files) {
    if (module === undefined) return undefined;
    if (!isOwnRule(module)) modules.set(source.file, module);
  }
  const compiled = compileModules({ modules, options: { capabilities, errorLimit: 0, print: true } });
  const hint = hintsOf(compiled);
  const all = new Set<string>();
  const mends = new Map<string, (readonly [string, Mend])[]>();
  for (const error of compiled.diagnostics) {
    const file = error.span?.file ?? '';
    const key = `${file} ${error.message}`;
    all.add(key);
    const mend = mendOf(error, hint(error));
    const known = mends.get(file) ?? [];
    // The first of changes that overlap is made.
    if (mend && known.every(([, { start, end }]) => mend.start > end || mend.end < start))
      mends.set(file, [...known, [key, mend]]);
  }
  return { mends, all };
}

function mended(
  file: ReadFile,
  found: readonly (readonly [string, Mend])[],
  capabilities: LintOptions['capabilities'],
): ReadFile {
  const mends = found.map(([, mend]) => mend);
  if (mends.length === 0) return file;
  const source = { ...file.source, text: edited(file.source.text, mends) };
  const module = read(source, capabilities);
  if (module instanceof CompileErrors) return file;
  return { source, mends: [...file.mends, ...mends.map(({ title }) => title)], module };
}
