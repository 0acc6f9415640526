/** What one evaluation has of its own: its clock, its budget, its record of answers. Built-ins see it as their context. */

import type { BuiltinContext, Caches } from '../builtins/context.js';
import { BuiltinError } from '../builtins/errors.js';
import type { Host } from '../builtins/host.js';
import { keyText } from '../values/hash.js';
import type { Value } from '../values/value.js';
import type { ArrayIndexes } from './array-indexes.js';
import { Suspension } from './errors.js';
import { defaultCallDepth, type Limits, Meter } from './limits.js';

/** What an engine gives to each of its evaluations. */
export interface EngineContext {
  readonly host: Host;
  readonly caches: Caches;
  readonly runtime: Value;
  /** Indexes of arrays in the base documents, kept across evaluations. */
  readonly dataIndexes: ArrayIndexes;
  readonly parseModule?: ((filename: string, text: string) => Value) | undefined;
  /** The hosts that built-ins may talk to; undefined allows all, an empty list none. */
  readonly allowNet?: readonly string[] | undefined;
}

export interface EvaluationOptions extends Limits {
  /** The first built-in error ends the evaluation; by default the call is undefined. */
  readonly strictBuiltinErrors?: boolean | undefined;
  /** The time that built-ins see, in nanoseconds since 1970; now if left out. */
  readonly timeNs?: bigint | undefined;
  /** A seed for `rand.intn` and UUIDs, so that an evaluation can be repeated. */
  readonly random?: (() => number) | undefined;
  readonly onPrint?: ((line: string) => void) | undefined;
  readonly onTrace?: ((note: string) => void) | undefined;
  /** The evaluation begins anew, since an answer that it waited for has come. */
  readonly onRestart?: (() => void) | undefined;
  /** Told of what a built-in answered that may answer otherwise next time, once for the same operands. */
  readonly onNondeterministic?: ((builtin: string, operands: readonly Value[], value: Value) => void) | undefined;
  /** Told of each built-in error that became undefined. */
  readonly onBuiltinError?: ((error: BuiltinError, builtin: string) => void) | undefined;
}

/** Answers that took time, kept while an evaluation is run again. */
export class AnswerRecord {
  // Most evaluations keep nothing, so the maps are made when first needed.
  #answers: Map<string, { readonly value: unknown } | { readonly error: unknown }> | undefined;
  #nondeterministic: Map<string, Value | undefined> | undefined;

  /** @param known what an evaluation that this one goes on with was answered */
  constructor(known?: ReadonlyMap<string, Value | undefined>) {
    if (known !== undefined) this.#nondeterministic = new Map(known);
  }

  get nondeterministic(): Map<string, Value | undefined> {
    return (this.#nondeterministic ??= new Map());
  }

  get(key: string): { readonly value: unknown } | { readonly error: unknown } | undefined {
    return this.#answers?.get(key);
  }

  async answer(suspension: Suspension, signal: AbortSignal): Promise<void> {
    this.#answers ??= new Map();
    try {
      this.#answers.set(suspension.key, { value: await suspension.start(signal) });
    } catch (error) {
      if (signal.aborted) throw error;
      this.#answers.set(suspension.key, { error });
    }
  }
}

export class Evaluation implements BuiltinContext {
  readonly meter: Meter;
  readonly callDepth: number;
  readonly strict: boolean;
  readonly host: Host;
  readonly caches: Caches;
  readonly runtime: Value;
  readonly dataIndexes: ArrayIndexes;
  readonly parseModule: BuiltinContext['parseModule'];
  readonly allowNet: readonly string[] | undefined;
  readonly #options: EvaluationOptions;
  readonly #record: AnswerRecord;
  #memory: Map<string, unknown> | undefined;
  #timeNs: bigint | undefined;

  constructor(surroundings: EngineContext, options: EvaluationOptions, record: AnswerRecord) {
    this.meter = new Meter(options);
    this.callDepth = options.callDepth ?? defaultCallDepth;
    this.strict = options.strictBuiltinErrors === true;
    this.host = surroundings.host;
    this.caches = surroundings.caches;
    this.runtime = surroundings.runtime;
    this.dataIndexes = surroundings.dataIndexes;
    this.parseModule = surroundings.parseModule;
    this.allowNet = surroundings.allowNet;
    this.#options = options;
    this.#record = record;
  }

  /** Before another attempt: what was printed or noted in the last one is forgotten by whoever collects it. */
  again(): void {
    this.#options.onRestart?.();
  }

  get timeNs(): bigint {
    // `performance` has the microseconds that `Date` lacks.
    return (this.#timeNs ??= this.#options.timeNs ?? BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n);
  }

  get memory(): Map<string, unknown> {
    return (this.#memory ??= new Map());
  }

  random(): number {
    return (this.#options.random ?? Math.random)();
  }

  print(line: string): void {
    this.#options.onPrint?.(line);
  }

  trace(note: string): void {
    this.#options.onTrace?.(note);
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

  /** The first answer of a built-in that may answer otherwise each time; later calls with the same operands get it again. */
  once(name: string, operands: readonly Value[], call: () => Value | undefined): Value | undefined {
    const known = this.#record.nondeterministic;
    const key = `${name}${keyText(operands)}`;
    if (known.has(key)) return known.get(key);
    const value = call();
    known.set(key, value);
    if (value !== undefined) this.#options.onNondeterministic?.(name, operands, value);
    return value;
  }

  /** A built-in's error: undefined by default, the end of the evaluation where errors are strict or the error is one that always ends it. */
  builtinFailed(error: unknown, name: string): undefined {
    if (error instanceof BuiltinError && !this.strict) {
      this.#options.onBuiltinError?.(error, name);
      return undefined;
    }
    throw error;
  }
}
