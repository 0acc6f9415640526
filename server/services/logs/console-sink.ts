/**
 * Writes logs to standard error. A reader that pauses blocks nothing, and loses nothing within a
 * bound.
 */
import { writeSync } from 'node:fs';

/**
 * Writes some bytes from an offset on and returns their number. Throws EAGAIN while the reader must
 * read first.
 */
type WriteSome = (bytes: Uint8Array, from: number) => number;

/** The most characters that wait. */
const defaultLimit = 64 * 1024 * 1024;

/** Lines are written in pieces of this size. */
const pieceLength = 64 * 1024;

/** Milliseconds between attempts while the reader pauses. */
const pauseMs = 10;

/** Milliseconds that the end of the process waits for a reader that pauses. */
const patienceAtExitMs = 5000;

export class ConsoleSink {
  readonly #writeSome: WriteSome;
  readonly #limit: number;
  /** Full pieces in order, then the piece that lines are added to. */
  readonly #pieces: string[] = [];
  #open = '';
  /** The piece that is being written. */
  #bytes: Uint8Array = new Uint8Array();
  #written = 0;
  #length = 0;
  #isScheduled = false;
  /** Whether answers wait for one of the lines. */
  #isAwaited = false;
  #waiting: (() => void)[] = [];
  #hasPaused = false;
  #isGone = false;

  constructor(writeSome: WriteSome, limit = defaultLimit) {
    this.#writeSome = writeSome;
    this.#limit = limit;
  }

  /**
   * Writes a line at the end of this turn, with all others of the turn: under load, a tenth of the
   * work. False for a dropped line.
   * @param isAwaited see `awaited`
   */
  write(line: string, isAwaited = false): boolean {
    if (this.#isGone || this.#length + line.length > this.#limit) return false;
    this.#isAwaited ||= isAwaited;
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

  /**
   * Answers wait for this, so that a reader of the log finds the lines of their decisions.
   * It resolves when all lines so far were offered to the reader; undefined where no line is
   * awaited, and where the reader pauses.
   */
  awaited(): Promise<void> | undefined {
    if (!this.#isAwaited || this.#hasPaused) return undefined;
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #go(): void {
    this.#isScheduled = !this.flush();
    this.#isAwaited = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
    if (this.#isScheduled) setTimeout(() => this.#go(), pauseMs).unref();
  }

  /** Writes as much as the reader accepts, and returns whether nothing is left. */
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
        // The server goes on without a reader.
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

  /** Waits for the reader, as long as it reads now and then. */
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

/** A process has one standard error, and its lines one order. */
let standardError: ConsoleSink | undefined;

/** See `ConsoleSink.awaited`. */
export function awaitedLines(): Promise<void> | undefined {
  return standardError?.awaited();
}

/** The one sink of standard error. It is emptied when the process ends, except by `kill -9`. */
export function standardErrorSink(): ConsoleSink {
  if (standardError !== undefined) return standardError;
  // Node's stream makes a pipe non-blocking. Nothing is written through the stream, which would
  // wait for the reader.
  void process.stderr;
  const sink = new ConsoleSink((bytes, from) => writeSync(2, bytes, from));
  process.on('exit', () => sink.flushAtExit());
  return (standardError = sink);
}
