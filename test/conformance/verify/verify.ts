/** Runs recorded calls of conftest, each in its own folder, in this process. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseCaseFile } from '../cases.js';
import { failed, type Outcome, passed } from '../outcome.js';
import type { Result } from '../report.js';
import { callOf, type VerifyCase } from './verify-case.js';
import { answerDifference } from './verify-compare.js';

/** Runs the cases of some files or folders. */
export async function runVerify(paths: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of paths.flatMap(filesOf)) {
    const cases = parseCaseFile(file, readFileSync(file, 'utf8')) as unknown as VerifyCase[];
    for (const one of cases)
      results.push({ found: { family: basename(file, '.json'), file, case: { note: one.name } }, outcome: await runOne(one) });
  }
  return results;
}

/** A file, or all files of cases below a folder. */
function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = (readdirSync(path, { recursive: true }) as string[]).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(path, name));
}

async function runOne(one: VerifyCase): Promise<Outcome> {
  try {
    const why = answerDifference(one, await callOf(one));
    return why === undefined ? passed : failed(why);
  } catch (error) {
    return failed(`could not be run: ${(error as Error).message}`);
  }
}
