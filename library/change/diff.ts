/** Two versions of policies compared, for the library. */

import { jsonValue, placeOf, type Value } from '../../values/index.js';
import type { ChangeReport, EventBatches, PolicyVersion } from '../../views/index.js';
import { compareVersions, givenEvents, versionsAnswer } from '../../views/index.js';
import type { EngineOptions } from '../engine-options.js';
import { EngineError } from '../errors/engine-error.js';
import { engineOf, LibraryEngine, sourcesBeside } from '../library-engine.js';
import type { Source } from '../sources/sources.js';

/** How two versions are compared. */
export interface DiffOptions {
  /** The decisions to compare, such as `authz/allow`. Default: the entrypoints of both versions. */
  readonly entrypoints?: readonly string[] | undefined;
  /**
   * Events of a decision log, whose decisions both versions make again. Without them, inputs are
   * made that the versions may decide otherwise.
   */
  readonly events?: Iterable<unknown> | AsyncIterable<unknown> | undefined;
  /** Whether inputs are made beside events, too. */
  readonly search?: boolean | undefined;
  /** How many inputs are made for each path. Default: 20,000. */
  readonly tries?: number | undefined;
  /** The same seed makes the same inputs. Default: 1. */
  readonly seed?: number | undefined;
  /** For versions that are opened here. */
  readonly engine?: EngineOptions | undefined;
}

/** A version: an engine that is open, or its sources. */
export type DiffVersion = LibraryEngine<never> | Source | readonly Source[];

type Opens = (sources: Source | readonly Source[], options?: EngineOptions) => Promise<LibraryEngine>;

/**
 * Compares two versions: by the decisions of a log, or by inputs that are made of what both read.
 * Rejects as `Engine.open` for a version that cannot be opened, naming it.
 */
export async function diffVersions(
  old: DiffVersion,
  next: DiffVersion,
  options: DiffOptions,
  opens: Opens,
): Promise<ChangeReport> {
  const { entrypoints, events, search = events === undefined, tries, seed } = options;
  const opened: LibraryEngine[] = [];
  const versionOf = async (
    name: 'old' | 'new',
    given: DiffVersion,
  ): Promise<PolicyVersion & { library: LibraryEngine }> => {
    const isEngine = given instanceof LibraryEngine;
    const library = isEngine ? (given as LibraryEngine) : await opens(given, options.engine);
    if (!isEngine) opened.push(library);
    return { name, engine: engineOf(library), beside: sourcesBeside(library), library };
  };
  try {
    const pair = { old: await versionOf('old', old), new: await versionOf('new', next) };
    const paths = entrypoints ?? [...new Set([...pair.old.library.entrypoints, ...pair.new.library.entrypoints])];
    if (search && paths.length === 0)
      throw new EngineError('invalid_option', 'option entrypoints must name decisions, as no rule is annotated as one');
    const missing = entrypoints?.find((path) => !versionsAnswer(pair, path));
    if (missing !== undefined)
      throw new EngineError('invalid_option', `option entrypoints: neither version has anything at ${missing}`);
    return await compareVersions(pair, {
      events: events && batchesOf(events),
      replay: { paths: entrypoints },
      searched: search ? paths : [],
      search: { tries, seed },
    });
  } finally {
    await Promise.all(opened.map((library) => library.close()));
  }
}

async function* batchesOf(events: Iterable<unknown> | AsyncIterable<unknown>): EventBatches {
  let line = 0;
  for await (const event of events) yield givenEvents('events', ++line, [eventValue(event)]);
}

function eventValue(event: unknown): Value {
  return jsonValue(
    event,
    ({ path, problem }) => new EngineError('invalid_data', `${placeOf('event', path)} ${problem}`),
  );
}
