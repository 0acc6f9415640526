/** A thread of Node for evaluations that take long. */
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { limitHeap } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import type { ChoreMessage } from './chores.js';
import { EvaluationWorker } from './evaluation-worker.js';
import type { EvaluationJob, ThreadData } from './messages.js';

/** Answers jobs until the server ends the thread. */
export function serveEvaluations(): void {
  const port = parentPort;
  if (port === null) throw new Error('evaluations are served to whoever started this thread');
  // Threads for chores are started without it.
  const given = (workerData ?? undefined) as ThreadData | undefined;
  if (given !== undefined) limitHeap(given.heapMegabytes * 2 ** 20);
  const worker = new EvaluationWorker(
    { host: nodeHost },
    {
      preempted: given?.preempted,
      report: (report, moved) => port.postMessage(report, moved),
      heapMegabytes: () => getHeapStatistics().used_heap_size / 2 ** 20,
    },
  );
  port.on('message', (message: EvaluationJob | ChoreMessage) => {
    if ('chore' in message)
      void import('./chore-worker.js').then(({ doChore }) => port.postMessage(doChore(message.chore)));
    else void worker.take(message);
  });
}
