/** Compares two versions in all ways that are asked for, and says whether they differ. */
import type { Value } from '../../values/index.js';
import type { PlacedEvent } from './events/read-events.js';
import type { NamedSchemas } from './input-schema.js';
import type { VersionPair } from './policy-version.js';
import type { ProofOptions } from './prove/prove.js';
import { type ReplayOptions, replay } from './replay.js';
import type { ChangeOutcome, ChangeReport, ProofReport } from './report.js';
import type { SearchOptions } from './search/search.js';

export interface ChangeOptions {
  /** Logged events to decide again. */
  readonly events?: AsyncIterable<readonly PlacedEvent[]> | undefined;
  readonly replay?: ReplayOptions | undefined;
  /** Paths at which inputs are searched that differ. Default: none. */
  readonly searched?: readonly string[] | undefined;
  readonly search?: SearchOptions | undefined;
  readonly prove?: ProveOptions | undefined;
  /**
   * Schemas by name: `schema` is that of the input, others are named by annotations. Made inputs
   * follow them, and proofs assume them.
   */
  readonly schemas?: NamedSchemas | undefined;
}

/** Questions for a solver. */
interface ProveOptions extends ProofOptions {
  /** Paths that are proved to be the same. */
  readonly paths: readonly string[];
  /** Whether the new version may allow nothing new, rather than decide alike. */
  readonly implies?: boolean | undefined;
  /** Expressions that never hold in the new version. */
  readonly never: readonly string[];
}

/** The effects of a change of policies, by the ways that the options name. */
export async function compareVersions(pair: VersionPair, options: ChangeOptions): Promise<ChangeReport> {
  const { events, searched = [] } = options;
  const sample = new InputSample();
  const replayed = events && (await replay(pair, sample.of(events), options.replay));
  const inputs = [...(options.search?.inputs ?? []), ...sample.inputs];
  const paths = [...new Set([...searched, ...(options.prove?.paths ?? [])])];
  const schemas = paths.length === 0 ? undefined : await schemasOf(pair, paths, options.schemas);
  const found =
    searched.length === 0
      ? undefined
      : await searchAll(pair, searched, { ...options.search, inputs, filters: schemas });
  const proofs = options.prove && (await proofsOf(pair, { ...options.prove, schemas }));
  const parts = { ...(replayed && { replay: replayed }), ...(found && { search: found }), ...(proofs && { proofs }) };
  return { old: pair.old.name, new: pair.new.name, outcome: outcomeOf(parts), ...parts };
}

async function schemasOf(pair: VersionPair, paths: readonly string[], given: NamedSchemas | undefined) {
  const { schemasOfPaths } = await import('./input-schema.js');
  return await schemasOfPaths(pair, paths, given);
}

async function searchAll(pair: VersionPair, paths: readonly string[], options: SearchOptions) {
  const { search } = await import('./search/search.js');
  return await search(pair, paths, options);
}

async function proofsOf(pair: VersionPair, options: ProveOptions): Promise<readonly ProofReport[]> {
  const { proveNever, provePath } = await import('./prove/prove.js');
  const proofs: ProofReport[] = [];
  for (const path of options.paths) proofs.push(await provePath(pair, path, options, options.implies));
  for (const expression of options.never) proofs.push(await proveNever(pair, expression, options));
  return proofs;
}

/** One difference is enough; without one, an inconclusive part leaves the question open. */
function outcomeOf({ replay, search, proofs = [] }: Partial<ChangeReport>): ChangeOutcome {
  const differs = (replay?.different ?? 0) + (search?.different ?? 0) > 0;
  if (differs || proofs.some(({ answer }) => answer === 'differs')) return 'differs';
  const isReplayOpen = replay !== undefined && replay.inconclusive + replay.unreadable > 0;
  const isSearchOpen = (search?.undecided.length ?? 0) > 0 && proofs.length === 0;
  return isReplayOpen || isSearchOpen || proofs.some(({ answer }) => answer === 'unknown') ? 'unknown' : 'same';
}

const mostInputs = 200;

/** Some of the inputs of a log: its first ones, then fewer and fewer. */
class InputSample {
  readonly inputs: Value[] = [];
  #seen = 0;
  #every = 1;

  async *of(batches: AsyncIterable<readonly PlacedEvent[]>): AsyncGenerator<readonly PlacedEvent[]> {
    for await (const batch of batches) {
      for (const { event } of batch) if (event !== undefined && event.hidden.length === 0) this.#take(event.input);
      yield batch;
    }
  }

  #take(input: Value | undefined): void {
    if (input === undefined || this.#seen++ % this.#every !== 0) return;
    if (this.inputs.length < mostInputs) this.inputs.push(input);
    else {
      this.inputs[((this.#seen / this.#every) % mostInputs) | 0] = input;
      if (this.#seen >= this.#every * mostInputs * 2) this.#every *= 2;
    }
  }
}
