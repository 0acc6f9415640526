/** A worker passes writes on; it knows which revisions it has applied. */
import type { Writing, Written } from '../storage/writing.js';
import type { PrimaryLink } from './primary-link.js';

export class WorkerWriting implements Writing {
  readonly #link: PrimaryLink;

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  write(): Promise<Written> {
    throw new Error('requests that write are passed on');
  }

  async head(): Promise<number> {
    return await this.#link.head();
  }

  state(): undefined {
    return undefined;
  }
}
