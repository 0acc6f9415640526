/** A thread with shards, as the main thread sees it. */
import { Worker } from 'node:worker_threads';
import { EvaluationError } from '../../../runtime/evaluation/errors.js';
import type { ListedTest } from '../discover.js';
import { receivedError, testThreadArgument } from '../messages.js';
import type { TestResult } from '../result.js';
import { type Entry, type ReportedResult, runTheRest, type ShardReport, type ShardsData, type ShardThreadData } from './shard-messages.js';

export class ShardThread {
  /** The tests of its shards, when there is no shard left; rejects if one has not compiled. */
  readonly compiled: Promise<readonly Entry<TestResult>[]>;
  readonly #worker: Worker;
  /** By the names of their tests. */
  readonly #results = new Map<string, TestResult>();
  #ended: string | undefined;
  #wake = () => {};

  constructor(entry: string, pause: Int32Array) {
    const worker = new Worker(entry, {
      argv: [testThreadArgument],
      workerData: { kind: 'shards', pause } satisfies ShardThreadData,
    });
    this.#worker = worker;
    this.compiled = new Promise((resolve, reject) => {
      const all: Entry<TestResult>[] = [];
      const end = (reason: string) => {
        this.#ended ??= reason;
        reject(new Error(reason));
        this.#wake();
      };
      worker.on('message', (report: ShardReport) => {
        if (report === 'failed') end('it has not compiled');
        else if (report === 'compiled') resolve(all);
        else if ('entries' in report)
          for (const entry of report.entries) all.push('test' in entry ? entry : { file: entry.file, result: received(entry.result) });
        else for (const result of report.results) this.#results.set(nameOf(result), received(result));
        this.#wake();
      });
      worker.on('error', ({ message }) => end(message));
      worker.on('exit', () => end('it left'));
    });
    // The main thread may be busy when it fails.
    this.compiled.catch(() => undefined);
  }

  /** Gives it the shards, of which it takes some. */
  start(shards: ShardsData): void {
    this.#worker.postMessage(shards);
  }

  runTheRest(): void {
    this.#worker.postMessage(runTheRest);
  }

  /** The result of a test that had none when it was compiled, if it has come. */
  resultOf(test: Pick<ListedTest, 'package' | 'name'>): TestResult | undefined {
    return this.#results.get(nameOf(test));
  }

  /** Why there will be no more results; undefined while there may be some. */
  get fault(): EvaluationError | undefined {
    if (this.#ended === undefined) return undefined;
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

/** Tests of one package have names of their own, see `renameDuplicates`. */
export function nameOf({ package: pkg, name }: Pick<ListedTest, 'package' | 'name'>): string {
  return `${pkg} ${name}`;
}

function received({ reported, ...result }: ReportedResult): TestResult {
  return reported === undefined ? result : { ...result, error: receivedError(reported) };
}
