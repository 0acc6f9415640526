/** The suites of cases by name, and the function that runs each. */
import { resolve } from 'node:path';
import { type FoundCase, readCases } from './cases.js';
import { runModuleCase } from './modules.js';
import type { Outcome } from './outcome.js';
import { runPlanCase } from './plans.js';
import { runEvaluatorCase, runRegoCase } from './rego.js';
import { type Report, type Result, report } from './report.js';
import type { RestFace } from './rest.js';

type Run = (found: FoundCase, folder: string) => Promise<Outcome>;

const suites = {
  plans: (found: FoundCase) => runPlanCase(found.case),
  rego: (found: FoundCase, folder: string) => runRegoCase(found.case, versionOf(folder)),
  module: async (found: FoundCase) => runModuleCase(found.case),
  generated: (found: FoundCase, folder: string) => runRegoCase(found.case, versionOf(folder), 'always'),
  evaluator: (found: FoundCase, folder: string) => runEvaluatorCase(found.case, versionOf(folder)),
} satisfies Record<string, Run>;

/** A folder named `v0` is read in v0 mode. */
function versionOf(folder: string): 'v0' | 'v1' {
  return resolve(folder).split('/').includes('v0') ? 'v0' : 'v1';
}

export type Suite = keyof typeof suites | RestFace | 'cli' | 'envoy' | 'lint' | 'verify';

export const suiteNames: readonly Suite[] = [...(Object.keys(suites) as Suite[]), 'rest', 'library', 'cli', 'envoy', 'lint', 'verify'];

/**
 * Runs all cases below some folders (for `rest`, `library`, `cli`, `envoy`, `lint` and `verify`: of
 * some files), one after the other in this process.
 */
export async function runSuite(suite: Suite, folders: readonly string[]): Promise<Report> {
  if (suite === 'rest' || suite === 'library') return report(suite, await (await import('./rest.js')).runRest(folders, suite));
  if (suite === 'cli') return report('cli', await (await import('./cli.js')).runCli(folders));
  if (suite === 'envoy') return report('envoy', await (await import('./envoy/envoy.js')).runEnvoy(folders));
  if (suite === 'lint') return report('lint', await (await import('./lint/lint.js')).runLint(folders));
  if (suite === 'verify') return report('verify', await (await import('./verify/verify.js')).runVerify(folders));
  const results: Result[] = [];
  for (const folder of folders) {
    for (const found of readCases(folder)) results.push({ found, outcome: await suites[suite](found, folder) });
  }
  return report(suite, results);
}
