/** The script of the library's Web Workers. The build puts it beside the library's entry. */

import { type EvaluationJob, EvaluationWorker, type ThreadData } from '../../engine/index.js';
import { webPlatform } from './web-platform.js';

/** A worker's own scope, whose type is not that of a page. */
interface WorkerScope {
  postMessage(message: unknown, moved: ArrayBuffer[]): void;
  addEventListener(
    type: 'message',
    listener: (event: { readonly data: unknown }) => void,
    options: { readonly once?: true },
  ): void;
}

const scope = globalThis as unknown as WorkerScope;

const begin = ({ data }: { readonly data: unknown }) => {
  const { preempted } = data as ThreadData;
  const worker = new EvaluationWorker(webPlatform, {
    preempted,
    report: (report, moved) => scope.postMessage(report, moved),
    heapMegabytes: () => 0,
  });
  scope.addEventListener('message', (job) => void worker.take(job.data as EvaluationJob), {});
};

scope.addEventListener('message', begin, { once: true });
