/** Repeats an action when files change. */

import { FileWatch } from '../engine/node.js';
import { longestTimerMs } from '../values/index.js';

interface WatchOptions {
  /** Called before each wait. */
  readonly waiting: () => void;
  /** Ends the watch; so does an interrupt. */
  readonly signal?: AbortSignal;
}

/** Watches files and, recursively, directories until it is interrupted. */
export async function watchFiles(
  paths: readonly string[],
  changed: () => Promise<void>,
  options: WatchOptions,
): Promise<void> {
  let wake = () => {};
  let dirty = false;
  let ended = false;
  const watch = new FileWatch(paths, () => {
    dirty = true;
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  // A FileWatch does not keep the process alive.
  const alive = setInterval(() => {}, longestTimerMs);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  options.signal?.addEventListener('abort', end);
  try {
    while (!ended) {
      options.waiting();
      while (!dirty && !ended) await new Promise<void>((resolve) => (wake = resolve));
      dirty = false;
      if (!ended) await changed();
    }
  } finally {
    clearInterval(alive);
    watch.close();
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
    options.signal?.removeEventListener('abort', end);
  }
}
