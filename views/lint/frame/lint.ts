/** Lints texts. */

import { BuiltinTable, type Module } from '../../../compiler/index.js';
import { allAtOnce, compareStrings, loadRegex } from '../../../values/index.js';
import { ignoreTest } from '../config/ignore-patterns.js';
import { LintConfigError, noConfig } from '../config/lint-config.js';
import { runOwnRules } from '../custom/run-own-rules.js';
import { rules } from '../rules/table.js';
import { aggregated } from './aggregate.js';
import { compilerFindings } from './compiler-findings.js';
import { type Finding, faultKey, type LintReport, type Notice } from './finding.js';
import { fromCached, toCached } from './kept-file.js';
import type { ActiveRule, KeptFile, LintedFile, LintOptions, LintSource } from './lint-source.js';
import { pathOf } from './lint-source.js';
import { readModule } from './read-module.js';
import { lintOne } from './run-rules.js';
import { checkNames, checkPatterns } from './settings.js';
import { activeRules, namesOf, situationOf } from './situation.js';

/** Files with their findings, and the rules that ran. */
interface Linted {
  readonly files: readonly LintedFile[];
  readonly active: readonly ActiveRule[];
  readonly notices: readonly Notice[];
}

/**
 * Lints texts. Rejects with `CompileErrors` for a text that is no policy, and with a
 * LintConfigError for unknown names of rules and categories.
 */
export async function lint(sources: readonly LintSource[], options: LintOptions = {}): Promise<LintReport> {
  const { cache } = options;
  const left = leftIn(sources, options);
  const known = left.flatMap((source) => {
    const cached = cache?.get(source);
    return cached === undefined ? [] : [fromCached(source, cached)];
  });
  const hits = new Set(known.map(({ source }) => source));
  const {
    files: linted,
    active,
    notices,
  } = await lintSources(
    left.filter((source) => !hits.has(source)),
    options,
    left,
  );
  for (const file of linted) cache?.set(file.source, toCached(file));
  const files: readonly KeptFile[] = [...known, ...linted].sort((a, b) => compareStrings(a.source.file, b.source.file));
  const findings = files.flatMap((file) => file.findings);
  if (files.length > 1) findings.push(...allAtOnce(aggregated(files, active)));
  // Rules of other categories with the same name have told some of the faults.
  const told = new Set(findings.map(faultKey));
  const compiled = await compiledFindings(files, active, options);
  findings.push(...compiled.filter((finding) => !told.has(faultKey(finding))));
  if (options.own)
    findings.push(
      ...runOwnRules(
        options.own,
        files.map(({ source }) => source),
        options,
      ),
    );
  return {
    findings: ordered(findings),
    notices,
    scanned: files.length,
    failed: new Set(findings.map(({ file = '' }) => file)).size,
  };
}

async function compiledFindings(
  files: readonly KeptFile[],
  active: readonly ActiveRule[],
  options: LintOptions,
): Promise<readonly Finding[]> {
  if (!active.some(({ rule }) => rule.category === 'writ')) return [];
  const sources = files.map(({ source }) => source);
  const known = options.cache?.getCompiled?.(sources);
  if (known !== undefined) return known;
  let compiles = true;
  const onErrors: LintOptions['onErrors'] = (errors) => {
    compiles = false;
    options.onErrors?.(errors);
  };
  const modules = files.map((file) => withModule(file, options));
  const findings = await compilerFindings(modules, active, { ...options, onErrors });
  // Errors are told again by each run.
  if (compiles) options.cache?.setCompiled?.(sources, findings);
  return findings;
}

/** A file with its tree; one of the cache is read again. */
function withModule(kept: KeptFile, { capabilities }: LintOptions): KeptFile & { readonly module: Module } {
  const { source } = kept;
  const { module } = 'file' in kept ? (kept as LintedFile).file : { module: undefined };
  return { ...kept, module: module ?? readModule(source.file, source.text, source.regoVersion, capabilities) };
}

/** The files that no pattern leaves out. */
function leftIn(
  sources: readonly LintSource[],
  { ignoreFiles, config = noConfig }: LintOptions,
): readonly LintSource[] {
  const isLeftOut = ignoreTest(ignoreFiles ?? config.ignoreFiles);
  return sources.filter((source) => !isLeftOut(pathOf(source)));
}

/**
 * Lints texts one by one, without the rules over several files. Rejects as `lint` does.
 * @param all the sources of the run, which decide what rules have a use
 */
export async function lintSources(
  sources: readonly LintSource[],
  options: LintOptions,
  all: readonly LintSource[] = sources,
): Promise<Linted> {
  const { config = noConfig, flags = {}, capabilities } = options;
  const deadline = performance.now() + (options.timeout ?? Number.POSITIVE_INFINITY);
  checkNames([...rules, ...(options.own?.rules ?? [])], config, flags);
  const situation = situationOf(
    capabilities,
    all.some(({ isStdin }) => isStdin === true),
  );
  const { active, notices } = activeRules(options, situation);
  await checkPatterns(active);
  const known = { builtins: new BuiltinTable(capabilities), builtinNames: namesOf(situation.builtins), capabilities };
  const files = leftIn(sources, options)
    .toSorted((a, b) => compareStrings(a.file, b.file))
    .map((source) => {
      if (performance.now() > deadline)
        throw new LintConfigError('the timeout has passed before all files were linted', undefined, true);
      return lintOne(source, active, known);
    });
  const later = files.flatMap((file) => file.later);
  if (later.length > 0) await loadRegex();
  for (const check of later) check();
  return { files, active, notices };
}

/** Findings by file; in a file by category and description. */
function ordered(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted(
    (a, b) =>
      Number(a.file === undefined) - Number(b.file === undefined) ||
      compareStrings(a.file ?? '', b.file ?? '') ||
      compareStrings(a.category, b.category) ||
      compareStrings(a.description, b.description) ||
      a.row - b.row ||
      a.col - b.col,
  );
}
