import { HaltError, type Value, watchWork } from '../../values/index.js';
import type { Program } from '../bytecode/program.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { EvaluationError, preemptedCode } from '../evaluation/evaluation-errors.js';
import type { PlanIndex } from '../evaluation/executable.js';
import type { LinkedBuiltin } from '../evaluation/linked-builtin.js';
import { StandIn } from '../evaluation/stand-in.js';
import { LinkedProgram } from './linked-program.js';

/**
 * Units of work that runs may do for each number of the program's code: about as long as an
 * analysed program takes to make.
 */
const unitsOfCode = 100;

/** A program that was made without analyses, which take longer than most runs. */
export class ColdProgram extends StandIn {
  readonly #cold: LinkedProgram;
  /** Work that runs may still do. */
  #left: number;

  /** @param make the analysed program of the same plans */
  constructor(program: Program, linked: readonly LinkedBuiltin[], make: () => LinkedProgram) {
    super({ entrypoints: program.plans, builtins: program.builtins }, make);
    this.#cold = new LinkedProgram(program, linked);
    this.#left = unitsOfCode * program.code.length;
  }

  protected override attempt(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] | undefined {
    const attempt = this.#counted(evaluation);
    const before = watchWork(attempt.meter);
    const granted = attempt.meter.left;
    try {
      return this.#cold.run(entrypoint, input, data, attempt);
    } catch (error) {
      if (this.#left > 0 || !isPreempted(error)) throw error;
      return undefined;
    } finally {
      this.#left -= granted - attempt.meter.left;
      watchWork(before);
    }
  }

  /** The same evaluation, which ends when the work is done that runs may do. */
  #counted(evaluation: Evaluation): Evaluation {
    const { context, options, record } = evaluation;
    let slice: number;
    const isPreempted = (): boolean => {
      this.#left -= slice;
      return this.#left <= 0 || options.isPreempted?.() === true;
    };
    const counted = new Evaluation(
      context,
      {
        ...options,
        // Few policies read it, and Node loads a dozen modules for the clock.
        get timeNs() {
          return evaluation.timeNs;
        },
        isPreempted,
      },
      record,
    );
    slice = counted.meter.left;
    return counted;
  }
}

function isPreempted(error: unknown): boolean {
  return (error instanceof EvaluationError || error instanceof HaltError) && error.code === preemptedCode;
}
