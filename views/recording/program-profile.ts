/** A plan on the virtual machine and in generated code: its time, and the indexes that it uses. */

import { endsEvaluation, type PlanRunOptions, type RunSetting, targetOf } from '../../engine/index.js';
import type { Policy } from '../../ir-schema/index.js';
import type { ArrayIndex, CodegenMode, EngineContext, Program } from '../../runtime/index.js';
import {
  AnswerRecord,
  ArrayIndexes,
  assemble,
  Evaluation,
  instructionPlace,
  instructionsOf,
  linkLoaded,
  mayGenerate,
  Op,
} from '../../runtime/index.js';
import { type ArrayValue, watchWork } from '../../values/index.js';

/** The executable of the plan where it is not walked. */
export interface ProgramProfile {
  /** The time of one evaluation, by what runs it. */
  readonly tiers: readonly ProfiledTier[];
  /** The indexes of the virtual machine. */
  readonly indexes: readonly ProfiledIndex[];
}

interface ProfiledTier {
  readonly name: 'vm' | 'javascript';
  /** The least of several evaluations, after those that had to compile. */
  readonly time_ns: number;
}

/** Arrays that loops look in by the value at a path of their elements. */
interface ProfiledIndex {
  readonly path: readonly string[];
  /** The places of the loops that may use it, `file:row:col`. */
  readonly loops: readonly string[];
  /** How many loops asked for it in one evaluation, and for how many it found the elements. */
  readonly asked: number;
  readonly hits: number;
  /** How many arrays were indexed. */
  readonly built: number;
}

interface IndexCounts {
  asked: number;
  hits: number;
  readonly built: Set<ArrayIndex>;
}

type Counts = Map<readonly string[], IndexCounts>;

class CountedIndexes extends ArrayIndexes {
  readonly #counts: Counts;

  constructor(counts: Counts, lasting: boolean) {
    super(lasting);
    this.#counts = counts;
  }

  override index(...[array, path, ...rest]: Parameters<ArrayIndexes['index']>): ArrayIndex | undefined {
    const counts = this.#of(path);
    const index = super.index(array, path, ...rest);
    counts.asked++;
    if (index !== undefined) {
      counts.hits++;
      counts.built.add(index);
    }
    return index;
  }

  override groups(...[array, path, ...rest]: Parameters<ArrayIndexes['groups']>): readonly number[] | undefined {
    const counts = this.#of(path);
    const groups = super.groups(array as ArrayValue, path, ...rest);
    counts.asked++;
    if (groups !== undefined) counts.hits++;
    return groups;
  }

  #of(path: readonly string[]): IndexCounts {
    let counts = this.#counts.get(path);
    if (counts === undefined) this.#counts.set(path, (counts = { asked: 0, hits: 0, built: new Set() }));
    return counts;
  }
}

class CountedEvaluation extends Evaluation {
  readonly #counts: Counts;

  constructor(context: EngineContext, options: PlanRunOptions, counts: Counts) {
    super(context, options, new AnswerRecord(options.known));
    this.#counts = counts;
  }

  override ownIndexes(): ArrayIndexes {
    return new CountedIndexes(this.#counts, false);
  }
}

/** Evaluations of each tier before and while its time is taken: they stop early after `maxMs`. */
const warmRuns = 5;
const timedRuns = 20;
const maxMs = 200;

/**
 * Evaluates a plan by its program.
 * @param policy verified
 * @returns undefined where an error ends the evaluation
 */
export function programProfile(
  policy: Policy,
  entrypoint: string,
  { documents, builtins, context, options }: RunSetting,
): ProgramProfile | undefined {
  const program = assemble(policy);
  const executable = linkLoaded(program, builtins);
  const { plan } = targetOf(executable, entrypoint);
  const counts: Counts = new Map();
  const run = (codegen: CodegenMode, dataIndexes: ArrayIndexes, counted: Counts): number => {
    const evaluation = new CountedEvaluation({ ...context, codegen, dataIndexes }, options, counted);
    const before = watchWork(evaluation.meter);
    const start = performance.now();
    try {
      executable.run(plan, documents.input, documents.data, evaluation);
      return performance.now() - start;
    } finally {
      watchWork(before);
    }
  };
  const timed = (codegen: CodegenMode): number => {
    const indexes = new ArrayIndexes();
    const until = performance.now() + maxMs;
    for (let i = 0; i < warmRuns && performance.now() < until; i++) run(codegen, indexes, new Map());
    let least = run(codegen, indexes, new Map());
    for (let i = 1; i < timedRuns && performance.now() < until; i++)
      least = Math.min(least, run(codegen, indexes, new Map()));
    return Math.round(least * 1e6);
  };
  try {
    run('never', new CountedIndexes(counts, true), counts);
    const tiers: ProfiledTier[] = [{ name: 'vm', time_ns: timed('never') }];
    if (mayGenerate()) tiers.push({ name: 'javascript', time_ns: timed('always') });
    return { tiers, indexes: indexesOf(program, counts) };
  } catch (error) {
    if (!endsEvaluation(error)) throw error;
    return undefined;
  }
}

/** The indexes by the paths at which loops of the program may look for elements. */
function indexesOf(program: Program, counts: Counts): readonly ProfiledIndex[] {
  const loops = new Map<readonly string[], Set<string>>();
  for (const { pc, op } of instructionsOf(program)) {
    if (op !== Op.ScanIndex && op !== Op.ScanGroups) continue;
    // The second operand of both.
    const path = program.documentPaths[program.code[pc + 2]!]!;
    const { file, row, col } = instructionPlace(program, pc);
    loops.set(path, (loops.get(path) ?? new Set()).add(`${file}:${row}:${col}`));
  }
  return [...loops].map(([path, places]) => {
    const { asked, hits, built } = counts.get(path) ?? { asked: 0, hits: 0, built: new Set() };
    return { path, loops: [...places], asked, hits, built: built.size };
  });
}
