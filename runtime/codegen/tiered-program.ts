import { objectsInherit, type Steps, type Value } from '../../values/index.js';
import { type Program, placeAt, stackEntry } from '../bytecode/program.js';
import type { EngineContext } from '../evaluation/engine-context.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { type Executable, type PlanIndex, resultOf, type StandingDecision } from '../evaluation/executable.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import { mayGenerate } from '../evaluation/may-generate.js';
import { LinkedProgram } from '../vm/linked-program.js';
import type { ActivationOrigins } from './activation.js';
import { CodeGenerator } from './code-generator.js';
import { GeneratedDecision, StandingState } from './generated-decision.js';
import { GeneratedProgram } from './generated-program.js';

/** The runs of a plan on the VM before it runs as JavaScript. */
const warmRuns = 50;

/**
 * Units of work after which a run on the VM begins again as JavaScript: as long as its functions
 * may take to become JavaScript, some 15 ms, and more for each number of the program's code. Most
 * runs that get there do many times as much. A unit takes 250 ns at first, 60 later, and in
 * generated code 2.
 */
const unitsOfTrial = 50_000;
const unitsOfCode = 30;

/** Built-ins with an effect outside of the evaluation, which must not be repeated. */
const effects = new Set(['internal.print', 'print', 'trace']);

/** A program whose plans run on the VM until they are warm, and as JavaScript from then on. */
export class TieredProgram extends LinkedProgram {
  /** Runs by plan, up to `warmRuns`: a program of tests has thousands that run once. */
  readonly #runs: Uint8Array;
  /** Whether a run has no effects outside of its evaluation. */
  readonly #isSilent: boolean;
  #functions: CodeGenerator | undefined;
  #generated: GeneratedProgram | undefined;
  /** Whether the host does not let code be made of text. */
  #isRefused = false;
  /** For the first context that asks. */
  #standing: StandingState | undefined;

  constructor(program: Program, linked: readonly LinkedBuiltin[]) {
    super(program, linked);
    this.#runs = new Uint8Array(program.functions.length);
    this.#isSilent = !program.builtins.some((name) => effects.has(name));
  }

  override run(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    const generated = this.#tier(entrypoint, evaluation);
    if (generated === undefined || objectsInherit()) return this.#runCounted(entrypoint, input, data, evaluation);
    return generated.run(entrypoint, input, data, evaluation);
  }

  override decide(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): Value | undefined {
    const isHot = this.#runs[entrypoint] === warmRuns && evaluation.context.codegen !== 'never';
    const generated = isHot && this.#generated !== undefined ? this.#generated : this.#tier(entrypoint, evaluation);
    if (generated === undefined || objectsInherit())
      return resultOf(this.#runCounted(entrypoint, input, data, evaluation));
    return generated.decide(entrypoint, input, data, evaluation);
  }

  standing(entrypoint: PlanIndex, context: EngineContext): StandingDecision | undefined {
    const generated = this.#generated;
    if (generated === undefined || this.#runs[entrypoint] !== warmRuns || context.codegen === 'never') return undefined;
    const decision = generated.decision(entrypoint);
    this.#standing ??= new StandingState(generated, context);
    if (decision === null || this.#standing.context !== context) return undefined;
    return new GeneratedDecision(generated, entrypoint, decision, this.#standing, this);
  }

  isHot(entrypoint: PlanIndex): boolean {
    return this.#generated !== undefined && this.#runs[entrypoint] === warmRuns;
  }

  *heat(entrypoint: PlanIndex, before: Executable): Steps {
    const generated = this.#generate();
    if (generated === undefined) return;
    yield;
    generated.decision(entrypoint);
    yield;
    if (this.#functions !== undefined && before instanceof TieredProgram && before.#functions !== undefined)
      yield* this.#functions.compileAs(before.#functions);
    this.#runs[entrypoint] = warmRuns;
  }

  #tier(entrypoint: PlanIndex, { context }: Evaluation): GeneratedProgram | undefined {
    const { codegen = 'warm' } = context;
    if (codegen === 'never' || (codegen === 'warm' && !this.#isWarm(entrypoint))) return undefined;
    return this.#generate();
  }

  /** On the VM. Where that takes long, from the start as JavaScript. */
  #runCounted(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    const { meter, context } = evaluation;
    const run = () => this.runOnVm(entrypoint, input, data, evaluation);
    if (context.codegen !== undefined && context.codegen !== 'warm') return run();
    const before = meter.spent;
    const most = unitsOfTrial + unitsOfCode * this.program.code.length;
    try {
      const results = this.#mayRestart(evaluation) ? meter.trial(most, run) : run();
      if (results !== undefined) return results;
    } finally {
      this.#countRuns(entrypoint, Math.floor((warmRuns * (meter.spent - before)) / most));
    }
    this.#runs[entrypoint] = warmRuns;
    evaluation.options.onRestart?.();
    if (this.#generate() === undefined) return run();
    return this.run(entrypoint, input, data, evaluation);
  }

  #mayRestart({ reportsFailures }: Evaluation): boolean {
    const isGenerated = this.program.lowered !== undefined && !this.#isRefused && !objectsInherit();
    return isGenerated && this.#isSilent && !reportsFailures;
  }

  #countRuns(entrypoint: PlanIndex, count: number): void {
    this.#runs[entrypoint] = Math.min(warmRuns, this.#runs[entrypoint]! + count);
  }

  /** Undefined where no code may be generated. */
  #generate(): GeneratedProgram | undefined {
    if (this.#generated !== undefined) return this.#generated;
    const { lowered } = this.program;
    if (lowered === undefined || this.#isRefused) return undefined;
    this.#isRefused = !mayGenerate();
    if (this.#isRefused) return undefined;
    const { program } = this;
    const origins: ActivationOrigins = {
      place: (origin) => placeAt(program, origin),
      entry: (func, origin) => stackEntry(program, func, origin),
    };
    this.#functions = new CodeGenerator(program, lowered, this.linked);
    return (this.#generated = new GeneratedProgram(this.#functions, origins, (...run) => this.#restart(...run)));
  }

  /** The VM has no stack that overflows. */
  #restart(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] {
    evaluation.options.onRestart?.();
    return this.runOnVm(entrypoint, input, data, evaluation);
  }

  #isWarm(entrypoint: PlanIndex): boolean {
    if (this.#runs[entrypoint]! >= warmRuns) return true;
    this.#countRuns(entrypoint, 1);
    return false;
  }
}
