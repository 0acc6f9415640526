/** The variables and rules that a generated expression may use. */

/** Of variables and parameters. */
export type Kind = 'scalar' | 'row' | 'any';

/** What a rule is, or what a function returns. */
export type RuleKind = 'test' | 'scalar' | 'set' | 'list' | 'map' | 'groups' | 'rows';

export interface Declared {
  readonly package: string;
  readonly name: string;
  readonly kind: RuleKind;
  /** Undefined unless it is a function. */
  readonly params: readonly Kind[] | undefined;
}

export class Scope {
  readonly #variables: { readonly name: string; readonly kind: Kind }[];

  constructor(variables: readonly { readonly name: string; readonly kind: Kind }[] = []) {
    this.#variables = [...variables];
  }

  /** The scope of a block inside of it. */
  inner(): Scope {
    return new Scope(this.#variables);
  }

  add(name: string, kind: Kind): void {
    this.#variables.push({ name, kind });
  }

  /** The names of a kind, the last one first. */
  of(kind: Kind): readonly string[] {
    return this.#variables
      .filter((one) => one.kind === kind)
      .map(({ name }) => name)
      .reverse();
  }

  get names(): readonly string[] {
    return this.#variables.map(({ name }) => name);
  }
}
