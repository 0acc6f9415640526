/**
 * `npm run -s fuzz -- --minutes N`: random policies in all ways, changes, and bundles, until the
 * time is over. Each difference is cut down to a small case and printed; then the exit code is 1.
 */
import { parseArgs } from 'node:util';
import { Choices } from '../generators/choices.js';
import { loopCase } from '../generators/loop-case.js';
import { patchCase } from '../generators/patch-case.js';
import { type PolicyCase, randomCase } from '../generators/random-case.js';
import { setLoopCase } from '../generators/set-loop-case.js';
import { walkCase } from '../generators/walk-case.js';
import { show } from './answers.js';
import { changesFailure } from './changes.js';
import { Counts, type Difference, differencesOf, ways } from './compare.js';
import { conflictsFailure } from './data-conflicts.js';
import { FormCounts } from './forms.js';
import { mutatedCase } from './mutated-cases.js';
import { ownershipFailure } from './ownership/sequences.js';
import { showCase, subjectOf } from './policy-case.js';
import { shrunk } from './shrink.js';
import type { Way } from './ways/way.js';
import '../harness/set-up/quiet-warnings.js';

const options = {
  minutes: ['1', 'how long'],
  seed: [String(Date.now() % 1_000_000_000), 'the first of the seeds'],
  cases: ['Infinity', 'how many seeds'],
  only: ['', 'ways or generators, separated by commas'],
  shown: ['3', 'how many differences of a kind are shown'],
  shrink: ['20', 'the seconds to cut a difference down'],
  first: [false, 'end at the first difference'],
  forms: [false, 'count the forms of random policies instead of deciding these'],
  help: [false, 'show this'],
} as const;

const { values: given } = parseArgs({
  options: Object.fromEntries(
    Object.entries(options).map(([name, [value]]) => [name, { type: value === false ? 'boolean' : 'string' } as const]),
  ),
});

function option(name: keyof typeof options): string | boolean {
  return given[name] ?? options[name][0];
}

const only = option('only') === '' ? undefined : String(option('only')).split(',');
const counts = new Counts();
const kinds = new Map<string, number>();
let different = 0;

/** The tests of one seed, by their generator, and how often each is due. */
const generators: readonly { readonly name: string; readonly every: number; readonly run: (seed: number) => Promise<void> }[] = [
  { name: 'random', every: 1, run: (seed) => inAllWays('random', randomCase(seed), seed) },
  { name: 'mutated', every: 2, run: (seed) => inAllWays('mutated', mutatedCase(seed), seed) },
  { name: 'loops', every: 5, run: (seed) => inAllWays('loops', loopCase(seed), seed) },
  { name: 'sets', every: 5, run: (seed) => inAllWays('sets', setLoopCase(seed), seed) },
  { name: 'walks', every: 5, run: (seed) => inAllWays('walks', walkCase(seed), seed) },
  { name: 'patches', every: 7, run: (seed) => inAllWays('patches', patchCase(seed), seed) },
  { name: 'changes', every: 6, run: (seed) => apart('changes', changesFailure, seed) },
  { name: 'ownership', every: 3, run: (seed) => apart('ownership', ownershipFailure, seed) },
  { name: 'conflicts', every: 8, run: (seed) => apart('conflicts', conflictsFailure, seed) },
];

async function inAllWays(generator: string, given: PolicyCase | undefined, seed: number): Promise<void> {
  if (given === undefined) {
    counts.refused++;
    return;
  }
  for (const difference of await differencesOf(given, chosenWays(belowOf(seed + 1)), belowOf(seed), counts)) {
    await report(`${generator}, ${difference.way.name} ${kindOf(difference)}`, async () => shown(await smaller(difference, seed)), seed);
  }
}

type Failure = (seed: number) => Promise<{ readonly evaluations: number; readonly text?: string | undefined }>;

/** A generator that decides by itself. */
async function apart(generator: string, failure: Failure, seed: number): Promise<void> {
  const { text, evaluations } = await failure(seed);
  counts.count(generator, evaluations);
  if (text !== undefined) await report(generator, () => text, seed);
}

/** Prints the first differences of a kind: the others mostly have the same cause. */
async function report(kind: string, text: () => string | Promise<string>, seed: number): Promise<void> {
  different++;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.get(kind)! <= Number(option('shown'))) console.log(`\n=== seed ${seed}, ${kind}\n${await text()}`);
}

function shown({ way, given, answer, wanted }: Difference): string {
  const note = 'note' in answer ? `${answer.note}\n` : '';
  return `${way.name}: ${show(answer)}\nvm: ${show(wanted)}\n${note}${showCase(given)}`;
}

/** The difference of a smaller case; choices are those of the whole one. */
async function smaller(difference: Difference, seed: number): Promise<Difference> {
  const kind = kindOf(difference);
  const attempt = async (given: PolicyCase) => {
    const [found] = await differencesOf(given, [difference.way], belowOf(seed));
    return found !== undefined && kindOf(found) === kind ? found : undefined;
  };
  return await shrunk(difference, attempt, Number(option('shrink')) * 1000);
}

/** What stays when a case gets smaller: of a problem its sentences, without names and places. */
function kindOf({ answer }: Difference): string {
  if (!('problem' in answer)) return 'error' in answer ? answer.error : 'value';
  const [first = '', second = ''] = answer.problem.replaceAll(/\S*\/\S*|"[^"]*"|\b(?:data|input)\S*|\b\w*\d+\w*|\b_\b/g, '').split('\n');
  return `${first} ${second.trim()}`;
}

function belowOf(seed: number): (limit: number) => number {
  const choices = new Choices(seed ^ 0x55555555);
  return (limit) => choices.below(limit);
}

function chosenWays(below: (limit: number) => number): readonly Way[] {
  const named = ways.filter(({ name }) => only?.includes(name));
  return named.length > 0 ? named : ways.filter(({ share }) => below(100) < share);
}

/** How often random policies have the forms of the language, and evaluate them. */
async function countForms(seeds: Iterable<number>): Promise<void> {
  const forms = new FormCounts();
  for (const seed of seeds) {
    const given = randomCase(seed);
    const subject = given && subjectOf(given);
    if (subject !== undefined) await forms.add(subject);
  }
  console.log(forms.text());
}

/** The first Ctrl-C ends the run with what was counted. */
let isInterrupted = false;
process.once('SIGINT', () => (isInterrupted = true));

function* seeds(): IterableIterator<number> {
  const end = performance.now() + Number(option('minutes')) * 60_000;
  const start = Number(option('seed'));
  for (let seed = start; seed < start + Number(option('cases')) && performance.now() < end && !isInterrupted; seed++) yield seed;
}

async function decideAll(): Promise<void> {
  const named = generators.filter(({ name }) => only?.includes(name));
  const isOnlyWays = only !== undefined && named.length === 0;
  const chosen = named.length > 0 ? named : generators.filter(({ name }) => !isOnlyWays || name === 'random' || name === 'mutated');
  for (const seed of seeds()) {
    for (const { every, run } of chosen) if (chosen.length === 1 || seed % every === 0) await run(seed);
    if (option('first') && different > 0) break;
  }
  console.log(counts.text());
  for (const [kind, count] of kinds) console.log(`${count} differences of ${kind}`);
  console.log(`${different} differences in ${Math.round(process.cpuUsage().user / 1e6)} s of processor time`);
  process.exitCode = different > 0 ? 1 : 0;
}

const help = Object.entries(options).map(([name, [value, what]]) => `--${name}${value === false ? '' : ` ${value}`}`.padEnd(24) + what);
if (option('help')) console.log(help.join('\n'));
else if (option('forms')) await countForms(seeds());
else await decideAll();
