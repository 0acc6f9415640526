/** Decisions of the library: one path or query, with its options. */

import { decideEach } from '../engine/evaluation/batch-turns.js';
import type { Caller, Decided } from '../engine/evaluation/decide-options.js';
import type { Prepared } from '../engine/prepared.js';
import { EvaluationError } from '../runtime/evaluation/evaluation-errors.js';
import { noOptions } from '../runtime/evaluation/evaluation-options.js';
import { type Json, jsonString, parseJson, toJson, toPlain } from '../values/json/json.js';
import { jsonValue, placeOf } from '../values/json/plain-json.js';
import type { Value } from '../values/value.js';
import { type AsyncDecisionOptions, checkDecisionOptions, type DecisionOptions } from './decision-options.js';
import { atCaller } from './errors/caller-stack.js';
import { EngineError } from './errors/engine-error.js';
import type { InputCheck } from './input/input-check.js';
import type { Decision, Operands } from './types/decision.js';

/**
 * A path or a query that is ready to be decided, with the options that it was prepared with. It is
 * planned for the policies as they are. After `setPolicy` its next decision is made by the new
 * policies, and planned again first if something that it reads has changed.
 * @example
 * const allow = await engine.prepare<boolean>('authz/allow', { timeMs: 50 });
 * const { result = false } = allow.decide({ user: 'alice' });
 */
export interface PreparedDecision<Result = Json, Input = unknown, Decided = Decision<Result>> {
  /** Decides at once: see `Engine.decide`. The options take the place of all that it has. */
  decide(...operands: Operands<Input, DecisionOptions>): Decided;
  /** Decides, and waits for built-ins that have to: see `Engine.decideAsync`. */
  decideAsync(...operands: Operands<Input, AsyncDecisionOptions>): Promise<Decided>;
  /** From JSON text to JSON text: see `Engine.decideText`. */
  decideText(input?: string, options?: DecisionOptions): string;
}

/** The parts of a library's engine that its decisions use. */
export interface DecidingLibrary {
  /** Whether the engine is closed: then `checkOpen` throws. */
  readonly isClosed: boolean;
  checkOpen(): void;
  /** Throws an EngineError, if the options are strict, where nothing can answer. */
  checkDefined(path: string, options: DecisionOptions): void;
  /** Aborted when the caller's signal is, or the engine is closed. */
  signalOf(options: AsyncDecisionOptions): AbortSignal;
  inThread(prepared: Prepared, input: Value | undefined, options: AsyncDecisionOptions): Promise<Value | undefined>;
}

/** @typeParam Result nothing checks that a result has this type */
export class LibraryDecision<Result = Json> implements PreparedDecision<Result> {
  readonly #library: DecidingLibrary;
  readonly #prepared: Prepared;
  readonly #options: AsyncDecisionOptions;
  readonly #hasOptions: boolean;
  /** Undefined for a query. */
  readonly #path: string | undefined;
  readonly #check: InputCheck;

  constructor(
    library: DecidingLibrary,
    prepared: Prepared,
    path: string | undefined,
    check: InputCheck,
    options: AsyncDecisionOptions,
  ) {
    this.#library = library;
    this.#prepared = prepared;
    this.#path = path;
    this.#check = check;
    this.#options = options;
    this.#hasOptions = options !== noOptions;
  }

  /** The options of decisions that are made together. */
  optionsOfBatch(options: AsyncDecisionOptions | undefined): AsyncDecisionOptions | undefined {
    return options;
  }

  /** Plans it now, rather than with its first decision. */
  plan(): void {
    this.#prepared.question();
  }

  /** The usual case is one short function, which V8 inlines where it is called. */
  decide(input?: unknown, options?: DecisionOptions): Decision<Result> {
    const standing = options === undefined && !this.#hasOptions ? this.#prepared.standing : undefined;
    const { quick } = this.#check;
    if (standing === undefined || quick === undefined || !quick(input) || this.#library.isClosed)
      return this.#decide(input, options);
    const value = standing.decide(input as Value, this.#prepared.documents);
    if (value === undefined || typeof value === 'object') return decision(this.checked(value, noOptions));
    return { result: scalarResult<Result>(value) };
  }

  #decide(input: unknown, options: AsyncDecisionOptions = this.#options): Decision<Result> {
    try {
      refuseThread(options);
      return decision(this.value(this.checkedInput(input), options));
    } catch (error) {
      throw atCaller(error);
    }
  }

  async decideAsync(input?: unknown, options = this.#options): Promise<Decision<Result>> {
    try {
      return decision(await this.valueAsync(this.checkedInput(input), options));
    } catch (error) {
      throw atCaller(error);
    }
  }

  decideText(input?: string, options = this.#options): string {
    if (input !== undefined && typeof input !== 'string')
      throw new EngineError('invalid_input', `input is no JSON text but of type ${typeof input}`);
    const value = this.value(input === undefined ? undefined : parseJson(input), options);
    return value === undefined ? '{}' : `{"result":${toJson(value)}}`;
  }

  value(input: Value | undefined, options: DecisionOptions = this.#options): Value | undefined {
    if (options !== this.#options) checkDecisionOptions(options);
    this.#library.checkOpen();
    const value = this.#prepared.atOnce(input, options);
    return value === undefined ? this.checked(value, options) : value;
  }

  async valueAsync(
    input: Value | undefined,
    options: AsyncDecisionOptions = this.#options,
  ): Promise<Value | undefined> {
    if (options !== this.#options) checkDecisionOptions(options);
    this.#library.checkOpen();
    const library = this.#library;
    if (options.thread === true) return this.checked(await library.inThread(this.#prepared, input, options), options);
    // A signal costs more than most decisions: it is made only for a decision that waits.
    const caller: Caller = {
      get signal() {
        return library.signalOf(options);
      },
    };
    // Its plan is ready before it evaluates, as that of a decision that is made at once.
    this.#prepared.question();
    return await this.#prepared.decide(input, ({ value }: Decided) => this.checked(value, options), caller, options);
  }

  protected checkedInput(input: unknown): Value | undefined {
    return this.#check.takes(input) ? (input as Value) : inputValue(input);
  }

  /** Throws where the options are strict and nothing can answer. */
  protected checked(value: Value | undefined, options: DecisionOptions): Value | undefined {
    if (value === undefined && this.#path !== undefined) this.#library.checkDefined(this.#path, options);
    return value;
  }
}

/** Throws an EngineError where a decision that is made at once asks for a thread. */
export function refuseThread(options: AsyncDecisionOptions | null): void {
  if (options !== noOptions && options?.thread === true)
    throw new EngineError('invalid_option', 'decide has no threads: use decideAsync');
}

export function inputValue(input: unknown): Value | undefined {
  return input === undefined ? undefined : jsonValue(input, refusedInput);
}

function refusedInput({
  path,
  problem,
}: {
  readonly path: readonly (string | number)[];
  readonly problem: string;
}): EngineError {
  return new EngineError('invalid_input', `${placeOf('input', path)} ${problem}`);
}

export function decision<Result>(value: Value | undefined): Decision<Result> {
  if (value === undefined) return {};
  return { result: typeof value === 'object' ? plainResult<Result>(value) : scalarResult<Result>(value) };
}

function scalarResult<Result>(value: string | number | boolean): Result {
  return (typeof value === 'string' ? jsonString(value) : value) as Result;
}

function plainResult<Result>(value: Value): Result {
  try {
    return toPlain(value) as Result;
  } catch (error) {
    if (error instanceof RangeError) throw new EvaluationError('eval_internal_error', 'the result nests too deeply');
    throw error;
  }
}

/** A decision of several: `error` is that of its evaluation. */
export interface BatchedDecision<Result = Json> extends Decision<Result> {
  readonly error?: EvaluationError;
}

/** Rejects with any error but those of evaluations. */
export async function decideMany<Result>(
  decision: LibraryDecision<Result>,
  inputs: Iterable<unknown>,
  given: AsyncDecisionOptions | undefined,
): Promise<readonly BatchedDecision<Result>[]> {
  const all = [...inputs];
  const options = decision.optionsOfBatch(given);
  const decided: BatchedDecision<Result>[] = new Array(all.length);
  await decideEach(all, async (input, i) => {
    try {
      decided[i] = await decision.decideAsync(input, options);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      decided[i] = { error };
    }
  });
  return decided;
}
