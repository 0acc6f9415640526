/** Counts executions: the probes of a plan, the position of each, and how often it was passed. */

import type { Body, Expr, Rule } from '../../compiler/ast/nodes.js';
import { markName, type Probes, valuesName } from '../../compiler/plan/probes.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { elseChain } from '../../compiler/resolve/links.js';
import type { Span } from '../../compiler/source/location.js';
import { arg, type Builtin, type BuiltinBody } from '../../runtime/builtins/builtin.js';
import { any, number } from '../../runtime/values/type.js';
import type { PlainObject } from '../../runtime/values/value.js';

/** A probe's position: before an expression, or at the end of a body. */
interface Mark {
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

interface MarkOptions {
  /** Whether to measure the time between probes. */
  readonly timed?: boolean;
  /** Expressions whose variables' values are recorded before they are evaluated. */
  readonly watched?: ReadonlySet<Expr>;
}

export class ProbeTable implements Probes {
  readonly marks: Mark[] = [];
  readonly hits: number[] = [];
  /** Nanoseconds until the next probe, by probe. */
  readonly time: number[] = [];
  /** Called for each probe that a run passes. */
  onMark: ((mark: number) => void) | undefined;
  #last = -1;
  readonly #heads = new Map<Body, Span>();
  readonly #timed: boolean;
  #since = 0;
  #open: number[] = [];

  /** By probe: the values of the variables when the probe was last passed. */
  readonly values = new Map<number, PlainObject>();
  readonly #watched: ReadonlySet<Expr>;

  constructor(compiled: Compiled, options: MarkOptions = {}) {
    this.#timed = options.timed === true;
    this.#watched = options.watched ?? new Set();
    for (const { rules } of compiled.modules.values()) {
      for (const { rule } of rules) for (const link of elseChain(rule)) this.#heads.set(link.body, headOf(link));
    }
  }

  before(expr: Expr, index: number): number {
    const mark = this.#add({ kind: 'expression', loc: expr.loc, expr, index, generated: expr.generated, next: -1, head: undefined });
    if (index > 0) this.marks[this.#open.pop()!]!.next = mark;
    this.#open.push(mark);
    return mark;
  }

  wantsValues(expr: Expr): boolean {
    return this.#watched.has(expr);
  }

  after(body: Body): number {
    const mark = this.#add({
      kind: 'end',
      loc: body.at(-1)!.loc,
      expr: undefined,
      index: body.length,
      generated: true,
      next: -1,
      head: this.#heads.get(body),
    });
    this.marks[this.#open.pop()!]!.next = mark;
    return mark;
  }

  #add(mark: Mark): number {
    this.marks.push(mark);
    this.hits.push(0);
    this.time.push(0);
    return this.marks.length - 1;
  }

  /** The built-ins that an instrumented plan calls. */
  get builtins(): readonly Builtin[] {
    const keep: BuiltinBody = (mark: number, values: PlainObject) => {
      this.values.set(mark, values);
      return true;
    };
    return [this.#markBuiltin(), row(valuesName, [arg('mark', number), arg('values', any)], keep)];
  }

  #markBuiltin(): Builtin {
    const { hits, time } = this;
    const pass: BuiltinBody = this.#timed
      ? (mark: number) => {
          const now = performance.now();
          if (this.#last >= 0) time[this.#last]! += now - this.#since;
          this.#last = mark;
          hits[mark]!++;
          this.#since = performance.now();
          return true;
        }
      : (mark: number) => {
          hits[mark]!++;
          this.onMark?.(mark);
          return true;
        };
    return row(markName, [arg('mark', number)], pass);
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

/** Only planned calls have these names: their operands need no check. */
function row(name: string, args: Builtin['args'], body: BuiltinBody): Builtin {
  return { name, args, result: undefined, body, checksOperands: true };
}
