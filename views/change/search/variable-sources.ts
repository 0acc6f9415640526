/** The values that variables of policies stand for: parts of the input, and constants. */

import { type Compiled, elseChain, isRoot, jsonOfTerm, rulesRead, type Term } from '../../../compiler/index.js';
import { isPlainObject, type PlainObject, type Value } from '../../../values/index.js';
import { type InputPlace, type InputStep, placeKey } from './input-places.js';
import { nearValues } from './neighbours.js';

const mostConstants = 40;

/** A text that a policy joins of parts. */
interface JoinedText {
  readonly delimiter: string;
  readonly items: readonly Term[];
}

/** Names of variables are those of one module: see `module`. */
export class VariableSources {
  readonly #compiled: Compiled;
  readonly #data: PlainObject;
  readonly #note: (place: InputPlace, values: readonly Value[]) => void;
  /** Places by module and name. */
  readonly #places = new Map<string, InputPlace[]>();
  readonly #constants = new Map<string, Value[]>();
  readonly #lengths = new Map<string, InputPlace[]>();
  readonly #joined = new Map<string, JoinedText>();
  /** Containers behind variables that stand for their keys. */
  readonly #keys = new Map<string, InputPlace[]>();
  /** The name of the module whose terms are read. */
  module = '';

  /** @param note values that may matter at a place */
  constructor(compiled: Compiled, data: PlainObject, note: (place: InputPlace, values: readonly Value[]) => void) {
    this.#compiled = compiled;
    this.#data = data;
    this.#note = note;
  }

  addPlaces(name: string, places: readonly InputPlace[], module = this.module): void {
    addAll(this.#places, `${module} ${name}`, places, placeKey);
  }

  addConstants(name: string, constants: readonly Value[], module = this.module): void {
    addAll(this.#constants, `${module} ${name}`, constants, JSON.stringify);
  }

  /** The variable is the length of what is at the places. */
  addLengths(name: string, places: readonly InputPlace[]): void {
    addAll(this.#lengths, this.#key(name), places, placeKey);
  }

  setJoined(name: string, joined: JoinedText): void {
    this.#joined.set(this.#key(name), joined);
  }

  /** The places whose length a term is. */
  lengthsOf(term: Term): readonly InputPlace[] {
    return term.type === 'var' ? (this.#lengths.get(this.#key(term.name)) ?? []) : [];
  }

  /** The containers of which a term is a key. */
  keysOf(term: Term): readonly InputPlace[] {
    return term.type === 'var' ? (this.#keys.get(this.#key(term.name)) ?? []) : [];
  }

  joinedOf(term: Term): JoinedText | undefined {
    return term.type === 'var' ? this.#joined.get(this.#key(term.name)) : undefined;
  }

  /** The parts of the input that a term may be. */
  placesOf(term: Term): readonly InputPlace[] {
    if (term.type === 'var') return term.name === 'input' ? [[]] : (this.#places.get(this.#key(term.name)) ?? []);
    if (term.type === 'array' || term.type === 'set') return term.items.flatMap((item) => this.placesOf(item));
    if (term.type === 'object') return term.entries.flatMap(({ value }) => this.placesOf(value));
    if (term.type !== 'ref') return [];
    const [head, ...keys] = term.terms;
    const bases = isRoot(head, 'data') ? this.#placesOfRules(term.terms) : this.placesOf(head);
    if (isRoot(head, 'data')) return bases;
    return bases.map((base) => {
      const place: InputStep[] = [...base];
      for (const key of keys) {
        if (key.type === 'var') addAll(this.#keys, this.#key(key.name), [[...place]], placeKey);
        place.push(this.#stepOf(key));
      }
      return place;
    });
  }

  /** The places behind the values of rules, where these are parts of the input. */
  #placesOfRules(terms: readonly Term[]): readonly InputPlace[] {
    const module = this.module;
    const found: InputPlace[] = [];
    for (const { rule, ref, module: own } of rulesRead(this.#compiled.ruleTree, terms).slice(0, mostConstants)) {
      const { value } = rule.head;
      if (value?.type !== 'var') continue;
      this.module = own.name;
      const rest = terms.slice(ref.length).map((key) => this.#stepOf(key));
      for (const place of this.#places.get(this.#key(value.name)) ?? []) found.push([...place, ...rest]);
      this.module = module;
    }
    return found;
  }

  #stepOf(key: Term): string | number | null {
    if (key.type === 'string') return key.value;
    if (key.type === 'number') return Number.isInteger(Number(key.text)) ? Number(key.text) : null;
    if (key.type !== 'var') return null;
    const [constant] = this.#constants.get(this.#key(key.name)) ?? [];
    return typeof constant === 'string' || typeof constant === 'number' ? constant : null;
  }

  /** The constants that a term may be: its own, those of data, those of rules. */
  constantsOf(term: Term): readonly Value[] {
    const ground = jsonOfTerm(term);
    if (ground !== undefined) return withMembers(ground);
    if (term.type === 'var') return this.#constants.get(this.#key(term.name)) ?? [];
    if (term.type === 'array' || term.type === 'set') return term.items.flatMap((item) => this.constantsOf(item));
    if (term.type !== 'ref') return [];
    const [head, ...keys] = term.terms;
    if (head.type !== 'var') return [];
    if (head.name !== 'data')
      return this.constantsOf(head)
        .flatMap((whole) => this.#ofData(whole, keys))
        .slice(0, mostConstants);
    const found = this.#ofData(this.#data, keys);
    for (const { rule } of rulesRead(this.#compiled.ruleTree, term.terms).slice(0, mostConstants))
      for (const link of elseChain(rule))
        for (const part of [link.head.value, link.head.key]) {
          const value = part === undefined ? undefined : jsonOfTerm(part);
          if (value !== undefined) found.push(...withMembers(value));
        }
    return found.slice(0, mostConstants);
  }

  #ofData(value: Value | undefined, keys: readonly Term[]): Value[] {
    if (value === undefined) return [];
    const [key, ...rest] = keys;
    if (key === undefined) return [...withMembers(value)];
    if (key.type === 'var') {
      const names = isPlainObject(value) ? Object.keys(value) : [];
      addAll(this.#constants, this.#key(key.name), names.slice(0, mostConstants), JSON.stringify);
      const inner = Array.isArray(value)
        ? (value as readonly Value[])
        : isPlainObject(value)
          ? Object.values(value)
          : [];
      for (const place of this.#places.get(this.#key(key.name)) ?? [])
        this.#note(place, names.slice(0, mostConstants).flatMap(nearValues));
      return inner.slice(0, mostConstants).flatMap((member) => this.#ofData(member, rest));
    }
    const step = this.#stepOf(key);
    if (step === null || !isPlainObject(value) || !Object.hasOwn(value, String(step))) return [];
    return this.#ofData(value[String(step)], rest);
  }

  #key(name: string): string {
    return `${this.module} ${name}`;
  }
}

function addAll<T>(table: Map<string, T[]>, key: string, values: readonly T[], keyOf: (value: T) => string): void {
  if (values.length === 0) return;
  let known = table.get(key);
  if (known === undefined) table.set(key, (known = []));
  const keys = new Set(known.map(keyOf));
  for (const value of values) {
    if (known.length >= mostConstants || keys.has(keyOf(value))) continue;
    keys.add(keyOf(value));
    known.push(value);
  }
}

/** A constant with its members: a comparison may be with one of them. */
function withMembers(value: Value): readonly Value[] {
  if (Array.isArray(value)) return [value, ...(value as readonly Value[]).slice(0, mostConstants)];
  if (isPlainObject(value))
    return [
      value,
      ...Object.keys(value).slice(0, mostConstants),
      ...Object.values(value)
        .filter((member) => typeof member !== 'object')
        .slice(0, mostConstants),
    ];
  return [value];
}
