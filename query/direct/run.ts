/** The state of direct evaluation: one run, and the frame of each rule in it. */

import type { VirtualDocument } from '../../compiler/resolve/virtual-document.js';
import type { Span } from '../../compiler/source/location.js';
import type { Evaluation } from '../../runtime/evaluation/evaluation.js';
import type { Value } from '../../values/value.js';
import { Frame } from '../bindings.js';
import type { Environment } from '../environment.js';
import type { ObjectBuilder } from '../object-builder.js';
import type { Search } from '../search.js';
import { NeedsSearch } from './needs-search.js';

/** Work within one step of a search that is carried out in steps: some tenths of a millisecond. */
const budgetOfStep = 5000;

/** Rules that may be under evaluation at once, as JavaScript's stack has an end. */
const maxDepth = 60;

export class DirectRun {
  readonly search: Search;
  readonly environment: Environment;
  readonly evaluation: Evaluation;
  #budget: number;
  /** The documents under evaluation, the outermost first. */
  readonly #entered: VirtualDocument[] = [];
  #error: unknown;

  constructor(search: Search) {
    this.search = search;
    this.environment = search.machine.environment;
    this.evaluation = search.evaluation;
    this.#budget = search.machine.isStepped ? budgetOfStep : Infinity;
  }

  count(): void {
    const { meter } = this.evaluation;
    if (--meter.left < 0) meter.refill();
    if (--this.#budget < 0) throw new NeedsSearch('long work goes in steps', { isLasting: false });
  }

  enter(document: VirtualDocument): void {
    this.count();
    const { search } = this.search.machine;
    const depth = this.#entered.push(document);
    // The first half, so that the next attempt begins far below.
    if (depth > maxDepth) throw new NeedsSearch('deep calls', { documents: this.#entered.slice(0, maxDepth / 2) });
    // The search throws the error of calls that nest too deeply.
    if ((search?.depth ?? 0) + depth > this.evaluation.callDepth) throw new NeedsSearch('too deep calls', { isLasting: false });
  }

  leave(): void {
    this.#entered.pop();
  }

  /** Notes where an error comes from: the innermost rule tells it first. */
  failed(frame: DirectFrame, error: unknown): unknown {
    if (this.#error === error || error instanceof NeedsSearch) return error;
    this.#error = error;
    this.search.frame = frame.asFrame();
    return error;
  }
}

/** One evaluation of rules. Variables have numbers; each is assigned before it is read. */
export class DirectFrame {
  readonly run: DirectRun;
  readonly document: VirtualDocument;
  readonly caller: Frame | DirectFrame;
  readonly slots: Value[] = [];
  /** Results of the current link's comprehensions by the value that they read, by slot. */
  readonly memory: (Map<Value, Value> | undefined)[] = [];
  /** The expression that is being evaluated. */
  at: Span;
  /** The value of the rules so far; a set grows. */
  value: Value | undefined;
  /** The object of the rules so far. */
  object: ObjectBuilder | undefined;
  /** Whether the latest rule had a solution. */
  hasSolution = false;

  constructor(run: DirectRun, document: VirtualDocument, caller: Frame | DirectFrame, at: Span) {
    this.run = run;
    this.document = document;
    this.caller = caller;
    this.at = at;
  }

  /** For the places of errors. */
  asFrame(): Frame {
    const { document, caller, at } = this;
    return new Frame(document, caller instanceof Frame ? caller : caller.asFrame(), at);
  }
}
