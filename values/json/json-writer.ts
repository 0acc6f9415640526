/** Writes JSON in steps, as bytes: for large values, so that other work runs between steps. */
import { plainKeys, sortedKeys, sortedMembers } from '../compare.js';
import { ExactNumber } from '../numbers/number.js';
import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import { sortedKeysSteps } from '../sorting/sort-steps.js';
import type { Steps } from '../steps.js';
import { joinBytesSteps } from '../text/join-bytes.js';
import type { PlainObject, Value } from '../value.js';
import { JsonError, jsonEntries, maxWritten, quote, toJson } from './json.js';

export interface WriteJsonOptions {
  /** Whether to use the layout of `toIndentedJson`. */
  readonly pretty?: boolean;
  /** Whether keys may be in any order, for texts that are not shown. */
  readonly unordered?: boolean;
  /** Text before and after the value. */
  readonly before?: string;
  readonly after?: string;
  /** Whether sets and keys that are not strings raise a NotJson error. */
  readonly strict?: boolean;
  /** Called with bytes of memory before their allocation; throws if they are not available. */
  readonly take?: (bytes: number) => void;
}

/**
 * Writes a value in the format of `toJson` or `toIndentedJson`. Throws a JsonError as they do, or
 * an error of `take`.
 */
export function* writeJsonSteps(value: Value, options: WriteJsonOptions = {}): Steps<Uint8Array> {
  const writer = new JsonWriter(options);
  yield* writer.write(value);
  return yield* writer.joined();
}

/** A value that JSON cannot represent. */
export class NotJson extends Error {}

/** The number of values in a step: about a millisecond. */
const valuesPerStep = 4096;

/** The number of characters that are encoded together. */
const charactersPerPart = 64 * 1024;

/** The number of characters of a string that are written in a step. */
const charactersPerStep = 512 * 1024;

/** From this number on, keys are sorted in steps. */
const manyKeys = 10_000;

const encoder = new TextEncoder();

/** A collection with the progress of its writing. */
interface Frame {
  readonly keys: readonly string[] | undefined;
  /** The plain object whose keys are written, if it is one. */
  readonly object: PlainObject | undefined;
  readonly members: readonly Value[];
  readonly length: number;
  readonly close: string;
  i: number;
  /** Whether a member has been written; undefined ones are not. */
  hasMember: boolean;
}

class JsonWriter {
  readonly #pretty: boolean;
  readonly #unordered: boolean;
  readonly #take: (bytes: number) => void;
  readonly #parts: Uint8Array[] = [];
  readonly #frames: Frame[] = [];
  readonly #strict: boolean;
  readonly #after: string;
  #text: string;
  #length = 0;
  #count = 0;

  constructor({
    pretty = false,
    unordered = false,
    strict = false,
    before = '',
    after = '',
    take = () => {},
  }: WriteJsonOptions) {
    this.#strict = strict;
    this.#text = before;
    this.#after = after;
    this.#pretty = pretty;
    this.#unordered = unordered;
    this.#take = take;
  }

  *write(value: Value): Steps {
    let n = 0;
    const first = this.#begin(value);
    if (first !== undefined) yield* first;
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      if (frame.i === frame.length) {
        this.#end(frame);
        continue;
      }
      const { keys, object, members } = frame;
      const key = keys?.[frame.i];
      const member = object === undefined ? members[frame.i]! : object[key!];
      frame.i++;
      if (member === undefined) continue;
      this.#text += frame.hasMember ? ',' : '';
      frame.hasMember = true;
      this.#newLine();
      if (key !== undefined) this.#text += this.#pretty ? `${quote(key)}: ` : `${quote(key)}:`;
      const steps = this.#begin(member);
      if (steps !== undefined) yield* steps;
      // The text is a chain of its parts, which take far more memory than the bytes they become.
      if (this.#text.length > charactersPerPart) this.#flush();
      if (++n % valuesPerStep === 0) yield;
    }
    this.#text += this.#after;
    this.#flush();
  }

  joined(): Steps<Uint8Array> {
    return joinBytesSteps(this.#parts.splice(0), new Uint8Array(this.#length));
  }

  /** Writes a scalar or the beginning of a collection. Returns its steps, if it takes several. */
  #begin(value: Value): Steps | undefined {
    if (isLong(value)) return this.#longString(value as string);
    this.#counted();
    if (isScalar(value)) {
      this.#text +=
        typeof value === 'string' ? quote(value) : Number.isSafeInteger(value) ? `${value as number}` : toJson(value);
      return undefined;
    }
    if (this.#strict && (value instanceof RegoSet || value instanceof RegoObject))
      throw new NotJson('a value that JSON does not have');
    if (Array.isArray(value) || value instanceof RegoSet) {
      this.#text += '[';
      this.#frames.push(listFrame(value));
      return undefined;
    }
    this.#text += '{';
    if (value instanceof RegoObject) {
      this.#frames.push(entriesFrame(value));
      return undefined;
    }
    const object = value as PlainObject;
    const names = plainKeys(object);
    if (names.length >= manyKeys && !this.#unordered) return this.#manyKeys(object);
    this.#frames.push(objectFrame(object, this.#unordered ? names : (sortedKeys(object) as readonly string[])));
    return undefined;
  }

  *#manyKeys(object: PlainObject): Steps {
    this.#frames.push(objectFrame(object, yield* sortedKeysSteps(object)));
  }

  /** A surrogate pair is not split between parts. */
  *#longString(value: string): Steps {
    this.#text += '"';
    for (let start = 0; start < value.length; ) {
      let end = Math.min(value.length, start + charactersPerStep);
      const last = value.charCodeAt(end - 1);
      if (end < value.length && last >= 0xd800 && last < 0xdc00) end++;
      this.#text += quote(value.slice(start, end)).slice(1, -1);
      this.#flush();
      start = end;
      yield;
    }
    this.#text += '"';
  }

  #counted(): void {
    if (++this.#count > maxWritten) throw new JsonError(`more than ${maxWritten} values`);
  }

  #end({ close, hasMember }: Frame): void {
    this.#frames.pop();
    if (hasMember) this.#newLine();
    this.#text += close;
  }

  #newLine(): void {
    if (this.#pretty) this.#text += `\n${'  '.repeat(this.#frames.length)}`;
  }

  #flush(): void {
    const part = encoder.encode(this.#text);
    // Counts the part and its copy in the output.
    this.#take(2 * part.length);
    this.#text = '';
    this.#length += part.length;
    this.#parts.push(part);
  }
}

function isLong(value: Value): boolean {
  return typeof value === 'string' && value.length > charactersPerStep;
}

function isScalar(value: Value): boolean {
  return typeof value !== 'object' || value === null || value instanceof ExactNumber;
}

function objectFrame(object: PlainObject, keys: readonly string[]): Frame {
  return { keys, object, members: [], length: keys.length, close: '}', i: 0, hasMember: false };
}

function entriesFrame(object: RegoObject): Frame {
  const entries = [...jsonEntries(object)];
  const members = entries.map(([, member]) => member);
  return {
    keys: entries.map(([key]) => key),
    object: undefined,
    members,
    length: members.length,
    close: '}',
    i: 0,
    hasMember: false,
  };
}

function listFrame(value: readonly Value[] | RegoSet): Frame {
  const members = value instanceof RegoSet ? sortedMembers(value) : value;
  return { keys: undefined, object: undefined, members, length: members.length, close: ']', i: 0, hasMember: false };
}
