/** An evaluation that can go to any of its moves: forward by evaluating, back by saved states. */

import { solutionNumber } from '../../engine/index.js';
import type { AnswerRecord, MachineLevel, MachineState } from '../../runtime/index.js';
import { Evaluation, PlanMachine, PlanTables, Suspension } from '../../runtime/index.js';
import { builtin, number, type Value, watchWork, withRows } from '../../values/index.js';
import type { DebugProgram } from './debug-program.js';

/** Moves between two states that are kept: as many as are made in some 8 milliseconds. */
const spacing = 10_000;

/** States that are kept; of more of them, some that are far away go. */
const mostStates = 64;

/** A state to which the evaluation can go at once. */
export interface KeptState {
  readonly position: number;
  /** The blocks that are being evaluated there, outermost first. */
  readonly levels: readonly MachineLevel[];
}

/** Receives the reports of the evaluation: prints once, however often they are evaluated. */
export interface TimelineEvents {
  print(line: string): void;
  /**
   * A built-in has failed, and its call is undefined: told each time that it is evaluated.
   * @param isNew whether it is evaluated for the first time
   */
  builtinFailed(message: string, isNew: boolean): void;
}

export class SessionTimeline {
  readonly machine: PlanMachine;
  readonly record: AnswerRecord;
  readonly #evaluation: Evaluation;
  /** In order of their moves; the first is that before the first move. */
  #states: MachineState[];
  #furthest = -1;
  #error: { readonly at: number; readonly error: unknown } | undefined;

  constructor(
    program: DebugProgram,
    input: Value | undefined,
    data: Value,
    record: AnswerRecord,
    events: TimelineEvents,
  ) {
    this.record = record;
    const isNew = () => this.machine.moves > this.#furthest;
    this.#evaluation = new Evaluation(
      program.context,
      {
        timeNs: program.timeNs,
        strictBuiltinErrors: program.strictBuiltinErrors,
        onPrint: (line) => isNew() && events.print(line),
        onTrace: (line) => isNew() && events.print(line),
        onBuiltinError: (error) => events.builtinFailed(error.message, isNew()),
      },
      record,
    );
    const options = { saves: true };
    // Evaluated again, a solution must have the same number.
    const numbers = builtin(solutionNumber.name, [], number, () => this.machine.moves);
    const rows = withRows(program.builtins, [numbers]);
    this.machine = new PlanMachine(new PlanTables(program.policy, options), rows, this.#evaluation, options);
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
    // The state at the beginning is always kept.
    const near = this.#states.findLast(({ moves }) => moves <= position)!;
    if (position < this.at || near.moves > this.at) this.machine.restore(near);
    while (this.at < position) this.move();
  }

  /** The latest kept state before a position; undefined for the first position. */
  stateBefore(position: number): KeptState | undefined {
    const state = this.#states.findLast(({ moves }) => moves < position);
    return state && { position: state.moves, levels: state.levels.map(({ level }) => level) };
  }

  #keep(): void {
    const position = this.#states.findIndex(({ moves }) => moves >= this.at);
    if (this.#states[position]?.moves === this.at) return;
    const state = this.machine.save();
    if (position < 0) this.#states.push(state);
    else this.#states.splice(position, 0, state);
    if (this.#states.length > mostStates) this.#thin();
  }

  /** Keeps all states near the position, and every second one of the others. */
  #thin(): void {
    const distances = this.#states.map(({ moves }) => Math.abs(moves - this.at)).sort((a, b) => a - b);
    const near = distances[mostStates / 2] ?? 0;
    this.#states = this.#states.filter(({ moves }, i) => i % 2 === 0 || Math.abs(moves - this.at) <= near);
  }
}
