/** Decisions of the library: one path or query, with its options. */

import type { Caller, Decided, ExplainedOptions, Explanation, Prepared, SourcesBeside } from '../engine/index.js';
import { ask, decideEach } from '../engine/index.js';
import { EvaluationError, noOptions } from '../runtime/index.js';
import type { Value } from '../values/index.js';
import { type Json, jsonString, jsonValue, parseJson, placeOf, plainCopy, toJson, toPlain } from '../values/index.js';
import { type AsyncDecisionOptions, checkDecisionOptions, type DecisionOptions } from './decision-options.js';
import { atCaller } from './errors/caller-stack.js';
import { EngineError } from './errors/engine-error.js';
import type { AskedDecision, Follow, Follower } from './follow.js';
import type { InputCheck } from './input/input-check.js';
import type { OpenEngine } from './open-engine.js';
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

/** The parts of a prepared decision. */
export interface DecisionParts {
  readonly opened: OpenEngine;
  readonly prepared: Prepared;
  /** The path as the caller wrote it; undefined for a query. */
  readonly path: string | undefined;
  readonly asked: AskedDecision;
  readonly check: InputCheck;
  readonly options: AsyncDecisionOptions;
  /** The policies of bundles whose plans answer. */
  readonly beside: SourcesBeside;
  /** Undefined where nothing follows decisions. */
  readonly follow: Follow | undefined;
}

/** A value, and the id under which it is logged. */
interface Answer {
  readonly value: Value | undefined;
  readonly id: string | undefined;
}

/** @typeParam Result nothing checks that a result has this type */
export class LibraryDecision<Result = Json> implements PreparedDecision<Result> {
  readonly #parts: DecisionParts;
  readonly #opened: OpenEngine;
  readonly #prepared: Prepared;
  readonly #options: AsyncDecisionOptions;
  readonly #check: InputCheck;
  /** Whether it has no options, and nothing follows it. */
  readonly #isPlain: boolean;

  constructor(parts: DecisionParts) {
    const { opened, prepared, check, options, follow } = parts;
    this.#parts = parts;
    this.#opened = opened;
    this.#prepared = prepared;
    this.#check = check;
    this.#options = options;
    this.#isPlain = options === noOptions && follow === undefined;
  }

  /** The options of decisions that are made together. */
  optionsOfBatch(options: AsyncDecisionOptions | undefined): AsyncDecisionOptions | undefined {
    if (this.#parts.follow === undefined) return options;
    const given = options ?? this.#options;
    return { ...given, decisionId: undefined, batchDecisionId: given.batchDecisionId ?? crypto.randomUUID() };
  }

  /** Plans it now, rather than with its first decision. */
  plan(): void {
    this.#prepared.question();
  }

  /** The usual case is one short function, which V8 inlines where it is called. */
  decide(input?: unknown, options?: DecisionOptions): Decision<Result> {
    const standing = options === undefined && this.#isPlain ? this.#prepared.standing : undefined;
    const { quick } = this.#check;
    if (standing === undefined || quick === undefined || !quick(input) || this.#opened.isClosed)
      return this.#decide(input, options);
    const value = standing.decide(input as Value, this.#prepared.documents);
    if (value === undefined || typeof value === 'object') return this.#shown(this.#checked(value, noOptions));
    return { result: scalarResult<Result>(value) };
  }

  #decide(input: unknown, options: AsyncDecisionOptions = this.#options): Decision<Result> {
    try {
      refuseThread(options);
      const checked = this.#checkedInput(input);
      const { follow } = this.#parts;
      return follow === undefined
        ? this.#shown(this.value(checked, options))
        : this.#logged(this.#followedAtOnce(checked, options, follow));
    } catch (error) {
      throw atCaller(error);
    }
  }

  async decideAsync(input?: unknown, options = this.#options): Promise<Decision<Result>> {
    try {
      const checked = this.#checkedInput(input);
      const { follow } = this.#parts;
      return follow === undefined
        ? this.#shown(await this.valueAsync(checked, options))
        : this.#logged(await this.#followed(checked, options, follow));
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
    const { follow } = this.#parts;
    if (follow !== undefined) return this.#followedAtOnce(input, options, follow).value;
    this.#checkAsked(options);
    const value = this.#prepared.atOnce(input, options);
    return value === undefined ? this.#checked(value, options) : value;
  }

  async valueAsync(
    input: Value | undefined,
    options: AsyncDecisionOptions = this.#options,
  ): Promise<Value | undefined> {
    const { follow } = this.#parts;
    if (follow !== undefined) return (await this.#followed(input, options, follow)).value;
    this.#checkAsked(options);
    return await this.#waiting(input, options, options, (value) => this.#checked(value, options));
  }

  #followedAtOnce(input: Value | undefined, options: AsyncDecisionOptions, follow: Follow): Answer {
    this.#checkAsked(options);
    return follow(this.#parts.asked, input, options, (recording) => {
      try {
        const value = this.#evaluated(input, options, recording);
        const id = recording?.succeeded(value, this.#opened.engine.bundles());
        return { value: this.#checked(value, options), id };
      } catch (error) {
        recording?.failed(error);
        throw error;
      }
    });
  }

  #evaluated(input: Value | undefined, options: AsyncDecisionOptions, recording?: Follower): Value | undefined {
    if (recording?.metrics === undefined) return this.#prepared.atOnce(input, recording?.options ?? options);
    return this.#prepared.timedAtOnce(input, recording.options, recording.metrics);
  }

  async #followed(input: Value | undefined, options: AsyncDecisionOptions, follow: Follow): Promise<Answer> {
    this.#checkAsked(options);
    return await follow(this.#parts.asked, input, options, async (recording) => {
      const answer = (value: Value | undefined, bundles: Decided['bundles'], explanation?: Explanation): Answer => {
        const id = recording?.succeeded(value, bundles, explanation);
        return { value: this.#checked(value, options), id };
      };
      try {
        return await this.#waiting(input, options, recording?.options ?? options, answer, recording?.explaining());
      } catch (error) {
        recording?.failed(error);
        throw error;
      }
    });
  }

  /** @param options of the caller, whose evaluation has those that are given */
  #waiting<T>(
    input: Value | undefined,
    options: AsyncDecisionOptions,
    given: AsyncDecisionOptions,
    answer: (value: Value | undefined, bundles: Decided['bundles'], explanation?: Explanation) => T,
    why?: ExplainedOptions,
  ): Promise<T> {
    const { opened, prepared, beside, asked } = this.#parts;
    const { engine } = opened;
    if (options.thread === true)
      return opened.inThread(prepared, input, given).then((value) => answer(value, engine.bundles()));
    // A signal costs more than most decisions: it is made only for a decision that waits.
    const caller: Caller = {
      get signal() {
        return opened.signalOf(options);
      },
    };
    // Its plan is ready before it evaluates, as that of a decision that is made at once.
    prepared.question();
    return ask(
      { engine, prepared, beside },
      { segments: asked.segments, input },
      ({ value, bundles }, explanation) => answer(value, bundles, explanation),
      { caller, options: given, why },
    );
  }

  #checkAsked(options: AsyncDecisionOptions): void {
    if (options !== this.#options) checkDecisionOptions(options);
    this.#opened.checkOpen();
  }

  #checkedInput(input: unknown): Value | undefined {
    return this.#check.takes(input) ? (input as Value) : inputValue(input);
  }

  /** Throws where the options are strict and nothing can answer. */
  #checked(value: Value | undefined, options: DecisionOptions): Value | undefined {
    const { path } = this.#parts;
    if (value === undefined && path !== undefined) this.#opened.checkDefined(path, options);
    return value;
  }

  #shown(value: Value | undefined): Decision<Result> {
    return decision(value, this.#opened.engine.context.keptResults);
  }

  #logged({ value, id }: Answer): Decision<Result> {
    const made = this.#shown(value);
    return id === undefined ? made : { ...made, decisionId: id };
  }
}

/** Throws an EngineError where a decision that is made at once asks for a thread. */
function refuseThread(options: AsyncDecisionOptions | null): void {
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

/** @param kept results that later decisions use again: a caller who changes its own gets a copy */
export function decision<Result>(value: Value | undefined, kept?: { readonly isUsed: boolean }): Decision<Result> {
  if (value === undefined) return {};
  if (typeof value !== 'object') return { result: scalarResult<Result>(value) };
  return { result: plainResult<Result>(value, kept?.isUsed === true) };
}

function scalarResult<Result>(value: string | number | boolean): Result {
  return (typeof value === 'string' ? jsonString(value) : value) as Result;
}

function plainResult<Result>(value: Value, isCopied: boolean): Result {
  try {
    return (isCopied ? plainCopy(value) : toPlain(value)) as Result;
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
