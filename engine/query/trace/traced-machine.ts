/** The search of a traced evaluation: it knows the place it is at, also after backtracking. */

import type { Span } from '../../../compiler/index.js';
import type { Meter } from '../../../runtime/index.js';
import type { Frame } from '../bindings.js';
import type { QueryEnvironment } from '../environment.js';
import { Machine, type Next, type Step } from '../machine.js';
import type { TracedNode, TracedQuery } from '../tracer.js';

/** A node under evaluation: the subject of events. */
export interface TracedPlace {
  readonly query: TracedQuery;
  readonly node: TracedNode;
  readonly frame: Frame;
  readonly at: Span;
}

/** Reports of an early exit leave out the queries that it passes, but not their expressions. */
type ReportKind = 'expr' | 'query';

export class TracedMachine extends Machine {
  place: TracedPlace;
  readonly #reports = new WeakMap<Step, ReportKind>();
  #isEarly = false;

  constructor(environment: QueryEnvironment, meter: Meter, place: TracedPlace) {
    super(environment, meter);
    this.place = place;
  }

  override push(retry: Step): number {
    const { place } = this;
    return super.push(() => {
      this.place = place;
      return retry();
    });
  }

  /** Calls `report` when the search backtracks, at the place of now. Cuts keep it. */
  onBacktrack(kind: ReportKind, report: () => void): void {
    const { place } = this;
    const step = (): Next => {
      this.place = place;
      report();
      return this.fail();
    };
    this.#reports.set(step, kind);
    super.push(step);
  }

  /** Ends the search for further solutions, as the reference does where one is enough. */
  exitEarly(choice: number): void {
    this.#isEarly = true;
    this.cut(choice);
    this.#isEarly = false;
  }

  protected override isKept(retry: Step, ofOther: boolean): boolean {
    const kind = this.#reports.get(retry);
    if (kind === undefined) return ofOther;
    return kind === 'expr' || !this.#isEarly;
  }
}
