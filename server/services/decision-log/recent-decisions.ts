/** The last events of the decision log, kept in memory for the page of a server. */

import { type PlainObject, parseJson, type Value } from '../../../values/index.js';

/** Characters of an event that is kept whole. */
const mostCharacters = 65_536;

/** The members that are kept of a longer event. */
const shortMembers = ['decision_id', 'path', 'query', 'requested_by', 'timestamp', 'error', 'bundles'] as const;

export interface RecentDecision {
  /** Masked as the decision log is. */
  readonly event: PlainObject;
  /** Whether the event was too long to be kept whole. */
  readonly isShortened: boolean;
  /**
   * The input that was asked with, for explanations; undefined where the event is shortened or
   * comes from another process.
   */
  readonly input: Value | undefined;
}

interface Kept {
  readonly text: string;
  readonly input: Value | undefined;
  decision?: RecentDecision;
}

export class RecentDecisions {
  /** The newest is the last. */
  readonly #kept: Kept[] = [];

  /**
   * @param text the event as JSON
   * @param input of the decision, not masked
   * @param limit of events that are kept
   */
  add(text: string, input: Value | undefined, limit: number): void {
    const isLong = text.length > mostCharacters;
    this.#kept.push(isLong ? { text: '', input: undefined, decision: shortened(text) } : { text, input });
    if (this.#kept.length > limit) this.#kept.splice(0, this.#kept.length - limit);
  }

  /** The newest first. */
  all(): readonly RecentDecision[] {
    return this.#kept.map(decisionOf).reverse();
  }

  /** The newest with an id. */
  find(id: string): RecentDecision | undefined {
    return this.all().find(({ event }) => event.decision_id === id);
  }
}

/** Events are read when they are asked for: most never are. */
function decisionOf(kept: Kept): RecentDecision {
  const { text, input } = kept;
  return (kept.decision ??= { event: parseJson(text) as PlainObject, isShortened: false, input });
}

function shortened(text: string): RecentDecision {
  const event = parseJson(text) as PlainObject;
  const members = shortMembers.flatMap((name) => {
    const value = event[name];
    return value === undefined || JSON.stringify(value).length > mostCharacters / 16 ? [] : [[name, value] as const];
  });
  return { event: Object.fromEntries(members), isShortened: true, input: undefined };
}
