/** The interface between the parts of a traced evaluation. */

import type { Body, Term } from '../../../compiler/index.js';
import type { Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { QueryEnvironment } from '../environment.js';
import type { Next, Step } from '../machine.js';
import type { Search } from '../search.js';
import type { TracedQuery, TraceEvent, TraceOp, Tracer } from '../tracer.js';
import type { CallKeys } from './call-keys.js';
import type { TracedMachine } from './traced-machine.js';

export interface Details extends Pick<TraceEvent, 'message' | 'document' | 'excluded' | 'value'> {
  /** The environment below the modifiers of an expression. */
  readonly environment?: QueryEnvironment | undefined;
}

/** The head's value of the rule that answered last, for events: traces show it as written. */
interface Answered {
  readonly value: Value;
  readonly term: Term;
  readonly frame: Frame;
}

export interface Traced extends Search {
  answered: Answered | undefined;
  /** Terms of values that events show. */
  readonly terms: Map<Value, Term>;
  /** Keys of calls whose results are remembered. */
  readonly callKeys: CallKeys;
  readonly machine: TracedMachine;
  readonly tracer: Tracer;
  /** Tells the tracer about the machine's place. */
  report(op: TraceOp, details?: Details): void;
  /** The value of a term in a rule's head. */
  plug(term: Term, frame: Frame): Value;
  /** A query below another one. */
  newQuery(parent: TracedQuery): TracedQuery;
  /** The expressions of a body that is part of a query. */
  expressions(body: Body, query: TracedQuery, frame: Frame, then: Step): Next;
  /**
   * A body as a query of its own.
   * @param last the choice up to which the first solution ends the query
   */
  inner(body: Body, frame: Frame, then: Step, last?: number): Next;
}
