/** A line on standard error that says how far long work has come, erased when the work ends. */
import { onStep } from '../../values/index.js';

const eraseLine = '\r\u001b[2K';

/** Where a line of progress may be shown. */
export interface ProgressLine {
  /** Milliseconds without output of the command, after which the line is shown. */
  readonly afterMs: number;
  /** Milliseconds between two updates of the line. */
  readonly everyMs: number;
  /** The width of the terminal. */
  columns(): number;
}

export class Progress {
  readonly #write: (text: string) => void;
  readonly #options: ProgressLine;
  #timer: NodeJS.Timeout | undefined;
  #text = '';
  #total: number | undefined;
  #count = 0;
  #started = 0;
  /** When the line is written next. */
  #due = 0;
  #isShown = false;

  constructor(write: (text: string) => void, options: ProgressLine) {
    this.#write = write;
    this.#options = options;
  }

  /**
   * Begins a part of the work.
   * @param text the part, such as `parsing policies`
   * @param total how many items it has, each told by `advance`
   */
  stage(text: string, total?: number): void {
    this.#text = text;
    this.#total = total;
    this.#count = 0;
    if (this.#timer === undefined) this.#begin();
    this.tick();
  }

  /** An item of the part is done. */
  advance(): void {
    this.#count++;
    this.tick();
  }

  /** Shows the time that has passed, if the line is due. */
  tick(): void {
    const now = performance.now();
    if (now < this.#due) return;
    this.#due = now + this.#options.everyMs;
    this.#isShown = true;
    this.#write(`${eraseLine}${this.#line(now).slice(0, Math.max(this.#options.columns() - 1, 1))}`);
  }

  /** Erases the line before something else is written; it comes back later. */
  erase(): void {
    if (this.#timer !== undefined) this.#due = performance.now() + this.#options.afterMs;
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#write(eraseLine);
  }

  /** Ends the work. */
  end(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    onStep(undefined);
    this.erase();
  }

  #begin(): void {
    this.#started = performance.now();
    this.#due = this.#started + this.#options.afterMs;
    // The timer is for work that waits. Work that does not is seen by its steps.
    this.#timer = setInterval(() => this.tick(), this.#options.everyMs).unref();
    onStep(() => this.tick());
  }

  #line(now: number): string {
    const count = this.#total === undefined ? this.#count || '' : `${this.#count} of ${this.#total}`;
    return `${this.#text}${count === '' ? '' : `: ${count}`} (${Math.floor((now - this.#started) / 1000)} s)`;
  }
}
