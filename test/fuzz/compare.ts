/** Decides a policy in many ways, and finds the answers that differ. */

import type { PolicyCase } from '../generators/random-case.js';
import { type Answer, textsOf } from './answers.js';
import { knownDifferences } from './known-differences.js';
import { type Subject, subjectOf } from './policy-case.js';
import { modules, plans, tests } from './ways/commands.js';
import { explain, objects, texts } from './ways/library.js';
import { code, vm, walk } from './ways/programs.js';
import { residual } from './ways/residual.js';
import { rewritten } from './ways/rewritten.js';
import { evaluator, oracle, trace, why } from './ways/searches.js';
import type { Decide, Unprepared, Way } from './ways/way.js';

/** All but the VM, which they are compared with. */
export const ways: readonly Way[] = [
  code,
  walk,
  objects,
  texts,
  modules,
  ...plans,
  rewritten,
  evaluator,
  oracle,
  trace,
  why,
  explain,
  residual,
  tests,
];

/** Stands for what comes before all ways. */
const compiling: Way = { name: 'compile', isProgram: true, share: 0, prepare: async () => undefined };

const vmItself: Way = { ...vm, isProgram: true, share: 0 };

/** Two answers to one question, which the case is cut down to. */
export interface Difference {
  readonly way: Way;
  readonly given: PolicyCase;
  readonly answer: Answer;
  readonly wanted: Answer;
}

/** Evaluations by their outcome. */
export class Counts {
  refused = 0;
  policies = 0;
  readonly evaluations = new Map<string, number>();
  readonly skipped = new Map<string, number>();
  readonly outcomes = { defined: 0, undefined: 0, errors: 0, limits: 0 };

  get total(): number {
    let sum = 0;
    for (const count of this.evaluations.values()) sum += count;
    return sum;
  }

  count(way: string, evaluations = 1): void {
    this.evaluations.set(way, (this.evaluations.get(way) ?? 0) + evaluations);
  }

  /** For people. */
  text(): string {
    const list = (rows: Iterable<readonly [string, number]>) => [...rows].map(([name, count]) => `  ${count} ${name}`).join('\n');
    const { policies, refused, total, evaluations, skipped, outcomes } = this;
    return [
      `${policies} policies (${refused} refused), ${total} evaluations:`,
      list(evaluations),
      'of the VM, by their outcome:',
      list(Object.entries(outcomes)),
      'not compared:',
      list(skipped),
    ].join('\n');
  }

  skip(why: string): void {
    this.skipped.set(why, (this.skipped.get(why) ?? 0) + 1);
  }
}

export type Random = (limit: number) => number;

/**
 * The first difference of each way.
 * @param chosen the ways that take part
 */
export async function differencesOf(
  given: PolicyCase,
  chosen: readonly Way[],
  random: Random,
  counts = new Counts(),
): Promise<readonly Difference[]> {
  let subject: Subject | undefined;
  try {
    subject = subjectOf(given);
  } catch (error) {
    return [crashed(compiling, given, error)];
  }
  if (subject === undefined) {
    counts.refused++;
    return [];
  }
  counts.policies++;
  const asked = await askedOf(subject, counts);
  if ('way' in asked) return [asked];
  const found: Difference[] = [];
  for (const way of chosen) {
    const difference = await differenceOf(subject, asked, way, random, counts);
    if (difference !== undefined) found.push(difference);
  }
  return found;
}

interface Asked {
  readonly path: number;
  readonly input: number;
  readonly wanted: Answer;
}

function crashed(way: Way, given: PolicyCase, error: unknown): Difference {
  return { way, given, answer: { problem: `crash: ${(error as Error).stack}` }, wanted: { skipped: 'not decided' } };
}

/** What the VM answers, where it ends in time. */
async function askedOf(subject: Subject, counts: Counts): Promise<readonly Asked[] | Difference> {
  const decide = await vm.prepare(subject);
  const asked: Asked[] = [];
  for (const path of subject.paths.keys()) {
    for (const input of subject.inputs.keys()) {
      let wanted: Answer;
      try {
        wanted = await decide(path, input);
      } catch (error) {
        const given = { ...subject, inputs: [subject.inputs[input]], paths: [subject.paths[path]!] };
        return crashed(vmItself, given, error);
      }
      counts.count(vm.name);
      if ('error' in wanted) {
        if (wanted.error === 'eval_cancel_error') {
          counts.outcomes.limits++;
          continue;
        }
        counts.outcomes.errors++;
      } else if ('value' in wanted && wanted.value === undefined) counts.outcomes.undefined++;
      else counts.outcomes.defined++;
      asked.push({ path, input, wanted });
    }
  }
  return asked;
}

async function differenceOf(
  subject: Subject,
  asked: readonly Asked[],
  way: Way,
  random: Random,
  counts: Counts,
): Promise<Difference | undefined> {
  const differs = (path: number, input: number, answer: Answer, wanted: Answer): Difference => ({
    way,
    given: { ...subject, inputs: [subject.inputs[input]], paths: [subject.paths[path]!] },
    answer,
    wanted,
  });
  // The whole case, for any part of it may be the cause.
  const unprepared = (problem: string): Difference | undefined => {
    const [answer, wanted]: [Answer, Answer] = [{ problem }, { skipped: 'not decided' }];
    return isKnown(way, answer, wanted, subject, counts) ? undefined : { way, given: subject, answer, wanted };
  };
  let decide: Decide | Unprepared | undefined;
  try {
    decide = await way.prepare(subject, random);
  } catch (error) {
    return unprepared(`crash: ${(error as Error).stack}`);
  }
  if (decide === undefined) return undefined;
  if ('problem' in decide) return unprepared(decide.problem);
  for (const { path, input, wanted } of asked) {
    let answer: Answer;
    try {
      answer = await decide(path, input);
    } catch (error) {
      answer = { problem: `crash: ${(error as Error).stack}` };
    }
    if ('skipped' in answer) {
      counts.skip(answer.skipped);
      continue;
    }
    counts.count(way.name);
    const [found, right] = textsOf(answer, wanted);
    if (found === right) continue;
    if (!isKnown(way, answer, wanted, { ...subject, inputs: [subject.inputs[input]] }, counts)) return differs(path, input, answer, wanted);
  }
  return undefined;
}

function isKnown(way: Way, answer: Answer, wanted: Answer, given: PolicyCase, counts: Counts): boolean {
  const known = knownDifferences.find(({ covers }) => covers(way, answer, wanted, given));
  if (known !== undefined) counts.skip(known.why);
  return known !== undefined;
}
