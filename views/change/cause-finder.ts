/** Causes of many differences: those with one trace have one cause, which is explained once. */
import { type Cause, causesOf } from './causes.js';
import type { PastQuestion, VersionDecisions } from './version-decisions.js';

/** Decisions of both versions. */
export interface DecidingPair {
  readonly old: VersionDecisions;
  readonly new: VersionDecisions;
}

const mostTraces = 10_000;

/** The cause of a difference that came after too many others. */
const unsought: Cause = { rules: [], how: 'none', summary: 'not sought: there are many differences' };

export class CauseFinder {
  readonly #deciding: DecidingPair;
  readonly #known = new Map<string, readonly [Cause, Cause]>();
  #msLeft: number;

  /** @param ms for explanations; later differences have no causes */
  constructor(deciding: DecidingPair, ms: number) {
    this.#deciding = deciding;
    this.#msLeft = ms;
  }

  /** The causes of a decision in the old and the new version. */
  async find(question: PastQuestion): Promise<readonly [old: Cause, next: Cause]> {
    const trace = await this.#traceOf(question);
    const known = trace === undefined ? undefined : this.#known.get(trace);
    if (known !== undefined) return known;
    if (this.#msLeft <= 0) return [unsought, unsought];
    const started = performance.now();
    const causes = await causesOf(this.#deciding, question);
    this.#msLeft -= performance.now() - started;
    if (trace !== undefined && this.#known.size < mostTraces) this.#known.set(trace, causes);
    return causes;
  }

  async #traceOf(question: PastQuestion): Promise<string | undefined> {
    if (question.path === undefined) return undefined;
    const { old, new: next } = this.#deciding;
    const [before, after] = [await old.traceOf(question), await next.traceOf(question)];
    return before === undefined || after === undefined ? undefined : `${question.path}\n${before}\n${after}`;
  }
}
