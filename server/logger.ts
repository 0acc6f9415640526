/** Log lines: a JSON object each, or text for people. */
import { writeSync } from 'node:fs';
import { toIndentedJson, toJson } from '../runtime/values/json.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import { type TimeText, timeTextOf } from './log-time.js';

export const logLevels = ['debug', 'info', 'error'] as const;
export type LogLevel = (typeof logLevels)[number] | 'warn';
export const logFormats = ['text', 'json', 'json-pretty'] as const;
export type LogFormat = (typeof logFormats)[number];

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** A layout of Go; RFC 3339 where it is empty or absent. Lines of text have no time. */
  readonly timeLayout?: string;
  /** Absent: standard error. */
  readonly write?: (text: string) => void;
}

export class Logger {
  readonly #rank: number;
  readonly #format: LogFormat;
  readonly #timeLayout: string | undefined;
  #timeText: TimeText | undefined;
  readonly #write: (text: string) => void;

  constructor({ level, format, timeLayout, write }: LoggerOptions) {
    this.#rank = ranks[level];
    this.#format = format;
    this.#timeLayout = timeLayout;
    this.#write = write ?? writeError;
  }

  /** Whether lines of a level are written: what they say need not be put together otherwise. */
  writes(level: LogLevel): boolean {
    return ranks[level] >= this.#rank;
  }

  debug(message: string, fields?: PlainObject): void {
    this.log('debug', message, fields);
  }

  info(message: string, fields?: PlainObject): void {
    this.log('info', message, fields);
  }

  warn(message: string, fields?: PlainObject): void {
    this.log('warn', message, fields);
  }

  error(message: string, fields?: PlainObject): void {
    this.log('error', message, fields);
  }

  log(level: LogLevel, message: string, fields: PlainObject = {}): void {
    if (!this.writes(level)) return;
    const shown = level === 'warn' ? 'warning' : level;
    if (this.#format === 'text') {
      const lines = Object.entries(fields).map(([name, value]) => `  ${name} = ${toJson(value)}\n`);
      this.#write(`[${shown.toUpperCase()}] ${message}\n${lines.join('')}`);
      return;
    }
    this.#timeText ??= timeTextOf(this.#timeLayout);
    const line: PlainObject = { ...fields, level: shown, msg: message, time: this.#timeText(Date.now()) };
    this.#write(`${this.#format === 'json' ? (flatJson(line) ?? toJson(line)) : toIndentedJson(line)}\n`);
  }
}

/** Keys in order, by the keys as they come: there are only as many as there are places that log. */
const orders = new Map<string, readonly string[]>();
const mostOrders = 200;

/** A line whose values are scalars, as most are, as the native writer has it: in a quarter of the time. Undefined for any other. */
function flatJson(line: PlainObject): string | undefined {
  const keys = Object.keys(line);
  for (const key of keys) if (typeof line[key] === 'object') return undefined;
  const shape = keys.join();
  let order = orders.get(shape);
  if (order === undefined) {
    if (orders.size >= mostOrders) return undefined;
    orders.set(shape, (order = keys.toSorted()));
  }
  // Keys with commas in them may look like others.
  if (order.length !== keys.length) return undefined;
  const sorted: Record<string, Value> = {};
  for (const key of order) sorted[key] = line[key]!;
  return JSON.stringify(sorted);
}

let unwritten = '';

/** Lines of one turn go out together: under load that is a tenth of the work. Whoever ends the process finds nothing left behind, but by `kill -9`. */
function writeError(text: string): void {
  if (unwritten === '') setImmediate(flush);
  unwritten += text;
  if (unwritten.length > 64 * 1024) flush();
}

function flush(): void {
  const text = unwritten;
  unwritten = '';
  try {
    if (text !== '') writeSync(2, text);
  } catch {
    // A reader that has gone is no reason to end, and nobody can be told.
  }
}

process.on('exit', flush);

/** For tests and for programs that embed the server. */
export const silentLogger = new Logger({ level: 'error', format: 'json', write: () => undefined });
