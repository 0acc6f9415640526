/** A traced evaluation: its answers are those of an evaluation without a tracer. */

import { type Body, type Expr, functionName, type Term, type VirtualDocument } from '../../../compiler/index.js';
import type { Evaluation } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import type { QueryEnvironment } from '../environment.js';
import type { Next, Step, WithValue } from '../machine.js';
import { timedPlug } from '../plug-timer.js';
import { QuerySearch } from '../query-search.js';
import type { SearchProgram } from '../search.js';
import { termValue } from '../term-value.js';
import type { TracedNode, TracedQuery, TraceOp, Tracer } from '../tracer.js';
import { CallKeys } from './call-keys.js';
import { tracedBody } from './expression-events.js';
import { rememberedBy } from './remembered.js';
import type { Details, Traced } from './traced.js';
import { tracedCollection } from './traced-collection.js';
import { TracedMachine, type TracedPlace } from './traced-machine.js';
import { tracedValue } from './traced-value.js';
import { reportUnify } from './unification-events.js';

export class TracedSearch extends QuerySearch implements Traced {
  declare readonly machine: TracedMachine;
  readonly tracer: Tracer;
  answered: Traced['answered'];
  readonly terms = new Map<Value, Term>();
  readonly callKeys = new CallKeys();
  #nextId = 1;

  constructor(
    program: SearchProgram,
    evaluation: Evaluation,
    environment: QueryEnvironment,
    tracer: Tracer,
    body: Body,
  ) {
    const frame = new Frame(undefined, undefined, body[0]!.loc);
    const place: TracedPlace = { query: { id: 0, parent: 0 }, node: { type: 'body', body }, frame, at: frame.at };
    super(program, evaluation, new TracedMachine(environment, evaluation.meter, place));
    this.frame = frame;
    this.tracer = tracer;
  }

  report(op: TraceOp, details?: Details): void {
    const { query, node, frame, at } = this.machine.place;
    const { message, document, excluded, value, environment = this.machine.environment } = details ?? {};
    const { wantsRemembered } = this.tracer;
    this.tracer.trace({
      op,
      query,
      node: op === 'note' ? undefined : node,
      frame,
      at,
      message,
      document,
      excluded,
      value,
      remembered: wantsRemembered ? rememberedBy(expressionsOf(node), environment, this.program.root) : undefined,
    });
  }

  plug(term: Term, frame: Frame): Value {
    return timedPlug(this.tracer.plugged, () => termValue(term, frame));
  }

  newQuery(parent: TracedQuery): TracedQuery {
    return { id: this.#nextId++, parent: parent.id };
  }

  expressions(body: Body, query: TracedQuery, frame: Frame, then: Step): Next {
    return tracedBody(this, body, query, frame, then);
  }

  override body(body: Body, frame: Frame, then: Step): Next {
    return this.inner(body, frame, then);
  }

  inner(body: Body, frame: Frame, then: Step, last?: number): Next {
    const query = this.newQuery(this.machine.place.query);
    return this.#query({ query, node: { type: 'body', body }, frame, at: body[0]!.loc }, body, then, last);
  }

  /** The body that the search was made for. */
  solve(body: Body, then: Step): Next {
    return this.#query(this.machine.place, body, then);
  }

  #query(place: TracedPlace, body: Body, then: Step, last?: number): Next {
    const { machine } = this;
    machine.place = place;
    this.report('enter');
    return this.expressions(body, place.query, place.frame, () => {
      if (last !== undefined) machine.exitEarly(last);
      machine.place = place;
      this.report('exit', { message: last === undefined ? undefined : 'early' });
      machine.onBacktrack('query', () => this.report('redo'));
      return then;
    });
  }

  override document(document: VirtualDocument, frame: Frame, then: WithValue): Next {
    if (document.kind === 'complete') return tracedValue(this, document, [], frame, then);
    if (document.kind === 'package' || document.kind === 'function') return super.document(document, frame, then);
    return tracedCollection(this, document, [], frame, then);
  }

  override documentAt(document: VirtualDocument, keys: readonly Value[], frame: Frame, then: WithValue): Next {
    return tracedCollection(this, document, keys, frame, then);
  }

  override matches(part: 'key' | 'output', term: Term, value: Value, frame: Frame): boolean {
    if (this.tracer.wantsUnify) {
      // The output of a function was unified before its body.
      if (part === 'key') reportUnify(this, { value }, { term, frame });
      else if (this.#callsBuiltin()) reportUnify(this, { term, frame }, { value });
    }
    return super.matches(part, term, value, frame);
  }

  #callsBuiltin(): boolean {
    const { node } = this.machine.place;
    return (
      node.type === 'expr' &&
      node.expr.kind === 'call' &&
      functionName(node.expr.operator)?.startsWith('data.') !== true
    );
  }

  override call(document: VirtualDocument, args: readonly Value[], frame: Frame, then: WithValue): Next {
    return tracedValue(this, document, args, frame, then);
  }
}

/** A rule is shown by its head. */
function expressionsOf(node: TracedNode): readonly Expr[] {
  return node.type === 'expr' ? [node.expr] : node.type === 'body' ? node.body : [];
}
