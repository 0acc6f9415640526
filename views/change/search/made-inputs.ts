/** Inputs made of what policies read, the likely ones first. The same seed makes the same ones. */
import type { CompiledRule } from '../../../compiler/index.js';
import { isArray, type Value } from '../../../values/index.js';
import { type InputPlace, placeKey, valueAtPlace, type Wished, withValueAtPlace } from './input-places.js';
import { oddValues } from './neighbours.js';
import { patternSamples } from './pattern-samples.js';
import type { InputSlot, PolicyInputs, Scenario, Wish } from './policy-inputs.js';

/** The inputs that there can be. */
export interface InputFilter {
  accepts(input: Value | undefined): boolean;
  /** Inputs of the kind, made at random. */
  samples(seed: number): Iterable<Value>;
}

interface MakingOptions {
  /** Constants in which the data of the versions differ. */
  readonly changed: readonly Value[];
  /** Inputs to begin with. */
  readonly inputs: readonly Value[];
  readonly seed: number;
  readonly filter: InputFilter | undefined;
}

/** An input for a body, and the slots that the body reads. */
interface Start {
  readonly input: Value | undefined;
  readonly slots: readonly InputSlot[];
}

const mostStarts = 300;
const mostPairs = 3000;
const mostOfNumbers = 500;

/** Inputs in sequence that a filter may refuse. */
const mostRefused = 20_000;

/** A schema that refuses all inputs that are made. */
export class NoInputOfSchema extends Error {
  constructor() {
    super(`no input of the schema is among ${mostRefused} that were made`);
    this.name = 'NoInputOfSchema';
  }
}

/**
 * Inputs without end; a filter leaves out those that it does not accept. It ends where none of many
 * is accepted, and throws NoInputOfSchema where none was before.
 */
export async function* inputsOf(
  policies: readonly PolicyInputs[],
  { inputs, changed, seed, filter }: MakingOptions,
): AsyncGenerator<Value | undefined> {
  const slots = mergedSlots(policies);
  await patternSamples(policies, slots);
  // Inputs of a schema are made from others of it: most have members that no policy reads.
  const samples = filter === undefined ? [] : [...filter.samples(seed)].filter((sample) => filter.accepts(sample));
  const making = new Making(policies, slots, changed, seed, samples[0] ?? {});
  let refused = 0;
  let isFound = false;
  for (const input of making.all([...inputs, ...samples])) {
    if (filter?.accepts(input) !== false) {
      refused = 0;
      isFound = true;
      yield input;
    } else if (++refused > mostRefused) {
      if (isFound) return;
      throw new NoInputOfSchema();
    }
  }
}

function mergedSlots(policies: readonly PolicyInputs[]): Map<string, InputSlot> {
  const slots = new Map<string, InputSlot>();
  for (const policy of policies)
    for (const [key, { place, values }] of policy.slots) {
      const known = slots.get(key);
      if (known === undefined) slots.set(key, { place, values: [...values] });
      else known.values.push(...values.filter((value) => !known.values.includes(value)));
    }
  return slots;
}

class Making {
  readonly #policies: readonly PolicyInputs[];
  readonly #slots: ReadonlyMap<string, InputSlot>;
  readonly #all: readonly InputSlot[];
  readonly #changed: readonly Value[];
  readonly #numbers: readonly number[];
  #state: number;
  /** The input that wishes are put into. */
  readonly #base: Value;

  constructor(
    policies: readonly PolicyInputs[],
    slots: ReadonlyMap<string, InputSlot>,
    changed: readonly Value[],
    seed: number,
    base: Value,
  ) {
    this.#base = base;
    this.#changed = changed;
    this.#policies = policies;
    this.#numbers = [...new Set(policies.flatMap(({ numbers }) => numbers))];
    this.#slots = slots;
    this.#all = [...slots.values()].filter(({ place }) => place.length > 0);
    this.#state = seed | 0;
  }

  *all(given: readonly Value[]): Generator<Value | undefined> {
    yield undefined;
    yield {};
    const starts = [...this.#starts()].slice(0, mostStarts);
    for (const { input } of starts) yield input;
    for (const input of given) yield input;
    yield* this.#ofChanged(starts);
    for (const { input, slots } of starts) yield* this.#repeated(input, slots);
    for (const { input, slots } of starts) for (const slot of slots) yield* this.#changes(input, slot);
    for (const input of given.slice(0, mostStarts)) for (const slot of this.#all) yield* this.#changes(input, slot);
    for (const { input, slots } of starts) yield* this.#pairs(input, slots);
    yield* this.#combined(starts);
    yield* this.#ofNumbers(starts);
    yield* this.#random([...starts.map(({ input }) => input), ...given]);
  }

  /** For each body an input for which it holds, and, with the bodies of rules that it needs. */
  *#starts(): Generator<Start> {
    for (const policy of this.#policies) {
      const byRule = Map.groupBy(policy.scenarios, ({ rule }) => rule);
      for (const scenario of policy.scenarios) {
        const all = needed(scenario, byRule);
        const slots = new Set(all.flatMap((one) => [...one.slots]));
        // Rules that are needed come first: the own wishes stand.
        const wishes = all.toReversed().flatMap((one) => one.wishes);
        const own = [...slots].map((key) => this.#slots.get(key)!).filter(({ place }) => place.length > 0);
        yield { input: wished(this.#base, wishes), slots: own };
        if (all.length > 1) yield { input: wished(this.#base, scenario.wishes), slots: own };
      }
    }
  }

  /** Inputs with constants in which the data of the versions differ. */
  *#ofChanged(starts: readonly Start[]): Generator<Value | undefined> {
    if (this.#changed.length === 0) return;
    for (const { input, slots } of starts) {
      if (this.#changed.length ** slots.length <= mostPairs) yield* this.#product(input, slots);
      else
        for (let left = mostPairs / starts.length; left > 0; left--)
          yield slots.reduce(
            (made, { place }) => withValueAtPlace(made, place, this.#changed[this.#below(this.#changed.length)]!),
            input,
          );
    }
  }

  /** Each of the constants at each of the places. */
  *#product(input: Value | undefined, slots: readonly InputSlot[]): Generator<Value | undefined> {
    const [slot, ...rest] = slots;
    if (slot === undefined) yield input;
    else for (const value of this.#changed) yield* this.#product(withValueAtPlace(input, slot.place, value), rest);
  }

  /** Lists with their first element a second time. */
  *#repeated(input: Value | undefined, slots: readonly InputSlot[]): Generator<Value | undefined> {
    for (const { place, values } of slots) {
      const end = place.indexOf(null);
      if (end < 0) continue;
      const list = place.slice(0, end);
      const filled = withValueAtPlace(input, place, valueAtPlace(input, place) ?? values[0] ?? 'a');
      const elements = valueAtPlace(filled, list);
      if (isArray(elements as Value))
        yield withValueAtPlace(filled, list, [...(elements as readonly Value[]), ...(elements as readonly Value[])]);
    }
  }

  *#changes(input: Value | undefined, { place, values }: InputSlot): Generator<Value | undefined> {
    for (const value of [...values, ...oddValues]) yield withValueAtPlace(input, place, value);
  }

  /** Two places changed at a time. */
  *#pairs(input: Value | undefined, slots: readonly InputSlot[]): Generator<Value | undefined> {
    let left = mostPairs / Math.max(1, slots.length);
    for (const [i, first] of slots.entries())
      for (const second of slots.slice(i + 1))
        for (const a of first.values)
          for (const b of second.values) {
            if (left-- <= 0) return;
            yield withValueAtPlace(withValueAtPlace(input, first.place, a), second.place, b);
          }
  }

  /** The wishes of one body over the input of another. */
  *#combined(starts: readonly Start[]): Generator<Value | undefined> {
    let left = mostPairs;
    for (const { wishes } of this.#policies.flatMap(({ scenarios }) => scenarios))
      for (const { input } of starts) {
        if (left-- <= 0) return;
        yield wished(input, wishes);
      }
  }

  /** Inputs with one number of the rules at all places that have no constants of their own. */
  *#ofNumbers(starts: readonly Start[]): Generator<Value | undefined> {
    let left = mostOfNumbers;
    for (const { input, slots } of starts) {
      const free = slots.filter(({ values }) => values.length === 0);
      if (free.length === 0) continue;
      for (const number of this.#numbers) {
        if (left-- <= 0) return;
        yield free.reduce((made, { place }) => withValueAtPlace(made, place, number), input);
      }
    }
  }

  *#random(starts: readonly (Value | undefined)[]): Generator<Value | undefined> {
    if (this.#all.length === 0) return;
    for (;;) {
      let input = starts.length === 0 || this.#below(8) === 0 ? this.#base : starts[this.#below(starts.length)];
      for (let changes = 1 + this.#below(4); changes > 0; changes--) {
        const slot = this.#all[this.#below(this.#all.length)]!;
        input = withValueAtPlace(input, slot.place, this.#valueFor(slot, input));
      }
      yield input;
    }
  }

  #valueFor({ values }: InputSlot, input: Value | undefined): Wished {
    const choice = this.#below(10);
    if (choice === 0) return oddValues[this.#below(oddValues.length)]!;
    if (choice === 1) return valueAtPlace(input, this.#all[this.#below(this.#all.length)]!.place) ?? 'a';
    return values.length === 0 ? oddValues[this.#below(oddValues.length)]! : values[this.#below(values.length)]!;
  }

  /** A number below another one, by a generator with 32 bits of state. */
  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

const mostNeeded = 8;

/** A body and those of the rules that it needs, each once. */
function needed(scenario: Scenario, byRule: ReadonlyMap<CompiledRule, readonly Scenario[]>): readonly Scenario[] {
  const found = new Set([scenario]);
  for (const { needs } of found) {
    for (const rule of needs) {
      const [first] = byRule.get(rule) ?? [];
      if (first !== undefined && found.size < mostNeeded) found.add(first);
    }
  }
  return [...found];
}

function wished(start: Value | undefined, wishes: readonly Wish[]): Value | undefined {
  let input = start;
  const likes: { readonly place: InputPlace; readonly like: InputPlace }[] = [];
  for (const wish of wishes) {
    if (wish.place.length === 0) continue;
    if ('like' in wish) likes.push(wish);
    else input = withValueAtPlace(input, wish.place, wish.value);
  }
  for (const { place, like } of likes) {
    if (placeKey(like) === '[]') continue;
    const value = valueAtPlace(input, like) ?? valueAtPlace(input, place) ?? 'same';
    input = withValueAtPlace(withValueAtPlace(input, place, value), like, value);
  }
  return input;
}
