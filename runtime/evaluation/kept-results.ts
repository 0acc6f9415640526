/**
 * Results of rules that depend on the base documents alone, kept for later evaluations. A result
 * is of the documents that the rule read: it goes with them, and no longer holds once they were
 * written in place. It is kept when it was computed twice from the same documents, so those that
 * change with each decision cost little.
 */
import { changesOf } from '../../values/changes.js';
import { lookup } from '../../values/compare.js';
import { ExactNumber } from '../../values/numbers/number.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import type { PlainObject, Value } from '../../values/value.js';
import { noValue } from './rule-memory.js';

/** The paths of the documents that a rule reads. The list is the rule's own: it stands for it. */
export type Reads = readonly (readonly string[])[];

export type KeptResult = Value | typeof noValue;

/** Of one rule and some documents. */
interface Entry {
  /** By path: the innermost array or object on the way to the document, and its changes. */
  readonly containers: readonly object[];
  readonly changes: readonly number[];
  /** Undefined until it was computed twice, and where it is too large. */
  result: KeptResult | undefined;
  isLarge: boolean;
  /** The size of the result. */
  size: number;
}

/** A result of more values is computed again. */
const maxSize = 100_000;

/** So many values are kept at once. */
const maxTotal = 1_000_000;

/** Characters of a text that count as one value. */
const charactersPerValue = 16;

/** The results that an engine keeps. */
export class KeptResults {
  /** By rule and by its first container: they go with either. */
  #rules = new WeakMap<Reads, WeakMap<object, Entry>>();
  #total = 0;

  /** A rule's result for the documents; undefined where it is to be computed. */
  get(reads: Reads, data: Value | undefined): KeptResult | undefined {
    const entry = this.#rules.get(reads)?.get(firstContainer(reads, data));
    return entry?.result !== undefined && holds(entry, reads, data) ? entry.result : undefined;
  }

  /** Takes note of a result, which the rule has just computed from the documents. */
  keep(reads: Reads, data: Value | undefined, value: Value | undefined): void {
    let entries = this.#rules.get(reads);
    if (entries === undefined) this.#rules.set(reads, (entries = new WeakMap()));
    const first = firstContainer(reads, data);
    const entry = entries.get(first);
    if (entry === undefined || !holds(entry, reads, data)) {
      if (entry !== undefined) this.#total -= entry.size;
      const containers = reads.map((path) => containerAt(data, path));
      entries.set(first, { containers, changes: containers.map(changesIn), result: undefined, isLarge: false, size: 0 });
    } else if (entry.result === undefined && !entry.isLarge) this.#fill(entry, value);
  }

  #fill(entry: Entry, value: Value | undefined): void {
    const size = value === undefined ? 1 : sizeOf(value);
    if (size > maxSize) {
      entry.isLarge = true;
      return;
    }
    this.#total += size;
    if (this.#total > maxTotal) {
      // Most of them are of documents that are gone.
      this.#rules = new WeakMap();
      this.#total = 0;
      return;
    }
    entry.size = size;
    entry.result = value === undefined ? noValue : value;
  }
}

/** The parts of an evaluation that decide. */
interface Keeping {
  readonly strict: boolean;
  readonly reportsFailures: boolean;
  readonly context: { readonly keptResults?: KeptResults | undefined };
}

/**
 * The results that an evaluation may use; undefined where each error of a built-in is looked for.
 */
export function keptResultsOf({ strict, reportsFailures, context }: Keeping): KeptResults | undefined {
  return strict || reportsFailures ? undefined : context.keptResults;
}

/** A rule that reads no documents has the entry of its own list. */
function firstContainer(reads: Reads, data: Value | undefined): object {
  return reads.length === 0 ? reads : containerAt(data, reads[0]!);
}

/** Stands for documents without any array or object. */
const nowhere = {};

function containerAt(data: Value | undefined, path: readonly string[]): object {
  if (!isContainer(data)) return nowhere;
  let container: object = data;
  for (const key of path) {
    const below = lookup(container as PlainObject, key);
    if (!isContainer(below)) return container;
    container = below;
  }
  return container;
}

function isContainer(value: Value | undefined): value is Value & object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/** Arrays are never written in place. */
function changesIn(container: object): number {
  return Array.isArray(container) ? 0 : changesOf(container as PlainObject);
}

function holds({ containers, changes }: Entry, reads: Reads, data: Value | undefined): boolean {
  for (let i = 0; i < containers.length; i++) {
    const container = containers[i]!;
    if (changes[i] !== changesIn(container) || containerAt(data, reads[i]!) !== container) return false;
  }
  return true;
}

/** The number of values in a value, those of texts by their length; some more where it is large. */
function sizeOf(value: Value): number {
  const open: Value[] = [value];
  let size = 0;
  for (let next = open.pop(); next !== undefined && size <= maxSize; next = open.pop()) {
    size++;
    if (typeof next === 'string') size += next.length / charactersPerValue;
    else if (isContainer(next)) size += openInner(next, open, maxSize - size);
  }
  return size;
}

/** Adds the values in a collection to a list; answers their number where there are too many. */
function openInner(collection: Value & object, open: Value[], room: number): number {
  if (collection instanceof RegoSet || collection instanceof RegoObject) {
    if (collection.size > room) return collection.size;
    for (const member of collection instanceof RegoSet ? collection : collection.values()) open.push(member);
    if (collection instanceof RegoObject) for (const key of collection.keys()) open.push(key);
    return 0;
  }
  if (Array.isArray(collection)) {
    if (collection.length > room) return collection.length;
    for (const element of collection) open.push(element);
    return 0;
  }
  const keys = Object.keys(collection);
  if (keys.length > room) return keys.length;
  for (const key of keys) open.push((collection as PlainObject)[key]!);
  return 0;
}
