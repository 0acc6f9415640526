/** Runs rules of users over files, after those of the table. */

import { type Directives, directivesOf, isIgnored } from '../../../compiler/index.js';
import { noConfig } from '../config/lint-config.js';
import type { Finding } from '../frame/finding.js';
import { type LintOptions, type LintSource, pathOf } from '../frame/lint-source.js';
import { readModule } from '../frame/read-module.js';
import { settingOf } from '../frame/settings.js';
import { compactTree } from './compact-tree.js';
import { type FileEntries, findingOfViolation, type OwnRules } from './own-rules.js';

/** The findings of a user's rules in some files. */
export function runOwnRules(own: OwnRules, sources: readonly LintSource[], options: LintOptions): readonly Finding[] {
  const { config = noConfig, flags = {}, capabilities } = options;
  const active = own.rules.flatMap((rule) => {
    const setting = settingOf(rule, config, flags);
    return setting === undefined ? [] : [{ rule, setting }];
  });
  const findings: Finding[] = [];
  const directives = new Map<string, Directives>();
  const entries = new Map(own.rules.map((rule) => [rule, [] as FileEntries[]]));
  for (const source of active.length === 0 ? [] : sources) {
    const module = readModule(source.file, source.text, source.regoVersion, capabilities);
    const here = directivesOf(module.comments);
    directives.set(source.file, here);
    const file = { name: source.file, text: source.text, absolute: source.absolute ?? source.file };
    const tree = compactTree(module, { ...file, operations: sources.length > 1 ? ['lint', 'collect'] : ['lint'] });
    for (const { rule, setting } of active) {
      if (setting.ignores(pathOf(source))) continue;
      const found = own.run(rule, tree);
      const reported = found.violations.map((violation) => findingOfViolation(violation, rule, setting.level));
      findings.push(...reported.filter((finding) => !isIgnored(here, finding.rule, finding.row)));
      if (found.entries.length > 0) entries.get(rule)!.push({ file: source.file, entries: found.entries });
    }
  }
  if (sources.length < 2) return findings;
  for (const { rule, setting } of active) {
    const concluded = own.conclude(rule, entries.get(rule)!);
    const found = concluded.map((violation) => findingOfViolation(violation, rule, setting.level));
    findings.push(
      ...found.filter(({ file = '', rule: name, row }) => !isIgnored(directives.get(file) ?? new Map(), name, row)),
    );
  }
  return findings;
}
