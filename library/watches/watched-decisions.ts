/** Decisions of the library that are made again when something that they read changes. */

import type { Engine } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import { type Json, parseJson, toJson, type Value } from '../../values/index.js';
import type { DecisionOptions } from '../decision-options.js';
import type { Follower } from '../follow.js';
import { decision } from '../prepared-decision.js';
import type { Decision } from '../types/decision.js';

/** A decision, or the error that it ended with; the watch goes on after an error. */
export interface WatchedDecision<Result = Json> extends Decision<Result> {
  readonly error?: EvaluationError;
}

interface Watching {
  readonly input: Value | undefined;
  readonly options: DecisionOptions;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Throws where nothing can ever be at the path, if the options are strict. */
  readonly checkDefined: () => void;
  /** Follows a decision of the watch; absent where nothing does. */
  readonly follow?: (() => Follower | undefined) | undefined;
}

/** Rejects with CompileErrors. */
export async function* watchedDecisions<Result>(
  engine: Engine,
  path: readonly string[],
  { input, options, signal, checkDefined, follow }: Watching,
): AsyncGenerator<WatchedDecision<Result>, undefined> {
  if (signal.aborted) return;
  let recording: Follower | undefined;
  const watch = (await engine.watches()).onPath(path, {
    input,
    options: () => {
      recording = follow?.();
      return recording?.options ?? options;
    },
    // A text shares nothing with documents, which later commits may write into.
    write: ({ value, bundles }) => {
      recording?.succeeded(value, bundles);
      if (value !== undefined) return toJson(value);
      checkDefined();
      return undefined;
    },
    isSame: (one, other) => one === other,
    caller: { signal },
  });
  const end = () => watch.end();
  signal.addEventListener('abort', end);
  try {
    for (let next = await watch.next(); next !== undefined; next = await watch.next()) {
      if ('answer' in next) yield decision(next.answer === undefined ? undefined : parseJson(next.answer));
      else if (next.error instanceof EvaluationError) yield { error: next.error };
      else throw next.error;
    }
  } finally {
    signal.removeEventListener('abort', end);
    watch.end();
  }
}
