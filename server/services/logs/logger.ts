/** Log lines: JSON objects, or text for people. */

import { deepJson } from '../../../values/json/deep-json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { standardErrorSink } from './console-sink.js';
import { type TimeText, timeTextOf } from './log-time.js';

const logLevels = ['debug', 'info', 'error'] as const;
export type LogLevel = (typeof logLevels)[number] | 'warn';
const logFormats = ['text', 'json', 'json-pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** A layout of Go; RFC 3339 where it is empty or absent. Lines of text have no time. */
  readonly timeLayout?: string;
  /** Returns false for a dropped line. Absent: standard error. */
  readonly write?: (text: string, isAwaited: boolean) => unknown;
}

export class Logger {
  readonly #rank: number;
  readonly #format: LogFormat;
  readonly #timeLayout: string | undefined;
  #timeText: TimeText | undefined;
  readonly #sink: (text: string, isAwaited: boolean) => unknown;
  #dropped = 0;

  constructor({ level, format, timeLayout, write }: LoggerOptions) {
    this.#rank = ranks[level];
    this.#format = format;
    this.#timeLayout = timeLayout;
    this.#sink = write ?? ((text, isAwaited) => standardErrorSink().write(text, isAwaited));
  }

  /** Whether lines of a level are written. */
  writes(level: LogLevel): boolean {
    return ranks[level] >= this.#rank;
  }

  debug(message: string, fields?: PlainObject): boolean {
    return this.log('debug', message, fields);
  }

  info(message: string, fields?: PlainObject): boolean {
    return this.log('info', message, fields);
  }

  /** The same for lines of decisions, which are shown before their answers. */
  show(message: string, fields: PlainObject = {}): boolean {
    return this.writes('info') ? this.#write(this.#lineOf('info', message, fields), true) : true;
  }

  warn(message: string, fields?: PlainObject): boolean {
    return this.log('warn', message, fields);
  }

  error(message: string, fields?: PlainObject): boolean {
    return this.log('error', message, fields);
  }

  /** False for a line that is dropped because too many wait for the reader. */
  log(level: LogLevel, message: string, fields: PlainObject = {}): boolean {
    return this.writes(level) ? this.#write(this.#lineOf(level, message, fields), false) : true;
  }

  #write(line: string, isAwaited: boolean): boolean {
    if (this.#sink(line, isAwaited) === false) {
      this.#dropped++;
      return false;
    }
    if (this.#dropped > 0) {
      const complaint = `Dropped ${this.#dropped} log lines: too many were waiting to be read.`;
      if (this.#sink(this.#lineOf('error', complaint, {}), false) !== false) this.#dropped = 0;
    }
    return true;
  }

  #lineOf(level: LogLevel, message: string, fields: PlainObject): string {
    const shown = level === 'warn' ? 'warning' : level;
    if (this.#format === 'text') {
      const lines = Object.entries(fields).map(([name, value]) => `  ${name} = ${deepJson(value)}\n`);
      return `[${shown.toUpperCase()}] ${message}\n${lines.join('')}`;
    }
    this.#timeText ??= timeTextOf(this.#timeLayout);
    const line: PlainObject = { ...fields, level: shown, msg: message, time: this.#timeText(Date.now()) };
    return `${this.#format === 'json' ? (flatJson(line) ?? deepJson(line)) : deepJson(line, true)}\n`;
  }
}

/** Sorted keys by the keys of a line, of which there are as many as places that log. */
const orders = new Map<string, readonly string[]>();
const mostOrders = 200;

/**
 * A line of scalars, written by the native writer in a quarter of the time; undefined for any other
 * line.
 */
function flatJson(line: PlainObject): string | undefined {
  const keys = Object.keys(line);
  for (const key of keys) if (typeof line[key] === 'object') return undefined;
  const shape = keys.join();
  let order = orders.get(shape);
  if (order === undefined) {
    if (orders.size >= mostOrders) return undefined;
    orders.set(shape, (order = keys.toSorted()));
  }
  // Keys with commas may join to the text of other keys.
  if (order.length !== keys.length) return undefined;
  const sorted: Record<string, Value> = {};
  for (const key of order) sorted[key] = line[key]!;
  return JSON.stringify(sorted);
}

/** For tests and for programs that embed the server. */
export const silentLogger = new Logger({ level: 'error', format: 'json', write: () => undefined });
