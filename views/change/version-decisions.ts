/** Decisions of one version about past questions: at their time, with their recorded answers. */
import { CompileErrors } from '../../compiler/index.js';
import { type DecideOptions, type Evaluator, Prepared } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { LoggedEvent } from './events/logged-event.js';
import type { DecisionOutcome } from './outcome.js';
import { type PolicyVersion, segmentsFor } from './policy-version.js';
import { readAmong, readingEvaluator, readsOf } from './read-places.js';
import { RuleTraces } from './rule-traces.js';

/** A question, with the facts of the moment when it was asked. */
export type PastQuestion = Pick<LoggedEvent, 'path' | 'query' | 'input' | 'timeNs' | 'known'>;

/** Questions whose preparation is kept: a log may have any number of paths. */
const mostPrepared = 1000;

/** The decisions of a version. */
export class VersionDecisions {
  readonly version: PolicyVersion;
  readonly #timeMs: number;
  readonly #prepared = new Map<string, Prepared | EvaluationError>();
  readonly #traces: RuleTraces;
  readonly #reading: Evaluator;
  readonly #readers = new Map<string, Prepared>();
  /** Built-ins without a recorded result in the decision of now. */
  #unrecorded: string | undefined;
  readonly #note: NonNullable<DecideOptions['onNondeterministic']> = (builtin) => {
    if (builtin === clockName) this.#asksTime = true;
    if (builtin !== clockName || !this.#hasTime) this.#unrecorded ??= builtin;
  };
  #hasTime = false;
  #asksTime = false;

  /** @param timeMs that a decision may take */
  constructor(version: PolicyVersion, timeMs: number) {
    this.version = version;
    this.#timeMs = timeMs;
    this.#traces = new RuleTraces(version);
    this.#reading = readingEvaluator(version.engine);
  }

  /** Prepares a question, unless that is done. Its plan is ready. */
  async prepare(question: PastQuestion): Promise<void> {
    const key = keyOf(question);
    if (this.#prepared.has(key)) return;
    if (this.#prepared.size >= mostPrepared) this.#prepared.delete(this.#prepared.keys().next().value!);
    this.#prepared.set(key, await this.#preparation(question));
  }

  async #preparation({ path, query }: PastQuestion): Promise<Prepared | EvaluationError> {
    const { engine } = this.version;
    try {
      const prepared =
        path === undefined ? await engine.prepareQuery(query!) : engine.prepare(segmentsFor(this.version, path));
      await prepared.plan();
      return prepared;
    } catch (error) {
      if (error instanceof CompileErrors) return new EvaluationError('eval_compile_error', error.message);
      if (error instanceof EvaluationError) return error;
      throw error;
    }
  }

  /** Whether a question is prepared. */
  isPrepared(question: PastQuestion): boolean {
    return this.#prepared.has(keyOf(question));
  }

  /** Whether the last decision asked for the time. */
  get asksTime(): boolean {
    return this.#asksTime;
  }

  /** Decides a question that is prepared. */
  decide(question: PastQuestion): DecisionOutcome {
    const prepared = this.#prepared.get(keyOf(question))!;
    if (prepared instanceof EvaluationError) return { kind: 'error', error: prepared };
    return this.#decided(() => prepared.atOnce(question.input, this.optionsOf(question)), question);
  }

  #decided(decide: () => Value | undefined, { timeNs }: PastQuestion): DecisionOutcome {
    this.#unrecorded = undefined;
    this.#hasTime = timeNs !== undefined;
    this.#asksTime = false;
    let outcome: DecisionOutcome;
    try {
      outcome = { kind: 'value', value: decide() };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      outcome = undecided(error) ?? { kind: 'error', error };
    }
    if (this.#unrecorded === undefined) return outcome;
    return { kind: 'unknown', reason: `${this.#unrecorded} is called, and its answer is not recorded` };
  }

  /** The options of a question's evaluation: its time, and recorded results. */
  optionsOf({ timeNs, known }: PastQuestion): DecideOptions {
    return { timeNs, known, timeMs: this.#timeMs, onNondeterministic: this.#note };
  }

  /**
   * The first of some places of the input that a decision reads, directly or in its result;
   * undefined where its answer is the same whatever is there.
   */
  async hiddenRead(
    question: PastQuestion,
    places: readonly (readonly string[])[],
  ): Promise<readonly string[] | undefined> {
    const { input } = question;
    if (input === undefined || this.#prepared.get(keyOf(question)) instanceof EvaluationError) return undefined;
    return readAmong(readsOf(await this.#reader(question), input, this.optionsOf(question)), places);
  }

  /** The rules that a decision at a path evaluates: see `RuleTraces`. */
  traceOf(question: PastQuestion): Promise<string | undefined> {
    return this.#traces.traceOf(question.path!, question.input, this.optionsOf(question));
  }

  async #reader(question: PastQuestion): Promise<Prepared> {
    const key = keyOf(question);
    let reader = this.#readers.get(key);
    if (reader === undefined) {
      if (this.#readers.size >= mostPrepared) this.#readers.delete(this.#readers.keys().next().value!);
      reader = new Prepared(this.version.engine.versions, this.#reading, this.#asked(question));
      await reader.plan();
      this.#readers.set(key, reader);
    }
    return reader;
  }

  #asked({ path, query }: PastQuestion): ConstructorParameters<typeof Prepared>[2] {
    return path === undefined ? { query: query! } : { path: segmentsFor(this.version, path) };
  }
}

/** The built-in whose result is the time of a decision. */
export const clockName = 'time.now_ns';

function keyOf({ path, query }: PastQuestion): string {
  return path === undefined ? `?${query}` : `/${path}`;
}

/** Why an error says nothing about the policy. */
function undecided({ code, detail }: EvaluationError): DecisionOutcome | undefined {
  if (code === 'eval_wait_error') {
    const [builtin] = detail.split(' ');
    return { kind: 'unknown', reason: `${builtin} is called, and its answer is not recorded` };
  }
  return code === 'eval_cancel_error' ? { kind: 'unknown', reason: 'it takes too long' } : undefined;
}
