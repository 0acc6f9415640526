/** Runs recorded checks, each scenario against its own server, with its steps in order. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { hasEnvoy } from '../../harness/envoy/envoy.js';
import { failed, type Outcome, passed } from '../outcome.js';
import type { Result } from '../report.js';
import { stepDifference } from './compare.js';
import { Observer } from './observe.js';
import { type EnvoyScenario, startScenario } from './scenario.js';

/** Runs the scenarios of some files. Each step is a result. */
export async function runEnvoy(files: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of files) {
    const scenario = JSON.parse(readFileSync(file, 'utf8')) as EnvoyScenario;
    const family = basename(file, '.json');
    const add = (note: string, outcome: Outcome) =>
      results.push({ found: { family, file, case: { note: `${family}: ${note}` } }, outcome });
    if (scenario.envoy !== undefined && !hasEnvoy) add('all', { skipped: 'scenarios with an Envoy, which is not installed' });
    else await runScenario(scenario, file, add);
  }
  return results;
}

async function runScenario(scenario: EnvoyScenario, file: string, add: (note: string, outcome: Outcome) => void): Promise<void> {
  const { start } = scenario;
  let running: Awaited<ReturnType<typeof startScenario>>;
  try {
    running = await startScenario(scenario, file);
  } catch (error) {
    const { message } = error as Error;
    const isWanted =
      start?.fails === true &&
      start.contains.every((part) => message.includes(part)) &&
      !start.lacks.some((part) => message.includes(part));
    add('start', isWanted ? passed : failed(`the server did not start: ${message}`));
    return;
  }
  const observer = new Observer(running);
  try {
    if (start?.fails === true) add('start', failed('the server started'));
    for (const [i, step] of scenario.steps.entries()) {
      const why = stepDifference(step, await observer.observe(step));
      add(`step ${i + 1}${step.note === undefined ? '' : `, ${step.note}`}`, why === undefined ? passed : failed(why));
    }
  } finally {
    observer.close();
    await running.stop();
  }
}
