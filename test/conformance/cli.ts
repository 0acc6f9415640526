/** Runs recorded calls of the command line, each in its own folder, with the built command. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseCaseFile } from './cases.js';
import { type CallResult, type CliCase, folderPlaceholder, runCase } from './cli-case.js';
import { outputDifference, textDifference } from './cli-compare.js';
import { failed, type Outcome, passed } from './outcome.js';
import type { Result } from './report.js';

/** Runs the cases of some files, two at a time. */
export async function runCli(files: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of files) {
    const { command, cases } = parseCaseFile(file, readFileSync(file, 'utf8')) as unknown as { command?: string; cases: CliCase[] };
    const family = command ?? basename(file, '.json');
    for (let i = 0; i < cases.length; i += 2) {
      const outcomes = await Promise.all(cases.slice(i, i + 2).map((one) => runOne(one)));
      for (const [n, outcome] of outcomes.entries())
        results.push({ found: { family, file, case: { note: `${family}: ${cases[i + n]!.name}` } }, outcome });
    }
  }
  return results;
}

async function runOne(one: CliCase): Promise<Outcome> {
  try {
    const why = await runCase(one, (ended, folder) => judge(one, ended, folder));
    return why === undefined ? passed : failed(why);
  } catch (error) {
    return failed(`could not be run: ${(error as Error).message}`);
  }
}

async function judge(one: CliCase, ended: CallResult, folder: string): Promise<string | undefined> {
  const replaced = (text: string): string =>
    (one.replace ?? []).reduce((all, [pattern, by]) => all.replace(new RegExp(pattern, 'gm'), by), text);
  const clean = (text: string): string => replaced(text.replaceAll(folder, folderPlaceholder));
  if (ended.exit !== one.exit) return `wanted the exit status ${one.exit}, got ${ended.exit}: ${ended.stderr || ended.stdout}`;
  for (const stream of ['stdout', 'stderr'] as const) {
    const comparison = one.compare?.[stream];
    const why = comparison && textDifference(replaced(one[stream] ?? ''), clean(ended[stream]), comparison);
    if (why !== undefined) return `${stream}: ${why}`;
  }
  for (const [path, output] of Object.entries(one.outputs ?? {})) {
    const wanted = output.text === undefined ? output : { ...output, text: replaced(output.text) };
    const why = await outputDifference(join(folder, path), wanted, clean);
    if (why !== undefined) return `${path}: ${why}`;
  }
  return undefined;
}
