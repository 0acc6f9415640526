/** Runs the rules over one file. */

import { directivesOf, isIgnored, Span, type Term } from '../../../compiler/index.js';
import type { Finding } from './finding.js';
import type { FoundAt } from './found-at.js';
import { foundAt, LintFile } from './lint-file.js';
import type { LintRule, Visitor } from './lint-rule.js';
import { type ActiveRule, type LintedFile, type LintOptions, type LintSource, pathOf } from './lint-source.js';
import { readModule } from './read-module.js';
import { termAt } from './term-text.js';
import { walkFile } from './walk-file.js';

type Known = Pick<LintFile, 'builtins' | 'builtinNames'> & Pick<LintOptions, 'capabilities'>;

/** Lints one text. Throws `CompileErrors` if it is no policy. */
export function lintOne(source: LintSource, active: readonly ActiveRule[], known: Known): LintedFile {
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
    const report = (at: Span | Term | FoundAt, message?: string): void => {
      const place = at instanceof Span ? foundAt(at) : 'type' in at ? termAt(at) : at;
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
  return { source, file, directives, findings, facts, later };
}

/** A finding without its place. */
export function findingOf(
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

/** The place of a finding, with its line. */
export function placed(
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
