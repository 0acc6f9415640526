/** Fixes what can be fixed without a change of what policies decide. */

import { CompileErrors, FormatError, formatParsed, formatText } from '../../../compiler/index.js';
import type { Finding } from '../frame/finding.js';
import { lintSources } from '../frame/lint.js';
import type { LintFile } from '../frame/lint-file.js';
import type { ActiveRule, LintedFile, LintOptions, LintSource } from '../frame/lint-source.js';
import { directoriesOf } from '../rules/idiomatic/packages.js';
import { type Edit, edited, editsOf } from './edits.js';

/**
 * The order of the fixes: the first that there is something for is made, then the file is linted
 * again.
 */
const order = [
  'opa-fmt',
  'use-rego-v1',
  'use-assignment-operator',
  'no-whitespace-comment',
  'non-raw-regex-pattern',
  'prefer-equals-comparison',
  'redundant-existence-check',
  'constant-condition',
];

/** A file, and what was fixed in it. */
export interface FixedFile {
  readonly source: LintSource;
  readonly text: string;
  /** The names of the rules, one for each fix. */
  readonly fixes: readonly string[];
  /** The directories that its package wants below a root; undefined where they are right. */
  readonly directories: readonly string[] | undefined;
}

/** The most rounds: each takes some findings away. */
const maxRounds = 100;

/**
 * Fixes the findings of all rules that run and can be fixed. Rejects as `lint` does.
 *
 * @example await fix([{ file: 'p.rego', text: 'package p\nallow if{input.x}' }])
 */
export async function fix(sources: readonly LintSource[], options: LintOptions = {}): Promise<readonly FixedFile[]> {
  const fixed: FixedFile[] = [];
  const { files, active } = await lintSources(sources, { ...options, onlyFixable: true });
  for (const file of files) fixed.push(await fixOne(file, active, options));
  return fixed;
}

async function fixOne(first: LintedFile, active: readonly ActiveRule[], options: LintOptions): Promise<FixedFile> {
  const names = new Set(active.map(({ rule }) => rule.name));
  const fixes: string[] = [];
  // Rules whose fix makes a text that cannot be read: a comment may become metadata.
  const failed = new Set<string>();
  let linted = first;
  for (let round = 0; round < maxRounds; round++) {
    const next = nextText(linted, names, failed);
    if (next === undefined) break;
    const again = await relinted({ ...first.source, text: next.text }, options);
    if (again === undefined) failed.add(next.fixes[0]!);
    else {
      fixes.push(...next.fixes);
      linted = again;
    }
  }
  const { options: given = {} } = active.find(({ rule }) => rule.name === misplaced)?.setting ?? {};
  const isMisplaced = linted.findings.some(({ rule }) => rule === misplaced);
  const directories = directoriesOf(linted.file.packagePath, given['exclude-test-suffix'] === true);
  return { source: first.source, text: linted.source.text, fixes, directories: isMisplaced ? directories : undefined };
}

async function relinted(source: LintSource, options: LintOptions): Promise<LintedFile | undefined> {
  try {
    return (await lintSources([source], { ...options, onlyFixable: true })).files[0];
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}

/** The rule whose fix moves files. */
const misplaced = 'directory-package-mismatch';

/** The text after the first fix that changes something. */
function nextText(
  { file, findings }: LintedFile,
  names: ReadonlySet<string>,
  failed: ReadonlySet<string>,
): { text: string; fixes: readonly string[] } | undefined {
  for (const rule of order) {
    if (failed.has(rule)) continue;
    const found = findings.filter((finding) => finding.rule === rule);
    if (found.length === 0) continue;
    const text = rule === 'opa-fmt' || rule === 'use-rego-v1' ? reformatted(file, rule, names) : undefined;
    if (text !== undefined && text !== file.text) return { text, fixes: [rule] };
    const edits = editsOf(file, rule, (at, edit) => found.some((finding) => isAt(finding, at.start, edit, file)));
    const wholeLines = names.has('opa-fmt') ? edits : edits.map((edit) => wholeLine(edit, file.text));
    if (edits.length > 0) return { text: edited(file.text, wholeLines), fixes: edits.map(() => rule) };
  }
  return undefined;
}

function isAt(finding: Finding, start: number, edit: Edit, file: LintFile): boolean {
  const { source } = file.module;
  return [start, edit.start].some((offset) => {
    const { row, col } = source.position(offset);
    return row === finding.row && col === finding.col;
  });
}

/**
 * The formatted text; one of version 0 becomes valid in both where the rules want that. Undefined
 * for a text that cannot be written so.
 */
function reformatted({ module, name }: LintFile, rule: string, names: ReadonlySet<string>): string | undefined {
  try {
    if (module.regoVersion !== 'v0') return formatParsed(module);
    const isBoth = rule === 'use-rego-v1' || names.has('use-rego-v1');
    return formatText(name, module.source.text, { regoVersion: 'v0' }, isBoth ? { to: 'v0v1' } : {});
  } catch (error) {
    if (error instanceof FormatError || error instanceof CompileErrors) return undefined;
    throw error;
  }
}

/** A deletion with its line, where nothing else is on it. */
function wholeLine(edit: Edit, text: string): Edit {
  if (edit.text !== '') return edit;
  const start = text.lastIndexOf('\n', edit.start - 1) + 1;
  const end = text.indexOf('\n', edit.end);
  const isAlone = text.slice(start, edit.start).trim() === '' && end >= 0 && text.slice(edit.end, end).trim() === '';
  return isAlone ? { start, end: end + 1, text: '' } : edit;
}
