/** The threads that compile and run shards, besides the first one. */
import { availableParallelism } from 'node:os';
import type { TurboFanPause } from '../../eval/compile-tier.js';
import type { Io } from '../../io.js';
import type { TestOptions } from '../run.js';
import { ShardThread } from './shard-thread.js';
import { threadsFor } from './shards.js';

/** Threads start while the first one still reads and divides the files. */
export class Crew {
  /** How many threads there may be, the first one included. */
  readonly most: number;
  /** The length of the texts for each thread, undefined: as long as it pays. */
  readonly least: number | undefined;
  readonly #entry: string | undefined;
  readonly #pause: TurboFanPause;
  readonly #threads: ShardThread[] = [];
  #read = 0;

  /** @param least as for `divide` */
  constructor(options: TestOptions, pause: TurboFanPause, { entry }: Pick<Io, 'entry'>, least?: number) {
    const { coverage, benchmark, failureLines, compile, parallel } = options;
    const isAlone = entry === undefined || coverage || benchmark || failureLines || compile.schemas !== undefined;
    const processors = availableParallelism();
    // A thread that compiles keeps more than one processor busy: V8 optimizes and collects, too.
    this.most = isAlone ? 1 : (parallel ?? Math.min(processors, (processors >> 1) + 1));
    this.least = least;
    this.#entry = entry;
    this.#pause = pause;
  }

  get threads(): readonly ShardThread[] {
    return this.#threads;
  }

  /** Notes that a text has been read: the more of them, the more threads start. */
  noteText({ length }: string): void {
    this.#read += length;
    this.#start(threadsFor(this.#read, this.most, this.least));
  }

  /** Has a thread for each of so many, the first one included. */
  async resize(count: number): Promise<void> {
    this.#start(count);
    await Promise.all(this.#threads.splice(Math.max(0, count - 1)).map((thread) => thread.end()));
  }

  #start(count: number): void {
    while (this.#threads.length + 1 < count) {
      if (this.#threads.length === 0) this.#pause.beginWith(1);
      this.#pause.awaitOneMore();
      this.#threads.push(new ShardThread(this.#entry!, this.#pause.shared));
    }
  }

  /** Ends all threads. */
  async end(): Promise<void> {
    await this.resize(0);
    this.#pause.end();
  }
}
