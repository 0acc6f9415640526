/**
 * Merges of YAML (`<<`), as go-yaml makes them: one by one with the other pairs, so that the last
 * pair or merge that has a key counts.
 */
import { setOwn } from '../value.js';
import { ScalarNumber } from './scalar-number.js';
import { YamlError } from './yaml-error.js';

/** Whether a text may have aliases: their stars stand behind a blank or a sign. */
export function mayHaveAliases(text: string): boolean {
  return /(?:^|[\s[{,?:-])\*\S/.test(text);
}

/** The most values to which aliases and merges may expand a text. */
export function mostExpanded(text: string): number {
  return 400_000 + 10 * text.length;
}

/** The start of keys that stand for merges: each process makes another one, which no text has. */
const mark = `\uf8f1<<${Math.random()} `;

/** A `<<` while a document is read: only its place tells whether it is a key. */
export class MergeSign {
  readonly #key: string;

  /** @param number tells the merges of a mapping apart */
  constructor(number: number) {
    this.#key = mark + number;
  }

  /** The reader takes all that call themselves objects for the same key. */
  get [Symbol.toStringTag](): string {
    return 'MergeSign';
  }

  toString(): string {
    return this.#key;
  }
}

/** A document that was read, with its merges made. Throws a YamlError. */
export function withMerges(document: unknown, most: number): unknown {
  return new Merging(most).made(document);
}

type Members = Record<string, unknown>;

class Merging {
  readonly #made = new Map<object, unknown>();
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  made(value: unknown): unknown {
    if (value instanceof MergeSign) return '<<';
    if (typeof value !== 'object' || value === null || value instanceof ScalarNumber) return value;
    if (this.#made.has(value)) return this.#made.get(value);
    const members = value as Members;
    const keys = Object.keys(members);
    const isMerged = !Array.isArray(value) && keys.some((key) => key.startsWith(mark));
    const result: Members = isMerged ? {} : members;
    this.#made.set(value, result);
    for (const key of keys) {
      if (isMerged && key.startsWith(mark)) this.#merge(result, members[key]);
      else setOwn(result, key, this.made(members[key]));
    }
    // Objects list numbers first, wherever they stood: those of the mapping itself count.
    if (isMerged) for (const key of keys) if (/^\d+$/.test(key)) setOwn(result, key, this.made(members[key]));
    return result;
  }

  #merge(into: Members, source: unknown): void {
    // The first of several sources that has a key counts.
    for (const one of Array.isArray(source) ? source.toReversed() : [source]) {
      if (!isMapping(one)) throw new YamlError('yaml: map merge requires map or sequence of maps as the value');
      const members = this.made(one) as Members;
      for (const key of Object.keys(members)) {
        if (this.#left-- <= 0) throw new YamlError('yaml: document contains excessive aliasing');
        setOwn(into, key, members[key]);
      }
    }
  }
}

function isMapping(value: unknown): boolean {
  const isScalar = value instanceof ScalarNumber || value instanceof MergeSign;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isScalar;
}
