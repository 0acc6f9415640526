/** Counts executions: the probes of a plan, the position of each, and how often it was passed. */

import type { Body, Compiled, Expr, Rule, Span } from '../../compiler/index.js';
import { elseChain, type Probes, probeName, probeValuesName } from '../../compiler/index.js';
import { any, arg, type Builtin, type BuiltinBody, number, type PlainObject } from '../../values/index.js';

/** A probe's position: before an expression, or at the end of a body. */
export interface Probe {
  readonly kind: 'expression' | 'end';
  readonly loc: Span;
  /** The expression; undefined for a body's end. */
  readonly expr: Expr | undefined;
  /** The expression's index in its body. */
  readonly index: number;
  readonly generated: boolean;
  /** For an expression: the probe that a run passes if the expression is true. */
  next: Probe | undefined;
  /** For the end of a rule's body: the rule's head. */
  readonly head: Span | undefined;
  /** How often it was passed. */
  hits: number;
  /** Milliseconds until the next probe. */
  time: number;
}

interface ProbeOptions {
  /** Whether to measure the time between probes. */
  readonly timed?: boolean;
  /** Expressions whose variables' values are recorded before they are evaluated. */
  readonly watched?: ReadonlySet<Expr>;
}

export class ProbeTable implements Probes {
  readonly all: Probe[] = [];
  /** Called for each probe that a run passes. */
  onProbe: ((probe: Probe) => void) | undefined;
  #last: Probe | undefined;
  readonly #heads = new Map<Body, Span>();
  readonly #timed: boolean;
  #since = 0;
  /** Expressions whose next probe is not added yet. */
  #open: Probe[] = [];

  /** The values of the variables when a probe was last passed, by probe. */
  readonly values = new Map<Probe, PlainObject>();
  readonly #watched: ReadonlySet<Expr>;

  constructor(compiled: Compiled, options: ProbeOptions = {}) {
    this.#timed = options.timed === true;
    this.#watched = options.watched ?? new Set();
    for (const { rules } of compiled.modules.values()) {
      for (const { rule } of rules) for (const link of elseChain(rule)) this.#heads.set(link.body, headOf(link));
    }
  }

  before(expr: Expr, index: number): number {
    const probe = this.#add({
      kind: 'expression',
      loc: expr.loc,
      expr,
      index,
      generated: expr.generated,
      head: undefined,
    });
    if (index > 0) this.#close(probe);
    this.#open.push(probe);
    return this.all.length - 1;
  }

  wantsValues(expr: Expr): boolean {
    return this.#watched.has(expr);
  }

  after(body: Body): number {
    const { length: index } = body;
    // A body has an expression.
    const { loc } = body.at(-1)!;
    const head = this.#heads.get(body);
    this.#close(this.#add({ kind: 'end', loc, expr: undefined, index, generated: true, head }));
    return this.all.length - 1;
  }

  #add(place: Omit<Probe, 'next' | 'hits' | 'time'>): Probe {
    const probe: Probe = { ...place, next: undefined, hits: 0, time: 0 };
    this.all.push(probe);
    return probe;
  }

  /** Ends the innermost open expression: `next` is the probe behind it. */
  #close(next: Probe): void {
    const open = this.#open.pop();
    if (open !== undefined) open.next = next;
  }

  /** The built-ins that an instrumented plan calls, with numbers of this table. */
  get builtins(): readonly Builtin[] {
    const numbered = (number: number): Probe => this.all[number]!;
    const keep: BuiltinBody = (number: number, values: PlainObject) => {
      this.values.set(numbered(number), values);
      return true;
    };
    const pass: BuiltinBody = this.#timed
      ? (number: number) => {
          this.ended();
          this.#last = numbered(number);
          this.#last.hits++;
          this.#since = performance.now();
          return true;
        }
      : (number: number) => {
          const probe = numbered(number);
          probe.hits++;
          this.onProbe?.(probe);
          return true;
        };
    return [
      row(probeName, [arg('probe', number)], pass),
      row(probeValuesName, [arg('probe', number), arg('values', any)], keep),
    ];
  }

  /** Ends a run: adds the time since the last probe to that probe. */
  ended(): void {
    if (this.#last !== undefined) this.#last.time += performance.now() - this.#since;
    this.#last = undefined;
  }
}

function headOf(rule: Rule): Span {
  return rule.head.loc;
}

function row(name: string, args: Builtin['args'], body: BuiltinBody): Builtin {
  return { name, args, result: undefined, body };
}
