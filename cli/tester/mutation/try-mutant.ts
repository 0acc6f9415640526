/** Tries one mutant: compiles it, and runs the tests that reach it until one fails. */

import type { Compiled, Module, Span } from '../../../compiler/index.js';
import { CompileErrors, optimize, parseModule } from '../../../compiler/index.js';
import type { Policy } from '../../../ir-schema/index.js';
import type { ProbeTable } from '../../coverage/probe-table.js';
import type { TestOutcome } from '../test-program.js';
import { isEnded, type TestedPolicies } from './tested-policies.js';

/** A change of a module's text, with the numbers of the tests that reach it. */
export interface Trial {
  /** The name of the module. */
  readonly module: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly tests: readonly number[];
}

type TrialStatus = 'Killed' | 'Timeout' | 'Survived' | 'CompileError' | 'Ignored' | 'RuntimeError';

export interface Verdict {
  readonly status: TrialStatus;
  readonly reason?: string | undefined;
  /** The test that noticed. */
  readonly killedBy?: number;
  /** How many tests ran. */
  readonly ran: number;
  /** The test that came nearest to noticing a survivor. */
  readonly nearest?: Nearest | undefined;
}

interface Nearest {
  readonly test: number;
  /** How many expressions were evaluated more or less often than in the policy. */
  readonly differences: number;
}

/** Tests are planned in groups: the first of them notice most mutants. */
const groups = [3, 12, 50];

/** The most tests of a survivor that are asked how near they came. */
const mostNear = 12;

const noPlanDiffers = 'no plan differs';

export async function tryMutant(policies: TestedPolicies, trial: Trial): Promise<Verdict> {
  const compiled = mutated(policies, trial);
  if (typeof compiled === 'string') return { status: 'CompileError', reason: compiled, ran: 0 };
  let ran = 0;
  let differs = false;
  for (const tests of inGroups(trial.tests)) {
    const [before, after] = [policies.plan(tests), policies.planOver(compiled, tests)];
    if (sameWrittenPlans(before, after)) continue;
    differs ||= !samePlans(before, after);
    const program = await policies.program(after);
    for (const test of tests) {
      const outcome = await policies.runMutant(program, test);
      ran++;
      const status = statusOf(outcome);
      if (status !== undefined) return { status, killedBy: test, ran, reason: outcome.error?.message };
    }
  }
  if (!differs) return { status: 'Ignored', reason: noPlanDiffers, ran };
  return { status: 'Survived', ran, nearest: await nearest(policies, compiled, trial) };
}

/** The policies with the change, or why they do not compile. */
function mutated(policies: TestedPolicies, trial: Trial): Compiled | string {
  const before = policies.modules.get(trial.module);
  if (before === undefined) throw new Error(`there is no module ${trial.module}`);
  try {
    const compiled = policies.recompiled(trial.module, mutatedModule(before, trial));
    return compiled.diagnostics[0]?.message ?? compiled;
  } catch (error) {
    if (error instanceof CompileErrors) return error.diagnostics[0]?.message ?? error.message;
    throw error;
  }
}

function mutatedModule({ source, regoVersion }: Module, { start, end, replacement }: Trial): Module {
  const text = source.text.slice(0, start) + replacement + source.text.slice(end);
  return parseModule(source.file, text, { regoVersion: regoVersion === 'v1' ? 'v1' : 'v0' });
}

function statusOf({ fail, error }: TestOutcome): TrialStatus | undefined {
  if (isEnded(error)) return 'Timeout';
  return fail || error !== undefined ? 'Killed' : undefined;
}

function* inGroups(tests: readonly number[]): Generator<readonly number[]> {
  let from = 0;
  for (let i = 0; from < tests.length; i++) {
    const size = groups[Math.min(i, groups.length - 1)]!;
    yield tests.slice(from, from + size);
    from += size;
  }
}

/** The test whose evaluation differs in most places; of equal ones, the first. */
async function nearest(
  policies: TestedPolicies,
  compiled: Compiled,
  { module, start, end, replacement, tests }: Trial,
): Promise<Nearest | undefined> {
  const asked = tests.slice(0, mostNear);
  const { program, probes } = await policies.counting(compiled, asked);
  const file = policies.modules.get(module)?.source.file;
  const change = { file, start, end, length: replacement.length };
  let best: Nearest | undefined;
  for (const test of asked) {
    await policies.runMutant(program, test);
    const after = takeHits(probes, change, true);
    const unchanged = await policies.countingOne(test);
    await policies.runMutant(unchanged.program, test);
    const differences = countDifferences(takeHits(unchanged.probes, change), after);
    if (best === undefined || differences > best.differences) best = { test, differences };
  }
  return best;
}

function countDifferences(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  return [...new Set([...a.keys(), ...b.keys()])].filter((place) => a.get(place) !== b.get(place)).length;
}

/** A change of a file: the replaced stretch, and the length of its replacement. */
interface TextChange {
  readonly file: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly length: number;
}

/**
 * How often each place was passed since the hits were taken last.
 * @param change of the file whose places are left out: those inside of it are others in a mutant
 * @param isChanged whether the table is of the changed file: offsets are taken back to the other
 */
function takeHits(table: ProbeTable, change?: TextChange, isChanged = false): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const probe of table.all) {
    const { hits, kind, loc } = probe;
    probe.hits = 0;
    if (hits === 0) continue;
    const place = change?.file === loc.file ? placeBeside(loc, change!, isChanged) : `${loc.start} ${loc.end}`;
    if (place === undefined) continue;
    const key = `${kind} ${loc.file} ${place}`;
    places.set(key, (places.get(key) ?? 0) + hits);
  }
  return places;
}

/** The place in the unchanged file; undefined inside of the change. */
function placeBeside({ start, end }: Span, change: TextChange, isChanged: boolean): string | undefined {
  const changedEnd = change.start + change.length;
  if (start >= change.start && end <= (isChanged ? changedEnd : change.end)) return undefined;
  const back = (offset: number) => (isChanged && offset >= changedEnd ? offset - changedEnd + change.end : offset);
  return `${back(start)} ${back(end)}`;
}

/** Whether two policies have equal plans, as they are or once both are optimized. */
function samePlans(a: Policy, b: Policy): boolean {
  return isSame(a, b) || isSame(optimize(a, 2), optimize(b, 2));
}

/** Whether two policies have equal plans as they are. */
function sameWrittenPlans(a: Policy, b: Policy): boolean {
  return isSame(a, b);
}

/** The fields of places: lines move when a text is changed. */
const places: ReadonlySet<string> = new Set(['file', 'row', 'col', 'end_row', 'end_col', 'files']);

function isSame(a: unknown, b: unknown): boolean {
  const left: (readonly [unknown, unknown])[] = [[a, b]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false;
      for (let i = 0; i < one.length; i++) left.push([one[i], other[i]]);
      continue;
    }
    const keys = keysOf(one);
    if (keys.length !== keysOf(other).length) return false;
    for (const key of keys) left.push([one[key as never], other[key as never]]);
  }
  return true;
}

function keysOf(object: object): readonly string[] {
  return Object.keys(object).filter((key) => !places.has(key));
}
