/** A token that is fetched when it is needed, and kept until shortly before it expires. */
export interface AccessToken {
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A token that expires within this time is replaced, because a request takes time. */
const marginMs = 10_000;

export class TokenCache<T extends { readonly expiresAt: number } = AccessToken> {
  readonly #fetch: () => Promise<T>;
  #token: T | undefined;
  #fetching: Promise<T> | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  /** Requests that need a token at the same time share one fetch. Rejects as that does. */
  async get(): Promise<T> {
    if (this.#token !== undefined && Date.now() < this.#token.expiresAt - marginMs) return this.#token;
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    this.#token = await this.#fetching;
    return this.#token;
  }

  /** Has the next request fetch a new token. */
  forget(): void {
    this.#token = undefined;
  }
}
