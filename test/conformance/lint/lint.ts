/**
 * Runs the recorded cases of the linter (lint/README.md) in their own folders, one after the other
 * in this process: the folder of the process is that of the case.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Io } from '../../../cli/io.js';
import { runCommandLine } from '../../../cli/run.js';
import { failed, type Outcome, passed } from '../outcome.js';
import type { Result } from '../report.js';
import { type LintCall, type LintCase, lintDifference } from './lint-compare.js';

/** The files of cases below some folders, or some files. */
export function lintFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? (readdirSync(path, { recursive: true }) as string[])
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => join(path, name))
      : [path],
  );
}

export async function runLint(paths: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of lintFiles(paths)) {
    const family = basename(file, '.json');
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as LintCase[])
      results.push({ found: { family, file, case: { note: one.name } }, outcome: await runOne(one) });
  }
  return results;
}

async function runOne(one: LintCase): Promise<Outcome> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'writ-lint-')));
  const before = process.cwd();
  try {
    const why = await inFolder(one, base);
    return why === undefined ? passed : failed(why);
  } catch (error) {
    return failed(`could not be run: ${(error as Error).stack}`);
  } finally {
    process.chdir(before);
    rmSync(base, { recursive: true, force: true });
  }
}

async function inFolder(one: LintCase, base: string): Promise<string | undefined> {
  const folder = join(base, 'w');
  const home = join(base, 'home');
  mkdirSync(folder);
  mkdirSync(home);
  write(folder, one.files ?? {});
  if (one.config != null) write(folder, { '.regal/config.yaml': one.config });
  write(home, one.home ?? {});
  const before = filesBelow(folder);
  const fill = (text: string): string => text.replaceAll('$DIR', folder);
  const command = one.command ?? 'lint';
  const isReport = command === 'lint' && one.whole === undefined;
  process.chdir(one.cwd === undefined ? folder : join(folder, one.cwd));
  const args = ['regal', command, ...(isReport ? ['--format', 'json'] : []), ...one.args.map(fill)];
  const env = Object.fromEntries(Object.entries(one.env ?? {}).map(([name, value]) => [name, fill(value)]));
  const ended = await call(args, { HOME: home, ...env }, one.stdin ?? '');
  const clean = (text: string): string => text.replaceAll(folder, '$DIR');
  const again = one.whole === 'described' ? await call(['regal', command, ...withJson(one.args.map(fill))], { HOME: home }, '') : undefined;
  return lintDifference(one, {
    ...ended,
    stdout: clean(ended.stdout),
    stderr: clean(ended.stderr),
    report: clean(isReport ? ended.stdout : (again?.stdout ?? '')),
    changed: changes(before, filesBelow(folder)),
    read: (path) => (existsSync(join(folder, path)) ? clean(readFileSync(join(folder, path), 'utf8')) : null),
  });
}

function withJson(args: readonly string[]): string[] {
  const at = args.findIndex((arg) => arg === '--format' || arg === '-f');
  return at < 0 ? ['--format', 'json', ...args] : args.map((arg, i) => (i === at + 1 ? 'json' : arg));
}

async function call(args: readonly string[], env: Record<string, string>, stdin: string): Promise<LintCall> {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    stdin: () => new TextEncoder().encode(stdin),
    stdout: (text) => void (stdout += text),
    stderr: (text) => void (stderr += text),
    env,
    color: false,
  };
  return { exit: await runCommandLine(args, io), stdout, stderr };
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function filesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

/** Files that differ, with their new text; null for those that are gone. */
function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Record<string, string | null> {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changed = names.filter((name) => before.get(name) !== after.get(name));
  return Object.fromEntries(changed.map((name) => [name, after.get(name) ?? null]));
}
