/** Writes of clients: to memory alone, or to a log that others follow. */
import type { Change, CommitOptions, Engine } from '../../engine/index.js';
import type { Origin } from './entry.js';

/**
 * Makes the change of a write when it is its turn, over the state that it is written to. It may be
 * asked again, over a later state. Undefined writes nothing.
 */
export type MakeChange = () => Change | undefined | Promise<Change | undefined>;

export interface WritingOptions extends Omit<CommitOptions, 'revision' | 'fills' | 'ignoreRoots' | 'skipsRoots'> {
  readonly origin?: Origin;
}

export interface Written {
  readonly revision: number;
  /** False where there was nothing to write. */
  readonly done: boolean;
}

export interface Writing {
  /**
   * Resolves once the write is durable and applied. Rejects as `Engine.commit`, or with a
   * StorageError.
   */
  write(make: MakeChange, options?: WritingOptions): Promise<Written>;
  /** The revision of the last write of anybody. Rejects with a StorageError. */
  head(): Promise<number>;
  /** Undefined where there is no log. */
  state(): WritingState | undefined;
}

/** How a process follows its log. */
export interface WritingState {
  readonly name: string;
  /** The last revision that was applied. */
  readonly revision: number;
  /** The last revision that is known to be in the log. */
  readonly head: number;
  /** Whether the log answered when it was last asked. */
  readonly isReachable: boolean;
  /** Seconds since the process last had all of the log. */
  readonly lagSeconds: number;
  /** Whether that is within the bound, and nothing is refused. */
  readonly isHealthy: boolean;
  /** Why writes are refused, or entries not applied. */
  readonly problem: string | undefined;
}

/** Writes to memory: they have revisions, and end with the process. */
export class MemoryWriting implements Writing {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async write(make: MakeChange, { origin: _, ...options }: WritingOptions = {}): Promise<Written> {
    return await this.#engine.commit(make, { ...options, revision: () => this.#engine.version.revision + 1 });
  }

  async head(): Promise<number> {
    return this.#engine.version.revision;
  }

  state(): undefined {
    return undefined;
  }
}
