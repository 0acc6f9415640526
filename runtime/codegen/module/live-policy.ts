import type { ModulePolicy } from './module-policy.js';

type Decisions = Pick<ModulePolicy, 'data' | 'setData' | 'withData' | 'decide' | 'resultSet'>;

/**
 * Decisions of a module that a bundler replaces while it is in use: those of the newest version,
 * for the importers of every version. Each version has its own copy of this class; the object of
 * the first one goes on from version to version.
 */
export class LivePolicy implements Decisions {
  #policy: ModulePolicy;
  /** Documents that the program has set. */
  #own: { readonly data: unknown } | undefined;

  constructor(policy: ModulePolicy) {
    this.#policy = policy;
  }

  /** Goes on with the next version, over the documents that the program has set. */
  replace(policy: ModulePolicy): this {
    if (this.#own !== undefined) policy.setData(this.#own.data);
    this.#policy = policy;
    return this;
  }

  get data(): unknown {
    return this.#policy.data;
  }

  setData(data: unknown): void {
    this.#policy.setData(data);
    this.#own = { data };
  }

  withData(data: unknown): ModulePolicy {
    return this.#policy.withData(data);
  }

  decide(...all: Parameters<ModulePolicy['decide']>): ReturnType<ModulePolicy['decide']> {
    return this.#policy.decide(...all);
  }

  resultSet(...all: Parameters<ModulePolicy['resultSet']>): ReturnType<ModulePolicy['resultSet']> {
    return this.#policy.resultSet(...all);
  }
}
