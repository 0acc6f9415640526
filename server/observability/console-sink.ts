/** Standard error, for logs: a reader that pauses holds nobody up, and within a bound loses nothing. */
import { writeSync } from 'node:fs';

/** Writes some of the bytes from a place on and answers how many. Throws EAGAIN where the reader has to read first. */
export type WriteSome = (bytes: Uint8Array, from: number) => number;

/** So many characters wait at most. */
const defaultLimit = 64 * 1024 * 1024;

/** Lines are written in pieces of this size. */
const pieceLength = 64 * 1024;

/** Milliseconds between attempts where the reader has paused. */
const pauseMs = 10;

/** Milliseconds that the end of the process waits for a reader that takes nothing. */
const patienceAtExitMs = 5000;

export class ConsoleSink {
  readonly #writeSome: WriteSome;
  readonly #limit: number;
  /** Full pieces in order, and the one that lines are added to. */
  readonly #pieces: string[] = [];
  #open = '';
  /** The piece that is being written. */
  #bytes: Uint8Array = new Uint8Array();
  #written = 0;
  #length = 0;
  #isScheduled = false;
  #hasPaused = false;
  #isGone = false;

  constructor(writeSome: WriteSome, limit = defaultLimit) {
    this.#writeSome = writeSome;
    this.#limit = limit;
  }

  /** Writes a line, soon: those of one turn go out together, which under load is a tenth of the work. False where it is dropped. */
  write(line: string): boolean {
    if (this.#isGone || this.#length + line.length > this.#limit) return false;
    this.#length += line.length;
    this.#open += line;
    if (this.#open.length >= pieceLength) {
      this.#pieces.push(this.#open);
      this.#open = '';
      if (!this.#hasPaused) this.flush();
    }
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#go());
    }
    return true;
  }

  #go(): void {
    this.#isScheduled = !this.flush();
    if (this.#isScheduled) setTimeout(() => this.#go(), pauseMs).unref();
  }

  /** Writes as much as the reader takes, and answers whether that is all. */
  flush(): boolean {
    for (;;) {
      if (this.#written === this.#bytes.length && !this.#nextPiece()) return true;
      try {
        this.#written += this.#writeSome(this.#bytes, this.#written);
        this.#hasPaused = false;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
          this.#hasPaused = true;
          return false;
        }
        // A reader that has gone is no reason to end.
        this.#isGone = (error as NodeJS.ErrnoException).code === 'EPIPE';
        this.#written = this.#bytes.length;
      }
    }
  }

  #nextPiece(): boolean {
    let piece = this.#pieces.shift();
    if (piece === undefined) {
      piece = this.#open;
      this.#open = '';
    }
    this.#length -= piece.length;
    this.#bytes = Buffer.from(piece);
    this.#written = 0;
    return piece !== '';
  }

  /** Waits for a reader that has paused, as long as it goes on now and then. */
  flushAtExit(): void {
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    let before = -1;
    for (let waited = 0; !this.flush() && waited < patienceAtExitMs; waited += pauseMs) {
      const left = this.#length + this.#bytes.length - this.#written;
      if (left !== before) waited = 0;
      before = left;
      Atomics.wait(sleeper, 0, 0, pauseMs);
    }
  }
}

let standardError: ConsoleSink | undefined;

/** The one sink of standard error. Whoever ends the process finds nothing left behind, but by `kill -9`. */
export function standardErrorSink(): ConsoleSink {
  if (standardError !== undefined) return standardError;
  // Node's stream makes a pipe one that does not block; nothing is written through it, as it waits for the reader.
  void process.stderr;
  const sink = new ConsoleSink((bytes, from) => writeSync(2, bytes, from));
  process.on('exit', () => sink.flushAtExit());
  return (standardError = sink);
}
