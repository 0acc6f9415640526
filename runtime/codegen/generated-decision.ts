/** Plans in generated code, decided without options. */

import { objectsInherit, type Value, watchWork } from '../../values/index.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import type { EngineContext } from '../evaluation/engine-context.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { withoutWaiting } from '../evaluation/evaluation-errors.js';
import { noOptions } from '../evaluation/evaluation-options.js';
import type { Executable, PlanIndex, StandingDecision } from '../evaluation/executable.js';
import type { Meter } from '../evaluation/meter.js';
import type { Activation } from './activation.js';
import type { Generated } from './generated.js';
import type { GeneratedProgram } from './generated-program.js';

/** The state that the decisions of one program use in turn. */
export class StandingState {
  readonly context: EngineContext;
  readonly #program: GeneratedProgram;
  activation!: Activation;
  evaluation!: Evaluation;
  meter!: Meter;
  /** Whether a decision is under way: a host's built-in may make another one. */
  isBusy = false;
  /** Whether that decision ended with an error: its state is not used again. */
  hasFailed = false;

  constructor(program: GeneratedProgram, context: EngineContext) {
    this.context = context;
    this.#program = program;
    this.renew();
  }

  /** Gets new state, at first and after an error. */
  renew(): void {
    this.evaluation = this.newEvaluation();
    this.meter = this.evaluation.meter;
    this.activation = this.#program.newActivation();
    this.activation.begin(this.evaluation);
    this.hasFailed = false;
    this.isBusy = false;
  }

  newEvaluation(): Evaluation {
    return new Evaluation(this.context, noOptions, new AnswerRecord());
  }
}

/**
 * Does the work of an `EvaluationPool`, a `TieredProgram` and a `GeneratedProgram` in one function:
 * in theirs it takes longer than many a rule.
 */
export class GeneratedDecision implements StandingDecision {
  readonly #program: GeneratedProgram;
  readonly #plan: PlanIndex;
  readonly #decision: Generated;
  readonly #state: StandingState;
  /** Decides while the state is in use. */
  readonly #executable: Executable;

  constructor(
    program: GeneratedProgram,
    plan: PlanIndex,
    decision: Generated,
    state: StandingState,
    executable: Executable,
  ) {
    this.#program = program;
    this.#plan = plan;
    this.#decision = decision;
    this.#state = state;
    this.#executable = executable;
  }

  decide(input: Value | undefined, data: Value): Value | undefined {
    const state = this.#state;
    if (state.isBusy || objectsInherit()) return this.#elsewhere(input, data);
    const { activation, meter } = state;
    meter.again();
    const before = watchWork(meter);
    state.isBusy = true;
    try {
      const value = this.#decision(activation, input, data);
      watchWork(before);
      activation.end();
      state.evaluation.end();
      state.isBusy = false;
      return value;
    } catch (error) {
      // Before any call: the stack may overflow again.
      state.hasFailed = true;
      return this.#afterError(error, activation, before, input, data);
    }
  }

  #afterError(
    error: unknown,
    activation: Activation,
    before: ReturnType<typeof watchWork>,
    input: Value | undefined,
    data: Value,
  ): Value | undefined {
    try {
      return this.#program.afterError(error, activation, this.#plan, input, data);
    } catch (thrown) {
      throw withoutWaiting(thrown);
    } finally {
      watchWork(before);
    }
  }

  #elsewhere(input: Value | undefined, data: Value): Value | undefined {
    if (this.#state.hasFailed) {
      this.#state.renew();
      return this.decide(input, data);
    }
    const evaluation = this.#state.newEvaluation();
    const before = watchWork(evaluation.meter);
    try {
      return this.#executable.decide(this.#plan, input, data, evaluation);
    } catch (error) {
      throw withoutWaiting(error);
    } finally {
      watchWork(before);
    }
  }
}
