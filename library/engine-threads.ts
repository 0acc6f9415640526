/** The threads of one engine: started when a decision first asks for one. */

import type { Engine, EvaluationTarget, Platform, Prepared, Threads } from '../engine/index.js';
import { evaluateBeside, sized } from '../engine/index.js';
import type { EvaluationOptions } from '../runtime/index.js';
import type { Builtin, Value } from '../values/index.js';
import { EngineError } from './errors/engine-error.js';

export class EngineThreads {
  readonly #platform: Platform;
  readonly #own: ReadonlySet<string>;
  #threads: Promise<Threads> | undefined;

  /** @param own built-ins of the host, which are functions of its own thread */
  constructor(platform: Platform, own: readonly Builtin[]) {
    this.#platform = platform;
    this.#own = new Set(own.map(({ name }) => name));
  }

  /**
   * The value of a decision. Its plans run one after the other, with common limits, one time and
   * the same results of non-deterministic built-ins. Rejects with an EvaluationError, or an
   * EngineError if a plan cannot leave its thread.
   */
  async decide(
    { evaluator, context }: Engine,
    prepared: Prepared,
    input: Value | undefined,
    options: EvaluationOptions,
  ): Promise<Value | undefined> {
    return await evaluator.holding(async (held) => {
      const { targets, answer } = prepared.question();
      if (targets.length === 0) return sized(answer([], held.root), options);
      const threads = await this.#open(targets, options);
      const asked = { input, context, documents: held, timeMs: options.timeMs || Infinity };
      const results = await evaluateBeside(threads, targets, asked, options);
      return sized(answer(results, held.root), options);
    });
  }

  #open(targets: readonly EvaluationTarget[], { random }: EvaluationOptions): Promise<Threads> {
    if (random !== undefined)
      throw new EngineError('invalid_option', 'a source of random numbers cannot be called from a thread');
    const stays = targets.flatMap(({ executable }) => executable.builtins).find((name) => this.#own.has(name));
    if (stays !== undefined)
      throw new EngineError('no_threads', `${stays} is a built-in of the host, which cannot be called from a thread`);
    this.#threads ??= this.#platform.threads?.();
    if (this.#threads === undefined) throw new EngineError('no_threads', 'this platform has no threads');
    return this.#threads;
  }

  async close(): Promise<void> {
    // Threads that could not be opened have rejected the decision that asked for them.
    const threads = await this.#threads?.catch(() => undefined);
    await threads?.close();
  }
}
