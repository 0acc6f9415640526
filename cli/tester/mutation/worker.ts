/** A thread that tries mutants until there is none left. */
import { parentPort, workerData } from 'node:worker_threads';
import { exactValue, type PlainObject } from '../../../values/index.js';
import { parseFile } from '../../load-policies.js';
import type { MutantReport, MutantThreadData } from './messages.js';
import { TestedPolicies } from './tested-policies.js';
import { tryMutant } from './try-mutant.js';

export async function tryMutants(): Promise<void> {
  const { files, data, env, capabilities, schemas, names, budgets, trials, next, current, ...settings } =
    workerData as MutantThreadData;
  const parsed = files.map(({ name, file, version }) => ({
    name,
    file,
    module: parseFile(file, version, capabilities),
  }));
  const policies = await TestedPolicies.open(
    parsed,
    exactValue(data) as PlainObject,
    {
      ...settings,
      capabilities,
      schemas: schemas && new Map(schemas.map(([name, text]) => [name, exactValue(text)])),
      matches: (name) => names.has(name),
    },
    { env },
  );
  policies.budgets = budgets;
  for (let number = Atomics.add(next, 0, 1); number < trials.length; number = Atomics.add(next, 0, 1)) {
    Atomics.store(current, 0, number);
    const verdict = await tryMutant(policies, trials[number]!);
    parentPort?.postMessage({ number, verdict } satisfies MutantReport);
  }
}
