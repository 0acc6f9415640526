/** Compares two versions in all ways that are asked for, and says whether they differ. */
import type { Value } from '../../values/value.js';
import type { PlacedEvent } from './events/read-events.js';
import type { VersionPair } from './policy-version.js';
import { type ReplayOptions, replay } from './replay.js';
import type { ChangeOutcome, ChangeReport } from './report.js';
import type { SearchOptions } from './search/search.js';

export interface ChangeOptions {
  /** Logged events to decide again. */
  readonly events?: AsyncIterable<readonly PlacedEvent[]> | undefined;
  readonly replay?: ReplayOptions | undefined;
  /** Paths at which inputs are searched that differ. Default: none. */
  readonly searched?: readonly string[] | undefined;
  readonly search?: SearchOptions | undefined;
}

/** What a change of policies does, by the ways that the options name. */
export async function compareVersions(pair: VersionPair, options: ChangeOptions): Promise<ChangeReport> {
  const { events, searched = [] } = options;
  const sample = new InputSample();
  const replayed = events && (await replay(pair, sample.of(events), options.replay));
  const inputs = [...(options.search?.inputs ?? []), ...sample.inputs];
  const found = searched.length === 0 ? undefined : await searchAll(pair, searched, { ...options.search, inputs });
  const parts = { ...(replayed && { replay: replayed }), ...(found && { search: found }) };
  return { old: pair.old.name, new: pair.new.name, outcome: outcomeOf(parts), ...parts };
}

async function searchAll(pair: VersionPair, paths: readonly string[], options: SearchOptions) {
  const { search } = await import('./search/search.js');
  return await search(pair, paths, options);
}

/** One difference is enough; without one, an inconclusive part leaves the question open. */
function outcomeOf({ replay, search }: Pick<ChangeReport, 'replay' | 'search'>): ChangeOutcome {
  if ((replay?.different ?? 0) + (search?.different ?? 0) > 0) return 'differs';
  const isOpen = replay !== undefined && replay.inconclusive + replay.unreadable > 0;
  return isOpen || (search?.undecided.length ?? 0) > 0 ? 'unknown' : 'same';
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
