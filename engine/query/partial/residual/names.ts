/** Names of variables in the residual: those of the query as written, others with a number. */

import { nowhere, type RuleTree, type Term, varTerm } from '../../../../compiler/index.js';
import type { Frame } from '../../bindings.js';

interface Place {
  readonly frame: Frame;
  readonly name: string;
}

export class ResidualNames {
  readonly #query: Frame;
  readonly #numbers = new WeakMap<Frame, number>();
  readonly #names = new Map<Frame, Map<string, string>>();
  readonly #places = new Map<string, Place>();
  /** Names that the query has. */
  readonly #taken: ReadonlySet<string>;
  /** Names of rules: a residual in their package would read the rule. */
  readonly #rules: ReadonlySet<string>;
  /** Frames so far: that of the query is number 0. */
  #frames = 0;
  #generated = 0;

  constructor(query: Frame, taken: ReadonlySet<string>, rules: RuleTree) {
    this.#query = query;
    this.#taken = taken;
    this.#rules = numberedNames(rules);
  }

  /** Numbers the frame of a rule that is entered. */
  enter(frame: Frame): void {
    this.#numbers.set(frame, ++this.#frames);
  }

  /** The name of a variable of a body. */
  of(frame: Frame, name: string): string {
    let names = this.#names.get(frame);
    if (names === undefined) this.#names.set(frame, (names = new Map()));
    let residual = names.get(name);
    if (residual === undefined) {
      names.set(name, (residual = frame === this.#query ? name : this.#unused(name, frame)));
      this.#places.set(residual, { frame, name });
    }
    return residual;
  }

  /** The variable of a body that has a name in the residual. */
  written(residual: string): Term | undefined {
    const place = this.#places.get(residual);
    return place && varTerm(nowhere, place.name);
  }

  /** A variable that no body has: for the value of a term. */
  fresh(frame: Frame): string {
    return `$_term_${this.#number(frame)}_${this.#generated++}`;
  }

  /** Whether a variable of the residual has a value or is open now. */
  isBound(residual: string): boolean {
    const place = this.#places.get(residual);
    return place?.frame.values.has(place.name) === true;
  }

  #number(frame: Frame): number {
    return this.#numbers.get(frame) ?? 0;
  }

  #unused(name: string, frame: Frame): string {
    let residual = `${name}${this.#number(frame)}`;
    while (this.#taken.has(residual) || this.#rules.has(residual) || this.#places.has(residual)) residual += '_';
    return residual;
  }
}

const known = new WeakMap<RuleTree, ReadonlySet<string>>();

/** The names in a tree that a variable with a number may have, too. */
function numberedNames(root: RuleTree): ReadonlySet<string> {
  let names = known.get(root);
  if (names === undefined) {
    const found = new Set<string>();
    const visit = ({ key, children }: RuleTree): void => {
      if (key.type === 'string' && /\d_*$/.test(key.value)) found.add(key.value);
      for (const child of children.values()) visit(child);
    };
    visit(root);
    known.set(root, (names = found));
  }
  return names;
}
