/** A guard without a framework: what the adapters of frameworks stand on. */
import { nameProblem, valueProblem } from '../../../../server/index.js';
import { readAnswer, readReasons } from './answer.js';
import { askOf, type GuardDecision, siblingOf } from './decision.js';
import { GuardError } from './guard-error.js';
import type { Checked, InputOf } from './input-types.js';

export interface GuardOptions<Context, Input> {
  /**
   * The reasons of denials: a rule whose result for the same input is a text or a list of texts,
   * such as `deny`, or its path where the decision has an engine or a server. It is asked after a
   * denial that brings no reasons itself.
   */
  readonly reasons?: GuardDecision<AnyIfUnknown<Input>, unknown> | string | undefined;
  /** The status of a denial, from 400 to 599. Default: 403. */
  readonly status?: number | ((denial: Outcome) => number) | undefined;
  /**
   * The id of a decision, such as the id of the request. Default: that of the server, or a random
   * UUID.
   */
  readonly decisionId?: ((context: Context) => string) | undefined;
  /** The name of the header with the decision's id; `false` for none. Default: `x-decision-id`. */
  readonly header?: string | false | undefined;
  /**
   * Called with each decision. The guard waits for it: where it throws or rejects, nothing is
   * allowed, and the error is that of the request.
   */
  readonly log?: ((record: DecisionRecord<Context, Input>) => void | PromiseLike<void>) | undefined;
}

/** Where the type of the input is not known, rules of any input fit. */
type AnyIfUnknown<Input> = unknown extends Input ? never : Input;

/** The answer of a guard. */
export interface Outcome {
  readonly allowed: boolean;
  readonly decisionId: string;
  /** Texts that say why not; empty if it is allowed, or the policy gives none. */
  readonly reasons: readonly string[];
  /** The status of a denial. */
  readonly status: number;
  /** The result of the policy. */
  readonly result: unknown;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A decision of a guard, for a log. */
export interface DecisionRecord<Context, Input> {
  readonly decisionId: string;
  readonly allowed: boolean;
  readonly reasons: readonly string[];
  readonly result: unknown;
  /** Undefined if making it failed. */
  readonly input: Input | undefined;
  /** Why there is no decision, or a denial without its reasons. */
  readonly error: unknown;
  /** Milliseconds, the input's included. */
  readonly duration: number;
  readonly context: Context;
}

/**
 * A function that asks a policy about each request. It rejects, rather than allow anything, if the
 * input cannot be made, the policy fails, a server does not answer, or the result is no `Answer`.
 * @example
 * const inputOf = (request: Request) => ({ user: userOf(request) });
 * const check = createGuard(allow, inputOf, { reasons: deny });
 * const { allowed, reasons } = await check(request);
 */
export function createGuard<Input, const Made extends Checked<Input, Made>, Context>(
  decision: GuardDecision<Input>,
  inputOf: InputOf<[context: Context], Made>,
  options?: GuardOptions<Context, NoInfer<Made>>,
): (context: Context) => Promise<Outcome> {
  return new Guard<Context, Made>(decision as GuardDecision<Made>, inputOf, options).check;
}

type MakeInput<Context, Input> = (context: Context) => Input | PromiseLike<Input>;

/** The guard that `createGuard` makes. */
export class Guard<Context, Input> {
  readonly #ask: ReturnType<typeof askOf<Input>>;
  readonly #askReasons: ReturnType<typeof askOf<Input>> | undefined;
  readonly #inputOf: MakeInput<Context, Input>;
  readonly #options: GuardOptions<Context, Input>;

  constructor(
    decision: GuardDecision<Input>,
    inputOf: MakeInput<Context, Input>,
    options: GuardOptions<Context, Input> = {},
  ) {
    const { reasons, status } = options;
    if (typeof inputOf !== 'function')
      throw new GuardError('invalid_option', 'the second argument makes the input: it must be a function');
    if (typeof status === 'number') checkStatus(status);
    if (options.header) checkField('invalid_option', nameProblem(options.header, 'response'));
    this.#ask = askOf(decision);
    if (reasons !== undefined) {
      const rule = typeof reasons === 'string' ? siblingOf(decision, reasons) : reasons;
      this.#askReasons = askOf(rule as GuardDecision<Input, unknown>);
    }
    this.#inputOf = inputOf;
    this.#options = options;
  }

  readonly check = async (context: Context): Promise<Outcome> => {
    try {
      return await this.#logged(context);
    } catch (thrown) {
      throw asError(thrown);
    }
  };

  async #logged(context: Context): Promise<Outcome> {
    const { log, decisionId: given } = this.#options;
    const start = performance.now();
    const noted: Noted<Input> = { decisionId: undefined, input: undefined, error: undefined };
    let outcome: Outcome | undefined;
    try {
      noted.decisionId = given?.(context);
      outcome = await this.#decide(context, noted);
      return outcome;
    } catch (thrown) {
      noted.error = asError(thrown);
      throw noted.error;
    } finally {
      const { allowed, reasons, result } = outcome ?? { allowed: false, reasons: [], result: undefined };
      const { input, error } = noted;
      const decisionId = outcome?.decisionId ?? noted.decisionId ?? crypto.randomUUID();
      await log?.({ decisionId, allowed, reasons, result, input, error, duration: performance.now() - start, context });
    }
  }

  async #decide(context: Context, noted: Noted<Input>): Promise<Outcome> {
    const { header = 'x-decision-id', status = 403 } = this.#options;
    const input = await this.#inputOf(context);
    noted.input = input;
    const { result, decisionId = crypto.randomUUID() } = await this.#ask(input);
    noted.decisionId ??= decisionId;
    const { allowed, reasons } = readAnswer(result);
    const why = allowed || reasons.length > 0 ? reasons : await this.#reasons(input, noted);
    if (header !== false) checkField('invalid_result', valueProblem(header, String(noted.decisionId)));
    const headers: Outcome['headers'] = header === false ? {} : { [header]: noted.decisionId };
    const outcome = { allowed, decisionId: noted.decisionId, reasons: why, status: 403, result, headers };
    if (allowed) return outcome;
    return { ...outcome, status: typeof status === 'number' ? status : checkStatus(status(outcome)) };
  }

  /** A denial stays a denial if its reasons cannot be had. */
  async #reasons(input: Input, noted: Noted<Input>): Promise<readonly string[]> {
    if (this.#askReasons === undefined) return [];
    try {
      return readReasons((await this.#askReasons(input)).result);
    } catch (error) {
      noted.error = error;
      return [];
    }
  }
}

/**
 * Anything may be thrown, but middleware is told errors: Express goes on to the handler after
 * `next(undefined)`, and leaves out handlers after `next('route')`.
 */
function asError(thrown: unknown): object {
  if (typeof thrown === 'object' && thrown !== null) return thrown;
  return new GuardError('thrown_value', `${String(thrown)} was thrown, which is no error`, { cause: thrown });
}

/** The notes of a decision that is under way. */
interface Noted<Input> {
  decisionId: string | undefined;
  input: Input | undefined;
  error: unknown;
}

/** An id that a request chose may be no value of a header. Throws a GuardError. */
function checkField(code: 'invalid_option' | 'invalid_result', problem: string | undefined): void {
  if (problem !== undefined) throw new GuardError(code, problem);
}

/** A status of success would look as if it were allowed. */
function checkStatus(status: number): number {
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw new GuardError('invalid_option', `the status of a denial must be from 400 to 599, not ${status}`);
  return status;
}
