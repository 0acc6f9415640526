/**
 * `npm run -s fuzz -- --minutes N`: random policies, decided in all ways, until the time is over.
 * Each difference is cut down to a small case and printed; then the exit code is 1.
 */
import { parseArgs } from 'node:util';
import { Choices } from '../generators/choices.js';
import { type PolicyCase, randomCase } from '../generators/random-case.js';
import { show } from './answers.js';
import { Counts, type Difference, differencesOf, ways } from './compare.js';
import { showCase } from './policy-case.js';
import { shrunk } from './shrink.js';
import type { Way } from './ways/way.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    only: { type: 'string' },
    cases: { type: 'string', default: 'Infinity' },
    shown: { type: 'string', default: '3' },
    shrink: { type: 'string', default: '20' },
  },
});

function print({ way, given, answer, wanted }: Difference, seed: number): void {
  const note = 'note' in answer ? `${answer.note}\n` : '';
  console.log(`\n=== seed ${seed}, ${way.name}: ${show(answer)}\n=== vm: ${show(wanted)}\n${note}${showCase(given)}`);
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
  return `${first}\n${second.trim()}`;
}

function belowOf(seed: number): (limit: number) => number {
  const choices = new Choices(seed ^ 0x55555555);
  return (limit) => choices.below(limit);
}

function chosenWays(below: (limit: number) => number): readonly Way[] {
  if (values.only === undefined) return ways.filter(({ share }) => below(100) < share);
  return ways.filter(({ name }) => values.only!.split(',').includes(name));
}

const end = performance.now() + Number(values.minutes) * 60_000;
const start = Number(values.seed);
const counts = new Counts();
let different = 0;
const kinds = new Map<string, number>();
for (let seed = start; seed < start + Number(values.cases) && performance.now() < end; seed++) {
  const given = randomCase(seed);
  if (given === undefined) {
    counts.refused++;
    continue;
  }
  for (const difference of await differencesOf(given, chosenWays(belowOf(seed + 1)), belowOf(seed), counts)) {
    different++;
    const kind = `${difference.way.name} ${kindOf(difference)}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    // Others of its kind mostly have its cause.
    if (kinds.get(kind)! <= Number(values.shown)) print(await smaller(difference, seed), seed);
  }
}
console.log(counts.text());
for (const [kind, count] of kinds) console.log(`${count} differences of ${kind.trim()}`);
console.log(`${different} differences`);
process.exitCode = different > 0 ? 1 : 0;
