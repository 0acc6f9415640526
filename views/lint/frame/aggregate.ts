/** Rules over several files. */

import { isIgnored } from '../../../compiler/index.js';
import type { Steps } from '../../../values/index.js';
import type { Finding } from './finding.js';
import type { FileFacts } from './lint-rule.js';
import type { ActiveRule, KeptFile } from './lint-source.js';
import { findingOf, placed } from './run-rules.js';

/** The findings of rules over several files, a rule in a step. */
export function* aggregated(files: readonly KeptFile[], active: readonly ActiveRule[]): Steps<Finding[]> {
  const findings: Finding[] = [];
  const byName = new Map(files.map((file) => [file.source.file, file]));
  for (const { rule, setting } of active) {
    if (rule.conclude === undefined) continue;
    yield;
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
