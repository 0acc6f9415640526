/**
 * `npm run -s fuzz -- --minutes N`: random policies in all ways, changes, and bundles, until the
 * time is over. Each difference is cut down to a small case and printed; then the exit code is 1.
 */
import { parseArgs } from 'node:util';
import { Choices } from '../generators/choices.js';
import { type PolicyCase, randomCase } from '../generators/random-case.js';
import { show } from './answers.js';
import { changesFailure } from './changes.js';
import { Counts, type Difference, differencesOf, ways } from './compare.js';
import { mutatedCase } from './mutated-cases.js';
import { ownershipFailure } from './ownership/sequences.js';
import { showCase } from './policy-case.js';
import { shrunk } from './shrink.js';
import type { Way } from './ways/way.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    /** The first of the seeds. */
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    /** How many seeds. */
    cases: { type: 'string', default: 'Infinity' },
    /** Ways, or generators: random, mutated, changes, ownership. */
    only: { type: 'string' },
    /** How many differences of one kind are shown, and the seconds to cut one down. */
    shown: { type: 'string', default: '3' },
    shrink: { type: 'string', default: '20' },
  },
});

const only = values.only?.split(',');
const counts = new Counts();
const kinds = new Map<string, number>();
let different = 0;

/** The tests of one seed, by their generator, and how often each is due. */
const generators: readonly { readonly name: string; readonly every: number; readonly run: (seed: number) => Promise<void> }[] = [
  { name: 'random', every: 1, run: (seed) => inAllWays('random', randomCase(seed), seed) },
  { name: 'mutated', every: 2, run: (seed) => inAllWays('mutated', mutatedCase(seed), seed) },
  {
    name: 'changes',
    every: 6,
    run: async (seed) => {
      const { text, evaluations } = await changesFailure(seed);
      counts.count('changes', evaluations);
      if (text !== undefined) await report('changes', () => text, seed);
    },
  },
  {
    name: 'ownership',
    every: 3,
    run: async (seed) => {
      const { text, evaluations } = await ownershipFailure(seed);
      counts.count('ownership', evaluations);
      if (text !== undefined) await report('ownership', () => text, seed);
    },
  },
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

/** Prints the first differences of a kind: the others mostly have the same cause. */
async function report(kind: string, text: () => string | Promise<string>, seed: number): Promise<void> {
  different++;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.get(kind)! <= Number(values.shown)) console.log(`\n=== seed ${seed}, ${kind}\n${await text()}`);
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
  return await shrunk(difference, attempt, Number(values.shrink) * 1000);
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

const named = generators.filter(({ name }) => only?.includes(name));
const isOnlyWays = only !== undefined && named.length === 0;
const chosen = named.length > 0 ? named : generators.filter(({ name }) => !isOnlyWays || name === 'random' || name === 'mutated');
const end = performance.now() + Number(values.minutes) * 60_000;
const start = Number(values.seed);
for (let seed = start; seed < start + Number(values.cases) && performance.now() < end; seed++) {
  for (const { every, run } of chosen) if (chosen.length === 1 || seed % every === 0) await run(seed);
}
console.log(counts.text());
for (const [kind, count] of kinds) console.log(`${count} differences of ${kind}`);
console.log(`${different} differences`);
process.exitCode = different > 0 ? 1 : 0;
