import { Waiting } from '../../../engine/index.js';
import type { EngineContext } from '../../../runtime/index.js';
import { AnswerRecord, Evaluation, EvaluationError, noOptions, Suspension } from '../../../runtime/index.js';
import { type Json, watchWork } from '../../../values/index.js';
import { OpaWasmError } from './opa-wasm-error.js';
import type { PolicyCode } from './policy-code.js';

/** The value of the entrypoint, `[{ result }]`; empty where it is undefined. */
export type ResultSet<Result> = { result: Result }[];

/** A policy, ready to evaluate. */
export class LoadedPolicy {
  readonly #code: PolicyCode;
  readonly #context: EngineContext;

  /** Made by `loadPolicy`. */
  constructor(code: PolicyCode, context: EngineContext) {
    this.#code = code;
    this.#context = context;
  }

  /** The numbers of the entrypoints by their names, such as `authz/allow`. */
  get entrypoints(): Readonly<Record<string, number>> {
    return this.#code.entrypoints;
  }

  /**
   * Replaces the base documents, `data`.
   * @param data any JSON value, or an ArrayBuffer with a JSON text
   * @throws OpaWasmError
   */
  setData(data: unknown): void {
    this.#code.setData(data);
  }

  /**
   * The result set of an entrypoint.
   * @param input any JSON value, also a string, or an ArrayBuffer with a JSON text; undefined for
   * no input
   * @param entrypoint its name or number. Default: 0
   * @typeParam Result nothing checks that a result has this type
   * @example const [{ result } = { result: false }] = policy.evaluate({ user: 'alice' });
   * @throws OpaWasmError; EvaluationError, with the code `eval_wait_error` where a built-in has to
   * wait
   */
  // biome-ignore lint/suspicious/noExplicitAny: a result may be of any type
  evaluate<Result = any>(input?: unknown, entrypoint: number | string = 0): ResultSet<Result> {
    const number = this.#numberOf(entrypoint);
    const evaluation = new Evaluation(this.#context, noOptions, new AnswerRecord());
    try {
      return this.#run(number, input, evaluation) as ResultSet<Result>;
    } catch (error) {
      throw error instanceof Suspension ? mustWait(error) : error;
    }
  }

  /** Evaluates, and waits for built-ins that have to: `http.send`, keys in a browser, promises. */
  // biome-ignore lint/suspicious/noExplicitAny: a result may be of any type
  async evaluateAsync<Result = any>(input?: unknown, entrypoint: number | string = 0): Promise<ResultSet<Result>> {
    const number = this.#numberOf(entrypoint);
    const record = new AnswerRecord();
    const evaluation = new Evaluation(this.#context, noOptions, record);
    const run = () => this.#run(number, input, evaluation) as ResultSet<Result>;
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Suspension)) throw error;
      return await new Waiting(run, evaluation, record, noOptions, error).finish();
    }
  }

  #run(entrypoint: number, input: unknown, evaluation: Evaluation): Json {
    const before = watchWork(evaluation.meter);
    try {
      return this.#code.run(entrypoint, input, evaluation);
    } finally {
      watchWork(before);
    }
  }

  #numberOf(entrypoint: unknown): number {
    const { entrypoints } = this.#code;
    if (typeof entrypoint !== 'number' && typeof entrypoint !== 'string')
      throw new OpaWasmError(
        'invalid_entrypoint',
        'entrypoint value is an invalid type, must be either string or number',
      );
    if (typeof entrypoint === 'number' && !this.#code.hasDefault)
      throw new OpaWasmError(
        'invalid_entrypoint',
        `the bundle declares no entrypoint: name a rule, such as ${JSON.stringify(Object.keys(entrypoints)[0])}`,
      );
    const number =
      typeof entrypoint === 'string' && Object.hasOwn(entrypoints, entrypoint) ? entrypoints[entrypoint] : undefined;
    if (number !== undefined) return number;
    if (typeof entrypoint === 'number' && Object.values(entrypoints).includes(entrypoint)) return entrypoint;
    throw new OpaWasmError('invalid_entrypoint', `entrypoint ${entrypoint} is not valid in this instance`);
  }
}

function mustWait({ builtin, location, rules }: Suspension): EvaluationError {
  return new EvaluationError('eval_wait_error', `${builtin} waits for its answer: use evaluateAsync`, location, rules);
}
