/** Log lines: JSON objects, or text for people. */

import type { Hold } from '../../../engine/index.js';
import { deepJson, jsonIfShort, type PlainObject, type Steps, type Value } from '../../../values/index.js';
import { standardErrorSink } from './console-sink.js';
import { type TimeText, timeTextOf } from './log-time.js';
import { jsonTextSteps, whileHeld } from './long-text.js';

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

  /**
   * Logs the line of a decision, which is shown before its answer.
   * @param hold of a line that may be long: it is written in slices then
   */
  show(message: string, fields: PlainObject = {}, hold?: Hold): boolean | Promise<boolean> {
    if (!this.writes('info')) return true;
    const line = this.#written(hold === undefined ? deepJson : jsonIfShort, 'info', message, fields);
    if (line !== undefined) return this.#write(line, true);
    return whileHeld(this.#lineSteps('info', message, fields), hold!).then((long) => this.#write(long, true));
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
    return this.#written(deepJson, level, message, fields)!;
  }

  /** A line; undefined where one of its parts is not written. */
  #written(write: Write, level: LogLevel, message: string, fields: PlainObject): string | undefined {
    if (this.#format === 'text') {
      const texts = Object.entries(fields).map(([name, value]) => [name, write(value)] as const);
      if (texts.some(([, text]) => text === undefined)) return undefined;
      return titleOf(level, message) + texts.map(([name, text]) => `  ${name} = ${text}\n`).join('');
    }
    const line = this.#members(level, message, fields);
    const text = this.#format === 'json' ? (flatJson(line) ?? write(line)) : write(line, true);
    return text && `${text}\n`;
  }

  /** The same line in steps. */
  *#lineSteps(level: LogLevel, message: string, fields: PlainObject): Steps<string> {
    if (this.#format !== 'text') {
      const line = this.#members(level, message, fields);
      return `${yield* jsonTextSteps(line, this.#format === 'json-pretty')}\n`;
    }
    let text = titleOf(level, message);
    for (const [name, value] of Object.entries(fields)) text += `  ${name} = ${yield* jsonTextSteps(value)}\n`;
    return text;
  }

  #members(level: LogLevel, message: string, fields: PlainObject): PlainObject {
    this.#timeText ??= timeTextOf(this.#timeLayout);
    return { ...fields, level: shownLevel(level), msg: message, time: this.#timeText(Date.now()) };
  }
}

/** Writes a value as JSON; undefined for one that it leaves to others. */
type Write = (value: Value, pretty?: boolean) => string | undefined;

function shownLevel(level: LogLevel): string {
  return level === 'warn' ? 'warning' : level;
}

function titleOf(level: LogLevel, message: string): string {
  return `[${shownLevel(level).toUpperCase()}] ${message}\n`;
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
