/** The choices of a plan generator, and the locals that it has by their roles. */

export interface GeneratorOptions {
  /** No constant is assigned once, so that no loop may end early and errors must agree. */
  readonly withoutEarlyExit?: boolean;
  /**
   * Any local may be mutated in place, and containers have several names. The verifier may need a
   * statement that makes such a local's value (see `admitted`).
   */
  readonly changesAnything?: boolean;
}

export const arrays = [10, 11];
export const objects = [12, 13];
export const sets = [14, 15];
export const containers = [...arrays, ...objects, ...sets];
/** Hold any value but one that may contain a container of this function. */
export const general = [20, 21, 22, 23, 24];
/** Hold anything, and are put into nothing. */
export const derived = [30, 31, 32];
export const keys = ['a', 'b', 'c', 'method', 'user', '__proto__', 'length', '', 'a\u0000b'];
export const constants = ['GET', 'POST', 'PUT', 'x', 'y', 'z'];
export const numbers = ['1', '1.0', '2', '10000000000000000000000'];

export function chooser(choices: readonly number[]): (count: number) => number {
  let next = 0;
  return (count) => (next < choices.length ? choices[next++]! % count : 0);
}

export class Choices {
  readonly choose: (count: number) => number;
  readonly options: GeneratorOptions;
  params: readonly number[] = [0, 1];
  callable: readonly { readonly name: string; readonly arity: number }[] = [];
  inPlan = false;
  inLoop = false;
  /** Locals above the roles' hold the same values as the general ones. */
  next = 50;
  recent: readonly number[] = [];

  constructor(choices: readonly number[], options: GeneratorOptions) {
    this.choose = chooser(choices);
    this.options = options;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.choose(list.length)]!;
  }

  constantOr(local: number): string | boolean | number {
    if (this.options.withoutEarlyExit === true) return local;
    return this.pick<string | boolean | number>([true, 'x', local]);
  }

  /** A local to write: one of a few that are reused, or, as compilers do, a new one. */
  target(): number {
    if (this.choose(2) === 0) return this.pick(general);
    const local = this.next++;
    this.recent = [local, ...this.recent].slice(0, 3);
    return local;
  }

  any(): number {
    return this.pick([...this.recent, ...general]);
  }

  source(): number {
    return this.pick([...this.params, ...this.recent, ...general, ...containers, ...derived]);
  }

  /** A value that may be put into a container. */
  storable(): number | string | boolean {
    return this.pick<number | string | boolean>([...this.recent, ...general, ...this.params, 'x', 'GET', true, false]);
  }

  operand(): number | string | boolean {
    return this.pick<number | string | boolean>([
      ...this.recent,
      ...general,
      ...this.params,
      ...derived,
      ...constants,
      ...containers,
      true,
    ]);
  }

  /** A local to change: one of a kind, or one that may hold anything. */
  changed(kind: readonly number[]): number {
    if (this.options.changesAnything !== true || this.choose(3) === 0) return this.pick(kind);
    return this.pick([...derived, ...this.recent, ...general, ...this.params]);
  }

  fresh(): readonly [number, number, number, number, number] {
    const at = this.next;
    this.next += 5;
    return [at, at + 1, at + 2, at + 3, at + 4];
  }
}
