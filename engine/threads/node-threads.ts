/** Worker threads of Node. */
import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { EvaluationError, outOfMemory } from '../../runtime/index.js';
import { type EvaluationReport, type ThreadData, workerArgument } from './messages.js';
import type { ThreadPlatform } from './thread-platform.js';

const megabyte = 2 ** 20;

/** Room for steps that no meter interrupts: see `limitHeap`. */
const heapsPerLimit = 2;

/** Errors of a machine that has no more files, threads or memory just now. */
const passing = /EMFILE|ENFILE|EAGAIN|ENOMEM|ERR_WORKER_INIT_FAILED/;

/** @param entry a script that calls `serveEvaluations` when it is given `workerArgument` */
export function nodeThreads(entry: string): ThreadPlatform {
  return {
    processors: availableParallelism(),
    // A quarter of this process's and room for the documents, but no more than this process has.
    heapFor: (documents) => {
      const own = getHeapStatistics().heap_size_limit / megabyte;
      return Math.floor(Math.min(own, Math.max(192, own / 4) + (12 * documents.length) / megabyte));
    },
    start: (data, { onReport, onError, onExit }) => {
      const worker = new Worker(entry, {
        argv: [workerArgument],
        workerData: data satisfies ThreadData,
        resourceLimits: { maxOldGenerationSizeMb: heapsPerLimit * data.heapMegabytes },
      });
      worker.unref();
      worker.on('message', (report: EvaluationReport) => onReport(report));
      worker.on('error', onError);
      worker.on('exit', onExit);
      return {
        post: (job) => worker.postMessage(job),
        hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
        end: async () => void (await worker.terminate()),
      };
    },
    mayPass: (error) => {
      const { code, message } = error as NodeJS.ErrnoException;
      return passing.test(`${code} ${message}`);
    },
    failure: (error) => {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new EvaluationError('eval_cancel_error', outOfMemory)
        : new EvaluationError('eval_internal_error', message);
    },
  };
}
