/** Repeats an action when files change. */
import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';

interface WatchOptions {
  /** Called before each wait. */
  readonly waiting: () => void;
  /** Ends the watch; so does an interrupt. */
  readonly signal?: AbortSignal;
}

/**
 * The milliseconds without further changes before the action starts: editors write files in several
 * steps.
 */
const quiet = 100;

/** Watches files and, recursively, directories until it is interrupted. */
export async function watchFiles(paths: readonly string[], changed: () => Promise<void>, options: WatchOptions): Promise<void> {
  let wake = () => {};
  let dirty = false;
  const note = () => {
    dirty = true;
    wake();
  };
  const watchers = watchedPlaces(paths).map((place): FSWatcher => watch(place, { recursive: statSync(place).isDirectory() }, note));
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    wake();
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  options.signal?.addEventListener('abort', end);
  try {
    while (!ended.signal.aborted) {
      options.waiting();
      while (!dirty && !ended.signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      while (dirty && !ended.signal.aborted) {
        dirty = false;
        await new Promise((resolve) => setTimeout(resolve, quiet));
      }
      if (!ended.signal.aborted) await changed();
    }
  } finally {
    for (const watcher of watchers) watcher.close();
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

/** Watches the directories of files: for the system, a replaced file is a new one. */
function watchedPlaces(paths: readonly string[]): readonly string[] {
  const places = paths.filter((path) => existsSync(path)).map((path) => (statSync(path).isDirectory() ? path : dirname(path)));
  return [...new Set(places)];
}
