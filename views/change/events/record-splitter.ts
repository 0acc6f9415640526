/** The JSON texts of a log in a stream: one on each line, or the elements of arrays. */

/** A text, and the line that it begins on; without the text where that is too long. */
export interface LogRecord {
  readonly text: Uint8Array | undefined;
  readonly line: number;
}

const [newline, space, quoteMark, backslash, comma] = [10, 32, 34, 92, 44];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/** The most bytes of a record. */
export const longestRecord = 16 * 1024 * 1024;

/**
 * Splits chunks of bytes. A stream that begins with a bracket, or with a brace alone on its line,
 * is a sequence of JSON texts; any other has a text on each line. A record of more than `longest`
 * bytes is passed over, and never kept.
 */
export class RecordSplitter {
  readonly #longest: number;
  #mode: 'unknown' | 'lines' | 'values' = 'unknown';
  /** The parts of the record that began in earlier chunks. */
  #parts: Uint8Array[] = [];
  #kept = 0;
  #isTooLong = false;
  #line = 1;
  #recordLine = 1;
  #depth = 0;
  /** The depth at which records begin: 1 in an array. */
  #base = 0;
  #inText = false;
  #isEscaped = false;
  #inRecord = false;
  /** The first bytes, until they tell the mode. */
  #start: Uint8Array = new Uint8Array(0);

  constructor(longest = longestRecord) {
    this.#longest = longest;
  }

  push(chunk: Uint8Array): LogRecord[] {
    if (this.#mode !== 'unknown') return this.#split(chunk);
    this.#start = joined([this.#start, chunk]);
    const mode = modeOf(this.#start);
    return mode === undefined ? [] : this.#begin(mode);
  }

  /** The last record, where no newline ends it. */
  end(): LogRecord[] {
    const records = this.#mode === 'unknown' ? this.#begin('lines') : [];
    if (this.#mode === 'lines' ? this.#kept > 0 || this.#isTooLong : this.#inRecord) records.push(this.#taken());
    return records;
  }

  #begin(mode: 'lines' | 'values'): LogRecord[] {
    this.#mode = mode;
    const start = this.#start;
    this.#start = new Uint8Array(0);
    return this.#split(hasMark(start) ? start.subarray(3) : start);
  }

  #split(chunk: Uint8Array): LogRecord[] {
    return this.#mode === 'lines' ? this.#lines(chunk) : this.#values(chunk);
  }

  #lines(chunk: Uint8Array): LogRecord[] {
    const records: LogRecord[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#recordLine = this.#line++;
      records.push(this.#taken());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    this.#recordLine = this.#line;
    return records;
  }

  #values(chunk: Uint8Array): LogRecord[] {
    const records: LogRecord[] = [];
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (byte === newline) this.#line++;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quoteMark) this.#inText = false;
        continue;
      }
      if (!this.#inRecord) {
        if (byte <= space || byte === comma) continue;
        if (byte === openBracket && this.#depth === 0) {
          this.#depth = this.#base = 1;
          continue;
        }
        if (byte === closeBracket && this.#depth === 1) {
          this.#depth = this.#base = 0;
          continue;
        }
        this.#inRecord = true;
        this.#recordLine = this.#line;
        start = i;
      }
      if (byte === quoteMark) this.#inText = true;
      else if (byte === openBrace || byte === openBracket) this.#depth++;
      else if (byte === closeBrace || (byte === closeBracket && this.#depth > this.#base)) {
        if (--this.#depth > this.#base) continue;
        this.#depth = this.#base;
        this.#keep(chunk.subarray(start, i + 1));
        records.push(this.#taken());
      } else if (this.#depth === this.#base && (byte === comma || byte === closeBracket || byte <= space)) {
        // The end of a number or a word.
        this.#keep(chunk.subarray(start, i));
        records.push(this.#taken());
        if (byte === closeBracket) this.#depth = this.#base = 0;
      }
    }
    if (this.#inRecord) this.#keep(chunk.subarray(start));
    return records;
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0 || this.#isTooLong) return;
    this.#kept += part.length;
    if (this.#kept > this.#longest) {
      this.#isTooLong = true;
      this.#parts = [];
    } else this.#parts.push(part);
  }

  #taken(): LogRecord {
    const text = this.#isTooLong ? undefined : this.#parts.length === 1 ? this.#parts[0]! : joined(this.#parts);
    this.#parts = [];
    this.#kept = 0;
    this.#isTooLong = false;
    this.#inRecord = false;
    this.#inText = false;
    return { text, line: this.#recordLine };
  }
}

/** A mark of UTF-8 at the beginning. */
function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Undefined while more bytes are needed. */
function modeOf(bytes: Uint8Array): 'lines' | 'values' | undefined {
  if (bytes[0] === 0xef && bytes.length < 3) return undefined;
  let at = hasMark(bytes) ? 3 : 0;
  while (at < bytes.length && bytes[at]! <= space) at++;
  if (at === bytes.length) return undefined;
  if (bytes[at] === openBracket) return 'values';
  if (bytes[at] !== openBrace) return 'lines';
  // An object over several lines.
  let next = at + 1;
  while (next < bytes.length && bytes[next] !== newline && bytes[next]! <= space) next++;
  if (next === bytes.length) return undefined;
  return bytes[next] === newline ? 'values' : 'lines';
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
