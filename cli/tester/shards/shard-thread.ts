/** A thread with a shard, as the main thread sees it. */
import { Worker } from 'node:worker_threads';
import { EvaluationError } from '../../../runtime/evaluation/errors.js';
import type { ListedTest } from '../discover.js';
import { receivedError, testThreadArgument } from '../messages.js';
import type { TestResult } from '../result.js';
import type { ReportedResult, ShardData, ShardReport } from './shard-messages.js';

export class ShardThread {
  /** Resolves with its tests when the files have compiled; rejects if they have not. */
  readonly ready: Promise<readonly ListedTest[]>;
  readonly #worker: Worker;
  readonly #results: ReportedResult[] = [];
  #ended: string | undefined;
  #wake = () => {};

  constructor(entry: string, data: ShardData) {
    const worker = new Worker(entry, { argv: [testThreadArgument], workerData: data });
    this.#worker = worker;
    this.ready = new Promise((resolve, reject) => {
      const end = (reason: string) => {
        this.#ended ??= reason;
        reject(new Error(reason));
        this.#wake();
      };
      worker.on('message', (report: ShardReport) => {
        if (report === 'failed') end('it has not compiled');
        else if ('tests' in report) resolve(report.tests);
        else this.#results.push(...report.results);
        this.#wake();
      });
      worker.on('error', ({ message }) => end(message));
      worker.on('exit', () => end('it left'));
    });
    // The main thread may be busy when it fails.
    this.ready.catch(() => undefined);
  }

  /** The next result, if it has come. */
  next(): TestResult | undefined {
    const next = this.#results.shift();
    if (next === undefined) return undefined;
    const { reported, ...result } = next;
    return reported === undefined ? result : { ...result, error: receivedError(reported) };
  }

  /** Why there will be no more results; undefined while there may be some. */
  get fault(): EvaluationError | undefined {
    if (this.#ended === undefined || this.#results.length > 0) return undefined;
    return new EvaluationError('eval_internal_error', `the thread of the test ended: ${this.#ended}`);
  }

  /** Waits until there is more to know. */
  news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
