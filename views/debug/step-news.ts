/** The news of a step: variables that got a value, and values that calls have returned. */
import type { Stmt } from '../../ir-schema/index.js';
import { equal, shortText, type Value } from '../../values/index.js';
import type { PlanMap } from './plan-map.js';
import type { NamedValue, StepNews } from './session.js';
import { nameOfFrame, pathOfFunc, type ViewedFrame, variablesOf } from './stack-view.js';
import type { SessionTimeline } from './timeline.js';

/** Calls whose values are told: the last ones of a step. */
const mostReturned = 5;

export class StepWatch {
  readonly #map: PlanMap;
  readonly #timeline: SessionTimeline;
  readonly #started: number | undefined;
  readonly #depth: number;
  readonly #before: ReadonlyMap<string, Value | undefined>;
  readonly #returned: NamedValue[] = [];

  /** @param frame the innermost one, before the step */
  constructor(map: PlanMap, timeline: SessionTimeline, frame: ViewedFrame | undefined) {
    this.#map = map;
    this.#timeline = timeline;
    this.#started = frame?.call.started;
    this.#depth = timeline.machine.depth;
    this.#before = frame === undefined ? new Map() : variablesOf(frame, map);
  }

  /** Looks at a move: a value that this call returns, or one that it calls. */
  moved(moved: Stmt | undefined): void {
    const { machine } = this.#timeline;
    const { frame } = machine;
    if (moved?.type !== 'ReturnLocalStmt' || frame?.func === undefined || pathOfFunc(frame.func) === undefined) return;
    if (machine.depth > this.#depth + 1) return;
    const { rule } = this.#map.of(moved);
    const own = this.#map.inside(frame.func).find((one) => one.rule !== undefined)?.rule;
    this.#returned.push({ name: nameOfFrame(frame.func, rule ?? own, this.#map, ''), value: frame.returned });
    if (this.#returned.length > mostReturned) this.#returned.shift();
  }

  /** @param frame the innermost one, behind the step; undefined at the end */
  news(frame: ViewedFrame | undefined): StepNews {
    const isSame = frame !== undefined && frame.call.started === this.#started;
    const isInner = frame !== undefined && frame.depth > this.#depth;
    const now = isSame || isInner ? variablesOf(frame, this.#map) : new Map<string, Value | undefined>();
    const bound = [...now].flatMap(([name, value]): NamedValue[] => {
      const before = isSame ? this.#before.get(name) : undefined;
      if (value === undefined || (before !== undefined && equal(before, value))) return [];
      return [{ name, value }];
    });
    return { bound, returned: this.#returned };
  }
}

/** Characters of a value. */
const listedValue = 200;

/** The news of a step, a line each: `data.authz.may(role, action) is true`, `role = "admin"`. */
export function newsLines(news: StepNews | undefined): readonly string[] {
  const shown = (value: Value | undefined) => (value === undefined ? 'undefined' : shortText(value, listedValue));
  return [
    ...(news?.returned ?? []).map(({ name, value }) => `${name} is ${shown(value)}`),
    ...(news?.bound ?? []).map(({ name, value }) => `${name} = ${shown(value)}`),
  ];
}
