/** A one-to-one renaming between the variables of a recorded body and those of a response. */

const generatedVariable = /__local[a-z]*\d+(?:_\d+)*__\d*/g;
const generatedRule = /__not\d+_\d+_\d+__/g;

export class Renaming {
  readonly #forth = new Map<string, string>();
  readonly #back = new Map<string, string>();
  /** The keys of both maps in insertion order, for removing them again. */
  readonly #added: (readonly [string, string])[] = [];

  same(a: string, b: string): boolean {
    if (a === 'data' || a === 'input' || b === 'data' || b === 'input') return a === b;
    if (!this.#forth.has(a) && !this.#back.has(b)) {
      this.#forth.set(a, b);
      this.#back.set(b, a);
      this.#added.push([a, b]);
    }
    return this.#forth.get(a) === b && this.#back.get(b) === a;
  }

  /** Whether two texts are equal except for the names of generated variables. */
  sameText(a: string, b: string): boolean {
    if (a.replace(generatedVariable, '_') !== b.replace(generatedVariable, '_')) return false;
    const others = b.match(generatedVariable) ?? [];
    return (a.match(generatedVariable) ?? []).every((name, i) => this.same(name, others[i]!));
  }

  get size(): number {
    return this.#added.length;
  }

  /** Removes all but the first pairs, after a failed attempt. */
  truncate(size: number): void {
    for (const [a, b] of this.#added.splice(size)) {
      this.#forth.delete(a);
      this.#back.delete(b);
    }
  }
}

/** Whether two texts are equal except for the numbers in names of generated rules. */
export function sameButForRules(a: string, b: string): boolean {
  return a.replace(generatedRule, '__not__') === b.replace(generatedRule, '__not__');
}
