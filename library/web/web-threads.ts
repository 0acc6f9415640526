/** Web Workers in the place of threads. */
import { type EvaluationReport, type ThreadPlatform, ThreadPool } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import { EngineError } from '../errors/engine-error.js';

/** Some platforms keep a process alive for a worker. */
interface HeldWorker {
  ref?(): void;
  unref?(): void;
}

const webThreads: ThreadPlatform = {
  processors: globalThis.navigator?.hardwareConcurrency ?? 2,
  // A page does not know how much memory it has.
  heapFor: () => 0,
  start: (data, { onReport, onError, onExit }) => {
    // Bundlers recognize this form, and copy the script with what it imports.
    const worker = new Worker(new URL('./evaluation-thread.js', import.meta.url), { type: 'module' });
    const held = worker as HeldWorker;
    held.unref?.();
    worker.addEventListener('message', ({ data: report }) => onReport(report as EvaluationReport));
    worker.addEventListener('error', onError);
    worker.postMessage(data);
    return {
      post: (job) => worker.postMessage(job),
      hold: (isHeld) => (isHeld ? held.ref?.() : held.unref?.()),
      end: async () => {
        worker.terminate();
        onExit();
      },
    };
  },
  mayPass: () => false,
  failure: (error) => {
    const { message } = error as { readonly message?: unknown };
    // A script that could not be loaded has no message.
    return typeof message === 'string' && message !== ''
      ? new EvaluationError('eval_internal_error', message)
      : new EngineError('no_threads', unloaded);
  },
};

const unloaded =
  'the script of threads, evaluation-thread.js, cannot be loaded from beside the library: serve it with the library, ' +
  'take a bundler that copies workers (such as Vite or webpack), or decide without a thread';

/** Throws an EngineError where there are no workers. */
export function openWebThreads(): ThreadPool {
  if (typeof Worker === 'undefined') throw new EngineError('no_threads', 'this platform has no Web Workers');
  return new ThreadPool(webThreads);
}
