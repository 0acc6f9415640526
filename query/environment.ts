/** The environment of an expression: input, data, and replacements by `with`. */

import type { RefTerm, Term } from '../compiler/ast/nodes.js';
import type { VirtualDocument } from '../compiler/resolve/virtual-document.js';
import type { Value } from '../values/value.js';

/** A value or a function that replaces a function. */
export type Mock = { readonly type: 'value'; readonly value: Value } | { readonly type: 'ref'; readonly ref: RefTerm };

/** What is evaluated over. */
export interface Documents {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
}

/** The remembered result of a rule; `value` is undefined where the rule is. */
export interface Answer {
  readonly value: Value | undefined;
}

const noMocks: ReadonlyMap<string, Mock> = new Map();

/** The remembered results of one document's rules, by the requested keys ('' for the whole). */
class Answers {
  // Most documents are asked for as a whole only: no map for these.
  #whole: Answer | undefined;
  #keyed: Map<string, Answer> | undefined;

  get size(): number {
    return (this.#whole === undefined ? 0 : 1) + (this.#keyed?.size ?? 0);
  }

  get(key: string): Answer | undefined {
    return key === '' ? this.#whole : this.#keyed?.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, answer: Answer): void {
    if (key === '') this.#whole = answer;
    else (this.#keyed ??= new Map()).set(key, answer);
  }
}

export class Environment implements Documents {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
  /** By the name of the replaced function. */
  readonly #mocks: ReadonlyMap<string, Mock>;
  /** Replaced paths of data, whose rules are ignored. */
  readonly #replaced: readonly (readonly string[])[];
  /** Cached results of rules, by document. */
  readonly #answers = new Map<VirtualDocument, Answers>();
  #withoutMocks: Environment | undefined;

  constructor(
    { input, data }: Documents,
    mocks: ReadonlyMap<string, Mock> = noMocks,
    replaced: readonly (readonly string[])[] = [],
  ) {
    this.input = input;
    this.data = data;
    this.#mocks = mocks;
    this.#replaced = replaced;
  }

  mockOf(name: string): Mock | undefined {
    return this.#mocks.get(name);
  }

  get hasMocks(): boolean {
    return this.#mocks.size > 0;
  }

  get hasReplaced(): boolean {
    return this.#replaced.length > 0;
  }

  isReplaced(path: readonly string[]): boolean {
    return this.#replaced.some((prefix) => prefix.length <= path.length && prefix.every((key, i) => key === path[i]));
  }

  answersOf(document: VirtualDocument): Answers {
    let answers = this.#answers.get(document);
    if (answers === undefined) this.#answers.set(document, (answers = new Answers()));
    return answers;
  }

  /** Drops the cached results: an error may have come after a result that it makes wrong. */
  forget(): void {
    this.#answers.clear();
    this.#withoutMocks = undefined;
  }

  /** The same environment with further replacements. */
  with(documents: Documents, mocks: ReadonlyMap<string, Mock>, replaced: readonly (readonly string[])[]): Environment {
    const allMocks = mocks.size === 0 ? this.#mocks : new Map([...this.#mocks, ...mocks]);
    return new Environment(
      documents,
      allMocks,
      replaced.length === 0 ? this.#replaced : [...this.#replaced, ...replaced],
    );
  }

  /** The environment in which a function that replaces another one is called. */
  get withoutMocks(): Environment {
    if (this.#mocks.size === 0) return this;
    return (this.#withoutMocks ??= new Environment(this, noMocks, this.#replaced));
  }
}

/** The keys of a ref below its head; '' for other terms than strings. */
export function pathOf(terms: readonly Term[]): readonly string[] {
  return terms.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
}
