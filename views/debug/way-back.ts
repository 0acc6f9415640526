/** Looks for stops before a position: restores kept states, and evaluates forward from them. */

import type { PlanMap } from './plan-map.js';
import type { Stop } from './session.js';
import type { Stops, StopTest } from './stops.js';
import type { KeptState, SessionTimeline } from './timeline.js';
import { SessionTurns } from './turns.js';

/** Calls, depth and nesting of a place. */
export interface Here {
  readonly depth: number;
  readonly calls: readonly number[];
  readonly nesting: number;
}

interface WayBackSources {
  readonly map: PlanMap;
  readonly stops: Stops;
  /** Aborted at the end of the session. */
  readonly signal: AbortSignal;
  /** The timeline of now. */
  readonly timeline: () => SessionTimeline;
  readonly isPaused: () => boolean;
}

export class WayBack {
  readonly #sources: WayBackSources;

  constructor(sources: WayBackSources) {
    this.#sources = sources;
  }

  /**
   * The last stop before a position; a pause where it has come to.
   * @param within a place of which inner calls and bodies are not looked into
   */
  async lastBefore(
    end: number,
    test: StopTest,
    { looksAfter = false, within }: { readonly looksAfter?: boolean; readonly within?: Here } = {},
  ): Promise<Stop | undefined> {
    const { stops, signal, isPaused } = this.#sources;
    const timeline = this.#sources.timeline();
    const { machine } = timeline;
    const breaksAfter = looksAfter ? stops.after() : undefined;
    const turns = new SessionTurns(signal);
    let before = end;
    // Each part is twice as long as the one behind it: to restore a state can take as long as many
    // moves.
    for (let length = 1; before > 0; length *= 2) {
      const state = timeline.stateBefore(Math.max(1, before - length))!;
      timeline.goTo(state.position);
      stops.failure = undefined;
      let found: Stop | undefined;
      while (timeline.at < before) {
        const { next } = machine;
        found = (next === undefined ? undefined : test(next)) ?? found;
        timeline.move();
        if (timeline.error !== undefined) break;
        if (timeline.at < before) found = breaksAfter?.(next) ?? found;
        if (turns.isDue()) await turns.take();
        if (isPaused()) return { reason: 'pause', frame: undefined, at: before };
      }
      if (found !== undefined) return found;
      length = Math.max(length, before - state.position);
      before = Math.min(state.position, within === undefined ? end : this.#innerBlock(state, within));
    }
    return undefined;
  }

  /**
   * The position behind the beginning of a block that is not looked into: that of a call from here,
   * or of a body inside an expression.
   */
  #innerBlock({ levels }: KeptState, here: Here): number {
    const call = here.calls[here.depth - 1];
    let isHere = false;
    for (const level of levels) {
      const isOwn = level.frame.started === call;
      if (isHere && !isOwn) return level.started + 1;
      isHere ||= isOwn;
      const [first] = level.stmts;
      if (isOwn && first !== undefined && this.#sources.map.of(first).nesting > here.nesting) return level.started + 1;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The first expression, or the first statement if none begins up to a position. */
  async start(end: number): Promise<Stop> {
    const { map, signal, isPaused } = this.#sources;
    const timeline = this.#sources.timeline();
    const turns = new SessionTurns(signal);
    timeline.goTo(0);
    while (timeline.at <= end && !timeline.hasEnded) {
      const { next } = timeline.machine;
      if (next !== undefined && map.of(next).begins.expression)
        return { reason: 'start', frame: undefined, at: timeline.at };
      timeline.move();
      if (turns.isDue()) await turns.take();
      if (isPaused()) return { reason: 'pause', frame: undefined, at: timeline.at };
    }
    return { reason: 'start', frame: undefined, at: 0 };
  }
}
