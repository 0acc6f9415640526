/** Lints texts. */

import { loadRegex } from '../../../builtins/lib/regex/engine.js';
import { BuiltinTable } from '../../../compiler/resolve/builtin-table.js';
import { compareStrings } from '../../../values/compare.js';
import { ignoreTest } from '../config/ignore-patterns.js';
import { noConfig } from '../config/lint-config.js';
import { rules } from '../rules/table.js';
import { aggregated } from './aggregate.js';
import type { Finding, LintReport, Notice } from './finding.js';
import { type ActiveRule, type LintedFile, type LintOptions, type LintSource, pathOf } from './lint-source.js';
import { lintOne } from './run-rules.js';
import { checkNames } from './settings.js';
import { activeRules, namesOf, situationOf } from './situation.js';

/** Files with their findings, and the rules that ran. */
interface Linted {
  readonly files: readonly LintedFile[];
  readonly active: readonly ActiveRule[];
  readonly notices: readonly Notice[];
}

/**
 * Lints texts. Rejects with `CompileErrors` for a text that is no policy, and with a
 * LintConfigError for names of rules and categories that there are not.
 */
export async function lint(sources: readonly LintSource[], options: LintOptions = {}): Promise<LintReport> {
  const { files, active, notices } = await lintSources(sources, options);
  const findings = files.flatMap((file) => file.findings);
  if (files.length > 1) findings.push(...aggregated(files, active));
  return {
    findings: ordered(findings),
    notices,
    scanned: files.length,
    failed: new Set(findings.map(({ file = '' }) => file)).size,
  };
}

/** Lints texts one by one, without the rules over several files. Rejects as `lint` does. */
export async function lintSources(sources: readonly LintSource[], options: LintOptions): Promise<Linted> {
  const { config = noConfig, flags = {}, capabilities } = options;
  checkNames(rules, config, flags);
  const isLeftOut = ignoreTest(options.ignoreFiles ?? config.ignoreFiles);
  const left = sources.filter((source) => !isLeftOut(pathOf(source)));
  const situation = situationOf(
    capabilities,
    left.some(({ isStdin }) => isStdin === true),
  );
  const { active, notices } = activeRules(options, situation);
  const known = { builtins: new BuiltinTable(capabilities), builtinNames: namesOf(situation.builtins), capabilities };
  const files = left.toSorted((a, b) => compareStrings(a.file, b.file)).map((source) => lintOne(source, active, known));
  const later = files.flatMap((file) => file.later);
  if (later.length > 0) await loadRegex();
  for (const check of later) check();
  return { files, active, notices };
}

/** By file; in a file by category and description. */
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
