/** Counts executions: the probes of a plan, the position of each, and how often it was passed. */

import { arg, type Builtin, type BuiltinBody } from '../../builtins/builtin.js';
import type { Body, Expr, Rule } from '../../compiler/ast/nodes.js';
import { type Probes, probeName, probeValuesName } from '../../compiler/plan/probes.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { elseChain } from '../../compiler/resolve/links.js';
import type { Span } from '../../compiler/source/location.js';
import { any, number } from '../../values/type.js';
import type { PlainObject } from '../../values/value.js';

/** A probe's position: before an expression, or at the end of a body. */
interface Probe {
  readonly kind: 'expression' | 'end';
  readonly loc: Span;
  /** The expression; undefined for a body's end. */
  readonly expr: Expr | undefined;
  /** The expression's index in its body. */
  readonly index: number;
  readonly generated: boolean;
  /** For an expression: the number of the probe that a run passes if the expression is true. */
  next: number;
  /** For the end of a rule's body: the rule's head. */
  readonly head: Span | undefined;
}

interface ProbeOptions {
  /** Whether to measure the time between probes. */
  readonly timed?: boolean;
  /** Expressions whose variables' values are recorded before they are evaluated. */
  readonly watched?: ReadonlySet<Expr>;
}

export class ProbeTable implements Probes {
  readonly all: Probe[] = [];
  readonly hits: number[] = [];
  /** Nanoseconds until the next probe, by probe. */
  readonly time: number[] = [];
  /** Called for each probe that a run passes. */
  onProbe: ((probe: number) => void) | undefined;
  #last = -1;
  readonly #heads = new Map<Body, Span>();
  readonly #timed: boolean;
  #since = 0;
  #open: number[] = [];

  /** By probe: the values of the variables when the probe was last passed. */
  readonly values = new Map<number, PlainObject>();
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
      next: -1,
      head: undefined,
    });
    if (index > 0) this.all[this.#open.pop()!]!.next = probe;
    this.#open.push(probe);
    return probe;
  }

  wantsValues(expr: Expr): boolean {
    return this.#watched.has(expr);
  }

  after(body: Body): number {
    const probe = this.#add({
      kind: 'end',
      loc: body.at(-1)!.loc,
      expr: undefined,
      index: body.length,
      generated: true,
      next: -1,
      head: this.#heads.get(body),
    });
    this.all[this.#open.pop()!]!.next = probe;
    return probe;
  }

  #add(probe: Probe): number {
    this.all.push(probe);
    this.hits.push(0);
    this.time.push(0);
    return this.all.length - 1;
  }

  /** The built-ins that an instrumented plan calls. */
  get builtins(): readonly Builtin[] {
    const keep: BuiltinBody = (probe: number, values: PlainObject) => {
      this.values.set(probe, values);
      return true;
    };
    return [this.#probeBuiltin(), row(probeValuesName, [arg('probe', number), arg('values', any)], keep)];
  }

  #probeBuiltin(): Builtin {
    const { hits, time } = this;
    const pass: BuiltinBody = this.#timed
      ? (probe: number) => {
          const now = performance.now();
          if (this.#last >= 0) time[this.#last]! += now - this.#since;
          this.#last = probe;
          hits[probe]!++;
          this.#since = performance.now();
          return true;
        }
      : (probe: number) => {
          hits[probe]!++;
          this.onProbe?.(probe);
          return true;
        };
    return row(probeName, [arg('probe', number)], pass);
  }

  /** Ends a run: adds the time since the last probe to that probe. */
  ended(): void {
    if (this.#timed && this.#last >= 0) this.time[this.#last]! += performance.now() - this.#since;
    this.#last = -1;
  }
}

function headOf(rule: Rule): Span {
  return rule.head.loc;
}

function row(name: string, args: Builtin['args'], body: BuiltinBody): Builtin {
  return { name, args, result: undefined, body };
}
