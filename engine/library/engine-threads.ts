/** The threads of one engine: started when a decision first asks for one. */
import type { Builtin } from '../../runtime/builtins/builtin.js';
import type { EngineContext } from '../../runtime/evaluation/context.js';
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import type { HeldVersion } from '../../runtime/store/store.js';
import type { Value } from '../../runtime/values/value.js';
import { evaluateBeside } from '../evaluation/beside.js';
import type { ResultSets, Target } from '../evaluation/evaluate.js';
import type { Platform, Threads } from '../platform.js';
import { EngineError } from './engine-error.js';

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
   * The result sets of plans that answer one question, one after the other: their limits are those
   * of all together, and they see one time and the same answers of built-ins. Rejects with an
   * EvaluationError, or an EngineError where they cannot leave their thread.
   */
  async run(
    targets: readonly Target[],
    input: Value | undefined,
    held: HeldVersion,
    context: EngineContext,
    options: EvaluationOptions,
  ): Promise<ResultSets> {
    const threads = await this.#open(targets, options);
    return await evaluateBeside(threads, targets, input, context, held, options, options.timeMs || Infinity);
  }

  #open(targets: readonly Target[], { random }: EvaluationOptions): Promise<Threads> {
    if (random !== undefined) throw new EngineError('invalid_option', 'a source of random numbers cannot be called from a thread');
    const stays = targets.flatMap(({ executable }) => executable.builtins).find((name) => this.#own.has(name));
    if (stays !== undefined)
      throw new EngineError('no_threads', `${stays} is a built-in of the host, which cannot be called from a thread`);
    this.#threads ??= this.#platform.threads?.();
    if (this.#threads === undefined) throw new EngineError('no_threads', 'this platform has no threads');
    return this.#threads;
  }

  async close(): Promise<void> {
    await (await this.#threads)?.close();
  }
}
