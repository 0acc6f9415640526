/** Runs the rules over files. */

import { loadRegex } from '../../../builtins/lib/regex/engine.js';
import { BuiltinTable } from '../../../compiler/resolve/builtin-table.js';
import type { CompileCapabilities } from '../../../compiler/resolve/compile-options.js';
import { Span } from '../../../compiler/source/location.js';
import { compareStrings } from '../../../values/compare.js';
import { ignoreTest } from '../config/ignore-patterns.js';
import { type LintConfig, noConfig } from '../config/lint-config.js';
import { rules } from '../rules/table.js';
import { type Directives, directivesOf, isIgnored } from './directives.js';
import type { Finding, LintReport, Notice } from './finding.js';
import type { FoundAt } from './found-at.js';
import { type BuiltinNames, foundAt, LintFile } from './lint-file.js';
import type { FileFacts, LintRule, Situation, Visitor } from './lint-rule.js';
import { readModule } from './read-module.js';
import { checkNames, type RuleFlags, type RuleSetting, settingOf } from './settings.js';
import { walkFile } from './walk-file.js';

/** A text to lint. */
export interface LintSource {
  /** The name that findings show. */
  readonly file: string;
  readonly text: string;
  /** The path from the project's root, for patterns of files; the name if there is none. */
  readonly path?: string | undefined;
  /** The whole path on disk; the name if there is none. */
  readonly absolute?: string | undefined;
  /** The version of the language that the project states. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
  readonly isStdin?: boolean;
}

export interface LintOptions {
  readonly config?: LintConfig;
  readonly flags?: RuleFlags;
  /** Default: all that this release knows. */
  readonly capabilities?: CompileCapabilities | undefined;
  /** Patterns of files to leave out, in place of those of the configuration. */
  readonly ignoreFiles?: readonly string[] | undefined;
}

/** A rule that runs. */
interface ActiveRule {
  readonly rule: LintRule;
  readonly setting: RuleSetting;
}

/** What is kept of a linted file: its findings, and the facts for rules over several files. */
interface LintedFile {
  readonly source: LintSource;
  readonly directives: Directives;
  readonly findings: readonly Finding[];
  readonly facts: ReadonlyMap<string, unknown>;
  /** Checks that need the library of regular expressions. */
  readonly later: readonly (() => void)[];
}

/**
 * Lints texts. Rejects with `CompileErrors` for a text that is no policy, and with a
 * LintConfigError for names of rules and categories that there are not.
 */
export async function lint(sources: readonly LintSource[], options: LintOptions = {}): Promise<LintReport> {
  const { config = noConfig, flags = {}, capabilities } = options;
  checkNames(rules, config, flags);
  const isLeftOut = ignoreTest(options.ignoreFiles ?? config.ignoreFiles);
  const left = sources.filter((source) => !isLeftOut(pathOf(source)));
  const situation = situationOf(
    capabilities,
    left.some(({ isStdin }) => isStdin === true),
  );
  const { active, notices } = activeRules(config, flags, situation);
  const builtins = new BuiltinTable(capabilities);
  const builtinNames = namesOf(situation.builtins);
  const files = left
    .toSorted((a, b) => compareStrings(a.file, b.file))
    .map((source) => lintOne(source, active, { builtins, builtinNames, capabilities }));
  const later = files.flatMap((file) => file.later);
  if (later.length > 0) await loadRegex();
  for (const check of later) check();
  const findings = files.flatMap((file) => file.findings);
  if (files.length > 1) findings.push(...aggregated(files, active));
  return {
    findings: ordered(findings),
    notices,
    scanned: files.length,
    failed: new Set(findings.map(({ file = '' }) => file)).size,
  };
}

function pathOf({ path, file }: LintSource): string {
  return path ?? file;
}

function situationOf(capabilities: CompileCapabilities | undefined, isStdin: boolean): Situation {
  const table = new BuiltinTable(capabilities);
  const names = capabilities?.builtins?.map(({ name }) => name) ?? [...table.names];
  return {
    builtins: new Set(names),
    features: new Set(capabilities === undefined ? ['rego_v1'] : capabilities.features),
    keywords: new Set(capabilities === undefined ? ['if', 'in', 'contains', 'every'] : capabilities.future_keywords),
    isStdin,
  };
}

function namesOf(all: ReadonlySet<string>): BuiltinNames {
  const names = [...all].filter((name) => !name.startsWith('internal.'));
  return { all, first: new Set(names.map((name) => name.split('.')[0]!)) };
}

function activeRules(
  config: LintConfig,
  flags: RuleFlags,
  situation: Situation,
): { active: readonly ActiveRule[]; notices: readonly Notice[] } {
  const active: ActiveRule[] = [];
  const notices: Notice[] = [];
  for (const rule of rules) {
    const setting = settingOf(rule, config, flags);
    if (setting === undefined) continue;
    const reason = rule.unless?.(situation);
    if (reason === undefined) active.push({ rule, setting });
    else notices.push({ rule: rule.name, category: rule.category, description: reason });
  }
  return { active, notices };
}

type Known = Pick<LintFile, 'builtins' | 'builtinNames'> & Pick<LintOptions, 'capabilities'>;

function lintOne(source: LintSource, active: readonly ActiveRule[], known: Known): LintedFile {
  const module = readModule(source.file, source.text, source.regoVersion, known.capabilities);
  const file = new LintFile(source.file, source.text, module, {
    ...known,
    isStdin: source.isStdin === true,
    path: source.absolute ?? source.file,
  });
  const directives = directivesOf(module.comments);
  const findings: Finding[] = [];
  const later: (() => void)[] = [];
  const path = pathOf(source);
  const running = active.filter(({ setting }) => !setting.ignores(path));
  const visitors = running.map(({ rule, setting: { level, options } }): Visitor => {
    const report = (at: Span | FoundAt, message?: string): void => {
      const place = at instanceof Span ? foundAt(at) : at;
      if (!isIgnored(directives, rule.name, place.row))
        findings.push({ ...findingOf(rule, level, message), ...placed(file.name, place, file.lines) });
    };
    return rule.visit?.({ file, options, report, later: (check) => void later.push(check) }) ?? {};
  });
  walkFile(file, visitors);
  const facts = new Map<string, unknown>();
  for (const { rule, setting } of running) {
    const found = rule.collect?.(file, setting.options);
    if (found !== undefined) facts.set(rule.name, found);
  }
  return { source, directives, findings, facts, later };
}

function findingOf(
  rule: LintRule,
  level: string,
  message: string | undefined,
): Pick<Finding, 'rule' | 'category' | 'level' | 'description' | 'isFixable'> {
  return {
    rule: rule.name,
    category: rule.category,
    level,
    description: message ?? rule.finds,
    ...(rule.isFixable && { isFixable: true }),
  };
}

function placed(
  file: string | undefined,
  at: FoundAt | undefined,
  lines: readonly string[],
): Partial<Finding> & Pick<Finding, 'row' | 'col'> {
  if (at === undefined) return { ...(file !== undefined && { file }), row: 0, col: 0 };
  const text = at.text === undefined ? lines[at.row - 1] : (at.text ?? undefined);
  return {
    ...(file !== undefined && { file }),
    row: at.row,
    col: at.col,
    ...(at.end && { end: at.end }),
    ...(text !== undefined && { text }),
  };
}

/** The findings of rules over several files. */
function aggregated(files: readonly LintedFile[], active: readonly ActiveRule[]): Finding[] {
  const findings: Finding[] = [];
  const byName = new Map(files.map((file) => [file.source.file, file]));
  for (const { rule, setting } of active) {
    if (rule.conclude === undefined) continue;
    const facts = files.flatMap((file): FileFacts[] => {
      const found = file.facts.get(rule.name);
      return found === undefined ? [] : [{ file: file.source.file, facts: found }];
    });
    rule.conclude(facts, {
      options: setting.options,
      report: (file, at, message) => {
        const directives = file === undefined ? undefined : byName.get(file)?.directives;
        if (at && directives && isIgnored(directives, rule.name, at.row)) return;
        const lines = file === undefined ? [] : (byName.get(file)?.source.text.split(/\r?\n/) ?? []);
        findings.push({ ...findingOf(rule, setting.level, message), ...placed(file, at, lines) });
      },
    });
  }
  return findings;
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
