/** The environment of an expression: input, data, and replacements by `with`. */

import type { RefTerm, VirtualDocument } from '../../compiler/index.js';
import { beginsWith, type Value } from '../../values/index.js';

/** A value or a function that replaces a function. */
export type QueryMock =
  | { readonly type: 'value'; readonly value: Value }
  | { readonly type: 'ref'; readonly ref: RefTerm };

/** The input and the data of an evaluation. */
export interface QueryDocuments {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
}

/** The remembered result of a rule; `value` is undefined where the rule is. */
export interface QueryAnswer {
  readonly value: Value | undefined;
}

const noMocks: ReadonlyMap<string, QueryMock> = new Map();

/** The remembered results of one document's rules, by the requested keys ('' for the whole). */
class Answers {
  // Most documents are asked for as a whole only: no map for these.
  #whole: QueryAnswer | undefined;
  #keyed: Map<string, QueryAnswer> | undefined;

  get size(): number {
    return (this.#whole === undefined ? 0 : 1) + (this.#keyed?.size ?? 0);
  }

  get(key: string): QueryAnswer | undefined {
    return key === '' ? this.#whole : this.#keyed?.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, answer: QueryAnswer): void {
    if (key === '') this.#whole = answer;
    else (this.#keyed ??= new Map()).set(key, answer);
  }
}

export class QueryEnvironment implements QueryDocuments {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
  /** Mocks by the name of the replaced function. */
  readonly #mocks: ReadonlyMap<string, QueryMock>;
  /** Replaced paths of data, whose rules are ignored. */
  readonly #replaced: readonly (readonly string[])[];
  /** Cached results of rules, by document. */
  readonly #answers = new Map<VirtualDocument, Answers>();
  #withoutMocks: QueryEnvironment | undefined;

  constructor(
    { input, data }: QueryDocuments,
    mocks: ReadonlyMap<string, QueryMock> = noMocks,
    replaced: readonly (readonly string[])[] = [],
  ) {
    this.input = input;
    this.data = data;
    this.#mocks = mocks;
    this.#replaced = replaced;
  }

  mockOf(name: string): QueryMock | undefined {
    return this.#mocks.get(name);
  }

  get hasMocks(): boolean {
    return this.#mocks.size > 0;
  }

  get hasReplaced(): boolean {
    return this.#replaced.length > 0;
  }

  isReplaced(path: readonly string[]): boolean {
    return this.#replaced.some((prefix) => beginsWith(path, prefix));
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
  with(
    documents: QueryDocuments,
    mocks: ReadonlyMap<string, QueryMock>,
    replaced: readonly (readonly string[])[],
  ): QueryEnvironment {
    const allMocks = mocks.size === 0 ? this.#mocks : new Map([...this.#mocks, ...mocks]);
    return new QueryEnvironment(
      documents,
      allMocks,
      replaced.length === 0 ? this.#replaced : [...this.#replaced, ...replaced],
    );
  }

  /** The environment in which a function that replaces another one is called. */
  get withoutMocks(): QueryEnvironment {
    if (this.#mocks.size === 0) return this;
    return (this.#withoutMocks ??= new QueryEnvironment(this, noMocks, this.#replaced));
  }
}
