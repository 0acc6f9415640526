/** Decisions of an engine with services: their results have the ids of their events. */
import { randomUUID } from 'node:crypto';
import { ask } from '../../engine/asking/ask.js';
import type { Caller, Decided } from '../../engine/evaluation/decide-options.js';
import type { Explanation } from '../../query/why/explanation.js';
import type { Value } from '../../values/value.js';
import { type AsyncDecisionOptions, checkDecisionOptions, type DecisionOptions } from '../decision-options.js';
import { decision, LibraryDecision, refuseThread } from '../prepared-decision.js';
import type { Decision } from '../types/decision.js';
import type { DecisionParts, Recording } from './attachment.js';
import type { DecisionRecorder } from './decision-recorder.js';

/** A value, and the id under which it is logged. */
interface Answer {
  readonly value: Value | undefined;
  readonly id: string | undefined;
}

export class RecordedDecision<Result> extends LibraryDecision<Result> {
  readonly #recorder: DecisionRecorder;
  readonly #parts: DecisionParts;

  constructor(parts: DecisionParts, recorder: DecisionRecorder) {
    super(parts.library, parts.prepared, parts.path, parts.check, parts.options);
    this.#parts = parts;
    this.#recorder = recorder;
  }

  override optionsOfBatch(options = this.#parts.options): AsyncDecisionOptions {
    return { ...options, decisionId: undefined, batchDecisionId: options.batchDecisionId ?? randomUUID() };
  }

  override decide(input?: unknown, options: DecisionOptions = this.#parts.options): Decision<Result> {
    refuseThread(options);
    return shown(this.#atOnce(this.checkedInput(input), options));
  }

  override async decideAsync(input?: unknown, options = this.#parts.options): Promise<Decision<Result>> {
    return shown(await this.#waiting(this.checkedInput(input), options));
  }

  override value(input: Value | undefined, options: DecisionOptions = this.#parts.options): Value | undefined {
    return this.#atOnce(input, options).value;
  }

  override async valueAsync(
    input: Value | undefined,
    options: AsyncDecisionOptions = this.#parts.options,
  ): Promise<Value | undefined> {
    return (await this.#waiting(input, options)).value;
  }

  #atOnce(input: Value | undefined, options: AsyncDecisionOptions): Answer {
    this.#check(options);
    const { prepared, asked } = this.#parts;
    return this.#recorder.follow(asked, input, options, (recording) => {
      if (recording === undefined)
        return { value: this.checked(prepared.atOnce(input, options), options), id: undefined };
      const { metrics } = recording;
      try {
        const value =
          metrics === undefined
            ? prepared.atOnce(input, recording.options)
            : prepared.timedAtOnce(input, recording.options, metrics);
        const id = recording.succeeded(value, this.#recorder.engine.bundles());
        return { value: this.checked(value, options), id };
      } catch (error) {
        recording.failed(error);
        throw error;
      }
    });
  }

  async #waiting(input: Value | undefined, options: AsyncDecisionOptions): Promise<Answer> {
    this.#check(options);
    return await this.#recorder.follow(this.#parts.asked, input, options, async (recording) => {
      try {
        return await this.#decided(input, options, recording);
      } catch (error) {
        recording?.failed(error);
        throw error;
      }
    });
  }

  async #decided(
    input: Value | undefined,
    options: AsyncDecisionOptions,
    recording: Recording | undefined,
  ): Promise<Answer> {
    const { prepared, library } = this.#parts;
    const answer = (value: Value | undefined, bundles: Decided['bundles'], explanation?: Explanation): Answer => {
      const id = recording?.succeeded(value, bundles, explanation);
      return { value: this.checked(value, options), id };
    };
    const given: AsyncDecisionOptions = recording?.options ?? options;
    if (options.thread === true)
      return answer(await library.inThread(prepared, input, given), this.#recorder.engine.bundles());
    const caller: Caller = {
      get signal() {
        return library.signalOf(options);
      },
    };
    // Its plan is ready before it evaluates, as that of a decision that is made at once.
    prepared.question();
    const { beside, asked } = this.#parts;
    return await ask(
      { engine: this.#recorder.engine, prepared, beside },
      { segments: asked.segments, input },
      ({ value, bundles }, explanation) => answer(value, bundles, explanation),
      { caller, options: given, why: recording?.explaining() },
    );
  }

  #check(options: AsyncDecisionOptions): void {
    if (options !== this.#parts.options) checkDecisionOptions(options);
    this.#parts.library.checkOpen();
  }
}

function shown<Result>({ value, id }: Answer): Decision<Result> {
  const made = decision<Result>(value);
  return id === undefined ? made : { ...made, decisionId: id };
}
