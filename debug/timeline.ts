/** An evaluation that can go to any of its moves: forward by evaluating, back by saved states. */

import type { AnswerRecord } from '../runtime/evaluation/answer-record.js';
import { Evaluation } from '../runtime/evaluation/evaluation.js';
import { Suspension } from '../runtime/evaluation/evaluation-errors.js';
import type { MachineState } from '../runtime/vm/machine-state.js';
import { PlanMachine } from '../runtime/vm/plan-machine.js';
import { PlanTables } from '../runtime/vm/plan-tables.js';
import type { Value } from '../values/value.js';
import { watchWork } from '../values/work.js';
import type { DebugProgram } from './debug-program.js';

/** Moves between two states that are kept: as many as are made in some 15 milliseconds. */
const spacing = 20_000;

/** States that are kept; with more of them, every second one of the older half goes. */
const mostStates = 64;

/** Receives what the evaluation reports, once, however often it is made. */
export interface TimelineEvents {
  print(line: string): void;
  /** A built-in has failed, and its call is undefined. */
  builtinFailed(message: string): void;
}

export class Timeline {
  readonly machine: PlanMachine;
  readonly record: AnswerRecord;
  readonly #evaluation: Evaluation;
  /** In order of their moves; the first is that before the first move. */
  #states: MachineState[];
  #furthest = -1;
  #error: { readonly at: number; readonly error: unknown } | undefined;

  constructor(program: DebugProgram, input: Value | undefined, data: Value, record: AnswerRecord, events: TimelineEvents) {
    this.record = record;
    const isNew = () => this.machine.moves > this.#furthest;
    this.#evaluation = new Evaluation(
      program.context,
      {
        timeNs: program.timeNs,
        strictBuiltinErrors: program.strictBuiltinErrors,
        onPrint: (line) => isNew() && events.print(line),
        onTrace: (line) => isNew() && events.print(line),
        onBuiltinError: (error) => isNew() && events.builtinFailed(error.message),
      },
      record,
    );
    const options = { saves: true };
    this.machine = new PlanMachine(new PlanTables(program.policy, options), program.builtins, this.#evaluation, options);
    this.machine.begin(program.plan, input, data);
    this.#states = [this.machine.save()];
  }

  /** The number of moves so far: the position. */
  get at(): number {
    return this.machine.moves;
  }

  /** The error that ends the evaluation, where it stands there. */
  get error(): unknown {
    return this.#error?.at === this.at ? this.#error.error : undefined;
  }

  get hasEnded(): boolean {
    return this.machine.isDone || this.error !== undefined;
  }

  /** Whether no evaluation has come here before. */
  get isNew(): boolean {
    return this.at > this.#furthest;
  }

  /**
   * Makes a move; undefined if it was made. A move that must wait for an answer has not been made:
   * it is made again afterwards. After an error nothing can be made.
   */
  move(): Suspension | undefined {
    const before = watchWork(this.#evaluation.meter);
    try {
      this.machine.move();
    } catch (error) {
      if (error instanceof Suspension) return error;
      this.#furthest = Math.max(this.#furthest, this.at);
      this.#error = { at: this.at, error };
      return undefined;
    } finally {
      watchWork(before);
    }
    if (this.#evaluation.hasFailed) this.#evaluation.reportFailure({ file: '', row: 0, col: 0 });
    if (this.at - 1 > this.#furthest) this.#furthest = this.at - 1;
    if (this.at % spacing === 0) this.#keep();
    return undefined;
  }

  /** Goes to a position that the evaluation has passed. */
  goTo(position: number): void {
    const near = this.#states.findLast(({ moves }) => moves <= position)!;
    if (position < this.at || near.moves > this.at) this.machine.restore(near);
    while (this.at < position) this.move();
  }

  /** Positions of kept states before another position, the latest first. */
  statesBefore(position: number): readonly number[] {
    return this.#states
      .map(({ moves }) => moves)
      .filter((moves) => moves < position)
      .reverse();
  }

  #keep(): void {
    const position = this.#states.findIndex(({ moves }) => moves >= this.at);
    if (this.#states[position]?.moves === this.at) return;
    const state = this.machine.save();
    if (position < 0) this.#states.push(state);
    else this.#states.splice(position, 0, state);
    if (this.#states.length > mostStates) this.#states = this.#states.filter((_, i) => i === 0 || i > mostStates / 2 || i % 2 === 0);
  }
}
