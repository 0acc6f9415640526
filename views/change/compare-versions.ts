/** Compares two versions in all ways that are asked for, and says whether they differ. */
import type { PlacedEvent } from './events/read-events.js';
import type { VersionPair } from './policy-version.js';
import { type ReplayOptions, replay } from './replay.js';
import type { ChangeOutcome, ChangeReport, ReplayReport } from './report.js';

export interface ChangeOptions {
  /** Logged events to decide again. */
  readonly events?: AsyncIterable<readonly PlacedEvent[]> | undefined;
  readonly replay?: ReplayOptions | undefined;
}

/** What a change of policies does, by the ways that the options name. */
export async function compareVersions(pair: VersionPair, options: ChangeOptions): Promise<ChangeReport> {
  const { events } = options;
  const replayed = events && (await replay(pair, events, options.replay));
  const parts = { ...(replayed && { replay: replayed }) };
  return { old: pair.old.name, new: pair.new.name, outcome: outcomeOf(parts), ...parts };
}

/** One difference is enough; without one, an inconclusive part leaves the question open. */
function outcomeOf({ replay }: Pick<ChangeReport, 'replay'>): ChangeOutcome {
  if (replay !== undefined && replay.different > 0) return 'differs';
  return replay !== undefined && isOpen(replay) ? 'unknown' : 'same';
}

function isOpen({ inconclusive, unreadable }: ReplayReport): boolean {
  return inconclusive > 0 || unreadable > 0;
}
