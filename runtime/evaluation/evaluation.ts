/** The state of one evaluation: its clock, its budget, its record of answers. */

import type { BuiltinContext, Caches, Host, Value } from '../../values/index.js';
import { type BuiltinError, HaltError } from '../../values/index.js';
import { AnswerRecord, answerKey } from './answer-record.js';
import { ArrayIndexes } from './array-indexes.js';
import type { EngineContext } from './engine-context.js';
import { Suspension } from './evaluation-errors.js';
import { type EvaluationOptions, type Limits, type MeasuredOptions, noOptions } from './evaluation-options.js';
import { defaultCallDepth, Meter } from './meter.js';
import type { StatementPlace } from './place.js';
import { wallClockNs } from './wall-clock.js';

/** Built-ins see it as their context. */
export class Evaluation implements BuiltinContext {
  readonly meter: Meter;
  callDepth = defaultCallDepth;
  strict = false;
  readonly host: Host;
  readonly caches: Caches;
  readonly runtime: Value;
  readonly dataIndexes: ArrayIndexes;
  readonly context: EngineContext;
  readonly allowNet: readonly string[] | undefined;
  #options!: MeasuredOptions;
  #record: AnswerRecord;
  /** Whether each error of a built-in is reported. */
  reportsFailures = false;
  /** Whether a call became undefined by an error that is still to be reported with its place. */
  hasFailed = false;
  #failure: { readonly error: BuiltinError; readonly name: string } | undefined;
  #memory: Map<string, unknown> | undefined;
  #timeNs: bigint | undefined;
  /** Whether there is state that the next evaluation must not get. */
  #keeps = false;

  constructor(context: EngineContext, options: EvaluationOptions, record: AnswerRecord, meter = new Meter(options)) {
    this.meter = meter;
    this.host = context.host;
    this.caches = context.caches;
    this.runtime = context.runtime;
    this.dataIndexes = context.dataIndexes;
    this.context = context;
    this.allowNet = context.allowNet;
    this.#record = record;
    this.#take(options);
  }

  /** Whether errors of built-ins make calls undefined, and nothing else. */
  get ignoresErrors(): boolean {
    return !this.strict && !this.reportsFailures;
  }

  /** The options as they were given. */
  get options(): EvaluationOptions {
    return this.#options;
  }

  #take(options: EvaluationOptions): void {
    this.callDepth = options.callDepth ?? defaultCallDepth;
    this.strict = options.strictBuiltinErrors === true;
    this.reportsFailures = options.onBuiltinError !== undefined;
    this.#options = options;
  }

  /** Becomes the state of another evaluation; see `end`. */
  begin(options: EvaluationOptions): void {
    if (options === noOptions && this.#options === noOptions) this.meter.again();
    else {
      this.#take(options);
      this.meter.begin(options);
    }
  }

  /** Drops the state of an evaluation that ended without an error. */
  end(): void {
    if (this.#keeps) this.#forget();
  }

  #forget(): void {
    this.#keeps = false;
    this.hasFailed = false;
    this.#failure = undefined;
    this.#memory = undefined;
    this.#timeNs = undefined;
    this.#record = new AnswerRecord();
  }

  get parseModule(): BuiltinContext['parseModule'] {
    return this.context.parseModule;
  }

  /**
   * The same evaluation for parts that are evaluated once more: the same limits, time and recorded
   * answers, but nothing is printed or noted again.
   */
  repeated(onBuiltinError: EvaluationOptions['onBuiltinError']): Evaluation {
    const { random, known, strictBuiltinErrors, callDepth } = this.#options;
    const options: MeasuredOptions = {
      timeNs: this.timeNs,
      random,
      known,
      strictBuiltinErrors,
      onBuiltinError,
      ...(callDepth && { callDepth }),
    };
    const repeated = new Evaluation(this.context, options, this.#record, this.meter);
    repeated.#memory = this.memory;
    return repeated;
  }

  /**
   * The same evaluation for an attempt that is made again in another way where it comes to no
   * value: the same time and recorded answers. What has an effect outside of it throws, and so do
   * errors of built-ins that are reported.
   * @param limits further ones; 0 for `timeMs` lifts the limit of time
   */
  attempt(limits: Pick<Limits, 'timeMs' | 'instructions' | 'isPreempted'>): Evaluation {
    const options = this.#options;
    const since = () => this.timeNs;
    const refused = () => {
      throw new HaltError('eval_cancel_error', 'an attempt has no effects');
    };
    const given: EvaluationOptions = {
      ...options,
      // Few policies read it, and Node loads a dozen modules for the clock.
      get timeNs() {
        return since();
      },
      timeMs: Math.min(limits.timeMs ?? Infinity, options.timeMs || Infinity),
      instructions: Math.min(limits.instructions ?? Infinity, options.instructions ?? Infinity),
      isPreempted: () => limits.isPreempted?.() === true || options.isPreempted?.() === true,
      strictBuiltinErrors: this.strict || this.reportsFailures,
      onPrint: refused,
      onTrace: refused,
      onBuiltinError: undefined,
    };
    return new Evaluation(this.context, given, this.record);
  }

  /** Its answers, which a repetition finds again. */
  get record(): AnswerRecord {
    this.#keeps = true;
    return this.#record;
  }

  get timeNs(): bigint {
    this.#keeps = true;
    return (this.#timeNs ??= this.#options.timeNs ?? wallClockNs());
  }

  get memory(): Map<string, unknown> {
    this.#keeps = true;
    return (this.#memory ??= new Map());
  }

  get metrics(): BuiltinContext['metrics'] {
    return this.#options.metrics;
  }

  random(): number {
    return (this.#options.random ?? Math.random)();
  }

  print(line: string, place?: string): void {
    this.#options.onPrint?.(line, place);
  }

  trace(note: string): void {
    this.#options.onTrace?.(note);
  }

  /** Indexes for a run: of arrays that it makes, and of the input. */
  ownIndexes(): ArrayIndexes {
    return new ArrayIndexes(false);
  }

  tick(units: number): void {
    this.meter.tick(units);
  }

  wait<T>(key: string, start: (signal: AbortSignal) => Promise<T>): T {
    const answer = this.#record.get(key);
    if (answer === undefined) throw new Suspension(key, start);
    if ('error' in answer) throw answer.error;
    return answer.value as T;
  }

  /**
   * The result of a non-deterministic built-in. Calls with the same operands get the first result
   * again.
   */
  once(name: string, operands: readonly Value[], call: () => Value | undefined): Value | undefined {
    const known = this.record.nondeterministic;
    const key = answerKey(name, operands);
    if (known.has(key)) return known.get(key);
    const { known: given } = this.#options;
    if (given?.has(key) === true) return given.get(key);
    const value = call();
    known.set(key, value);
    if (value !== undefined) this.#options.onNondeterministic?.(name, operands, value);
    return value;
  }

  /**
   * A built-in's error is undefined by default, and ends the evaluation where errors are strict.
   * @param error without the built-in's name
   */
  builtinFailed(error: BuiltinError, name: string): undefined {
    if (this.strict) throw error.by(name);
    if (this.#options.onBuiltinError !== undefined) {
      this.#keeps = true;
      this.#failure = { error: error.by(name), name };
      this.hasFailed = true;
    }
    return undefined;
  }

  /** Reports the error that made a call undefined: only the caller knows the call's place. */
  reportFailure(place: StatementPlace): void {
    const { error, name } = this.#failure!;
    this.hasFailed = false;
    this.#options.onBuiltinError?.(error, name, place);
  }
}

/**
 * The state of the last evaluation, used again: to make one takes longer than a short decision.
 * Evaluations that run inside others, by a host's built-in that decides, get a new one.
 */
export class EvaluationPool {
  readonly context: EngineContext;
  #spare: Evaluation | undefined;

  constructor(context: EngineContext) {
    this.context = context;
  }

  take(options: EvaluationOptions): Evaluation {
    const known = this.#spare;
    if (known === undefined) return new Evaluation(this.context, options, new AnswerRecord());
    this.#spare = undefined;
    known.begin(options);
    return known;
  }

  /** Takes back the state of an evaluation that ended with a result. */
  give(evaluation: Evaluation): void {
    evaluation.end();
    this.#spare = evaluation;
  }
}
