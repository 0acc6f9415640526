/** Mutates policies, and finds which of the mutants their tests notice. */

import { availableParallelism } from 'node:os';
import { directivesOf, isIgnored, testRef } from '../../../compiler/index.js';
import { exactText, type PlainObject } from '../../../values/index.js';
import { findMutants, type Mutant, type MutantStatus, type MutationResult } from '../../../views/index.js';
import type { Io } from '../../io.js';
import type { ParsedFile } from '../../load-policies.js';
import { passed, type TestResult } from '../result.js';
import { testResultOf } from '../test-run.js';
import { TestReach } from './reach.js';
import { type MutationSettings, TestedPolicies } from './tested-policies.js';
import { type MutantThreads, verdictsOf } from './threads.js';
import { type Trial, tryMutant } from './try-mutant.js';

export interface MutationOptions extends MutationSettings {
  /** How many threads; undefined: as long runs need. */
  readonly parallel: number | undefined;
  /** The rows of a file that are mutated: all, unless they are asked for. */
  readonly isChosen?: ((file: string, row: number, endRow: number) => boolean) | undefined;
}

/** Milliseconds before which other threads are not worth their start. */
const singleThreadMs = 1500;

/** Threads read the text of a file. */
const noBytes = new Uint8Array();

/** Some test fails without a change: there is nothing to be learnt by mutants. */
export class FailingTests extends Error {
  readonly results: readonly TestResult[];

  constructor(results: readonly TestResult[]) {
    super('tests fail without a mutation');
    this.results = results;
  }
}

/** Rejects with CompileErrors, or with FailingTests. */
export async function mutationRun(
  given: readonly ParsedFile[],
  data: PlainObject,
  options: MutationOptions,
  io: Pick<Io, 'entry' | 'env' | 'progress'>,
): Promise<MutationResult> {
  const policies = await TestedPolicies.open(given, data, options, io);
  await runUnchanged(policies, io);
  const reach = await reachOf(policies, io);
  const found = policies.parsed.flatMap((file) =>
    isTestedFile(file) ? mutantsOf(file, options).map((one) => ({ name: file.name, ...one })) : [],
  );
  const trials: Trial[] = [];
  const planned = found.map(({ name, mutant, isIgnored }) => {
    const tests = isIgnored ? [] : reach.testsOf(mutant);
    const { span, replacement } = mutant;
    if (tests.length === 0) return { mutant, isIgnored, tests, trial: undefined };
    const trial = trials.push({ module: name, start: span.start, end: span.end, replacement, tests }) - 1;
    return { mutant, isIgnored, tests, trial };
  });
  io.progress?.stage('trying mutants', trials.length);
  const verdicts = await verdictsOf(
    trials,
    (trial) => tryMutant(policies, trial),
    threadsFor(policies, data, options, io),
    () => io.progress?.advance(),
  );
  return {
    tests: policies.tests.map(({ fullName, location }) => ({ name: fullName, location })),
    sources: new Map(policies.parsed.map(({ module }) => [module.source.file, module.source])),
    mutants: planned.map(({ mutant, isIgnored, tests, trial }) => ({
      mutant,
      coveredBy: tests,
      ...(trial === undefined ? untried(isIgnored) : verdicts[trial]!),
    })),
  };
}

function untried(isIgnored: boolean): {
  readonly status: MutantStatus;
  readonly reason?: string;
  readonly ran: number;
} {
  return isIgnored ? { status: 'Ignored', reason: 'a comment says so', ran: 0 } : { status: 'NoCoverage', ran: 0 };
}

/** Files with tests are not mutated, nor are those that only tests would be in by their name. */
export function isTestedFile({ file, module }: ParsedFile): boolean {
  return !/_test\.rego$/.test(file.path) && !module.rules.some(({ head }) => testRef(head) !== undefined);
}

function mutantsOf(
  { module }: ParsedFile,
  { isChosen }: MutationOptions,
): readonly { readonly mutant: Mutant; readonly isIgnored: boolean }[] {
  const directives = directivesOf(module.comments);
  return findMutants(module)
    .filter(({ span }) => isChosen === undefined || isChosen(span.file, span.row, span.endPosition.row))
    .map((mutant) => ({ mutant, isIgnored: isIgnored(directives, mutant.operator, mutant.span.row) }));
}

/** Runs all tests on the policies as they are. */
async function runUnchanged(policies: TestedPolicies, io: Pick<Io, 'progress'>): Promise<void> {
  const numbers = [...policies.tests.keys()];
  io.progress?.stage('running tests', numbers.length);
  const program = await policies.program(policies.planOver(policies.compiled, numbers));
  const results: TestResult[] = [];
  for (const [number, test] of policies.tests.entries()) {
    results.push(testResultOf(test, await policies.run(program, number)));
    io.progress?.advance();
  }
  if (!results.every(passed)) throw new FailingTests(results);
}

async function reachOf(policies: TestedPolicies, io: Pick<Io, 'progress'>): Promise<TestReach> {
  const numbers = [...policies.tests.keys()];
  io.progress?.stage('finding what tests reach', numbers.length);
  const { program, probes } = await policies.counting(policies.compiled, numbers);
  const reach = new TestReach(probes, policies.tests, policies.compiled);
  for (const number of numbers) {
    await policies.run(program, number);
    reach.ran(number);
    io.progress?.advance();
  }
  return reach;
}

function threadsFor(
  policies: TestedPolicies,
  data: PlainObject,
  { parallel, capabilities, schemas, strict, timeMs }: MutationOptions,
  { entry, env }: Pick<Io, 'entry' | 'env'>,
): MutantThreads | undefined {
  const count = (parallel ?? availableParallelism()) - 1;
  if (entry === undefined || count < 1) return undefined;
  return {
    entry,
    count,
    afterMs: parallel === undefined ? singleThreadMs : 0,
    data: () => ({
      files: policies.parsed.map(({ name, file, module }) => ({
        name,
        file: { ...file, bytes: noBytes },
        version: module.regoVersion === 'v1' ? 'v1' : 'v0',
      })),
      data: exactText(data),
      env: { ...env },
      capabilities,
      schemas: schemas && [...schemas].map(([name, schema]) => [name, exactText(schema)] as const),
      strict,
      timeMs,
      names: new Set(policies.tests.map(({ fullName }) => fullName)),
      budgets: policies.budgets,
    }),
  };
}
