/**
 * The parts of an input that policies read, with the constants that they are compared with, by the
 * rules of a path. It reads compiled rules, whose forms are few (`compiler/resolve/compiled.ts`).
 */

import type {
  Body,
  CallExpr,
  Compiled,
  CompiledRule,
  Comprehension,
  Expr,
  Rule,
  Term,
} from '../../../compiler/index.js';
import {
  elseChain,
  functionName,
  isComprehension,
  jsonOfTerm,
  rulesAtPath,
  rulesRead,
} from '../../../compiler/index.js';
import { isPlainObject, type PlainObject, type Value } from '../../../values/index.js';
import { absent, type InputPlace, type InputStep, placeKey, type Wished } from './input-places.js';
import { lensOf } from './lenses.js';
import { nearValues, valueFor } from './neighbours.js';

/** A place that policies read, and the values that may matter there. */
export interface InputSlot {
  readonly place: InputPlace;
  readonly values: Value[];
}

/** A value that an expression wants at a place, or the value of another place. */
export type Wish =
  | { readonly place: InputPlace; readonly value: Wished }
  | { readonly place: InputPlace; readonly like: InputPlace };

/** A body with its wishes, and the rules that it needs. */
export interface Scenario {
  readonly wishes: readonly Wish[];
  readonly slots: ReadonlySet<string>;
  readonly needs: readonly CompiledRule[];
  readonly rule: CompiledRule;
}

const mostConstants = 40;
const mostValues = 80;
const mostRules = 2000;

export class PolicyInputs {
  readonly slots = new Map<string, InputSlot>();
  readonly scenarios: Scenario[] = [];
  /** Patterns of regular expressions and globs, by places. */
  readonly patterns: { readonly place: InputPlace; readonly pattern: string; readonly isGlob: boolean }[] = [];
  readonly #compiled: Compiled;
  readonly #data: PlainObject;
  /** Places, constants and lengths behind variables, by module and name. */
  readonly #places = new Map<string, InputPlace[]>();
  readonly #constants = new Map<string, Value[]>();
  readonly #lengths = new Map<string, InputPlace[]>();
  /** Texts behind variables that are joined of parts. */
  readonly #joined = new Map<string, { readonly delimiter: string; readonly items: readonly Term[] }>();
  /** Containers behind variables that stand for their keys. */
  readonly #keys = new Map<string, InputPlace[]>();
  #module = '';
  #wishes: Wish[] = [];
  #used = new Set<string>();
  #needs: CompiledRule[] = [];

  /** @param path of the decision */
  constructor(compiled: Compiled, data: PlainObject, path: readonly string[]) {
    this.#compiled = compiled;
    this.#data = data;
    const rules = this.#reached(rulesAtPath(compiled, path));
    // The second time, parameters have places.
    for (let pass = 0; pass < 2; pass++) {
      this.scenarios.length = 0;
      for (const rule of rules) this.#addRule(rule);
    }
  }

  #reached(first: readonly CompiledRule[]): readonly CompiledRule[] {
    const found = new Set(first);
    for (const { reads } of found) {
      if (found.size > mostRules) break;
      for (const ref of reads.flat()) for (const rule of rulesRead(this.#compiled.ruleTree, ref)) found.add(rule);
    }
    return [...found];
  }

  #addRule(compiled: CompiledRule): void {
    this.#module = compiled.module.name;
    for (const link of elseChain(compiled.rule)) {
      this.#wishes = [];
      this.#used = new Set();
      this.#needs = [];
      this.#addHead(link);
      this.#body(link.body, true);
      this.scenarios.push({ wishes: this.#wishes, slots: this.#used, needs: this.#needs, rule: compiled });
    }
  }

  #addHead({ head }: Rule): void {
    // A key of the head may be a constant that others look up.
    for (const term of [head.key, head.value]) if (term !== undefined) this.#placesOf(term);
  }

  #body(body: Body, holds: boolean): void {
    for (const expr of body) this.#expr(expr, holds);
  }

  #expr(expr: Expr, isWanted: boolean): void {
    const holds = expr.negated ? !isWanted : isWanted;
    switch (expr.kind) {
      case 'term': {
        for (const place of this.#placesOf(expr.term)) {
          this.#note(place, [true, false]);
          this.#wish(place, holds ? true : absent);
        }
        if (holds) this.#need(expr.term);
        return;
      }
      case 'call':
        return this.#call(expr, holds);
      case 'every': {
        const places = this.#placesOf(expr.domain).map((place) => [...place, null]);
        this.#bind(this.#places, expr.value.name, places);
        return this.#body(expr.body, holds);
      }
      case 'not':
        return this.#body(expr.body, !holds);
      case 'and':
      case 'or':
        this.#body(expr.lhs, holds);
        return this.#body(expr.rhs, holds);
      default:
    }
  }

  #call(expr: CallExpr, holds: boolean): void {
    const name = functionName(expr.operator) ?? '';
    const { args } = expr;
    if (name === 'eq' && args.length === 2) {
      this.#unified(args[0]!, args[1]!);
      this.#unified(args[1]!, args[0]!);
      this.#compared(name, args, holds);
      if (holds) for (const arg of args) this.#need(arg);
      return;
    }
    for (const arg of args) if (isComprehension(arg)) this.#inner(arg as Comprehension);
    if (name === 'internal.member_2' && args.length === 2) this.#memberOf(args[0]!, args[1]!, holds);
    if (this.#called(expr, holds)) return;
    if (name === 'regex.match' || name === 'glob.match') this.#matched(name, args);
    const output = args.at(-1);
    const inputs = output?.type === 'var' && args.length > 1 ? args.slice(0, -1) : args;
    if (output?.type === 'var') this.#result(name, inputs, output.name);
    this.#compared(name, args, holds);
  }

  /** Members of a collection are wished for. */
  #memberOf(member: Term, collection: Term, holds: boolean): void {
    const [constant] = this.#constantsOf(member);
    if (constant === undefined) return;
    for (const place of this.#placesOf(collection)) {
      this.#note(place, [[constant], [constant, 'a'], { k: constant }]);
      if (holds) this.#wish(place, [constant]);
    }
  }

  #matched(name: string, args: readonly Term[]): void {
    const isGlob = name === 'glob.match';
    const text = args[isGlob ? 2 : 1];
    for (const place of text === undefined ? [] : this.#placesOf(text))
      for (const pattern of this.#constantsOf(args[0]!))
        if (typeof pattern === 'string') this.patterns.push({ place, pattern, isGlob });
  }

  /** The parameters of a policy's function get the places of the operands. */
  #called({ operator, args }: CallExpr, holds: boolean): boolean {
    const rules = rulesRead(this.#compiled.ruleTree, operator.terms).filter(({ rule }) => rule.head.args !== undefined);
    if (rules.length === 0) return false;
    const operands = args.map((arg) => ({ places: this.#placesOf(arg), constants: this.#constantsOf(arg) }));
    const output = args.at(-1);
    for (const { rule, module } of rules) {
      for (const [i, param] of (rule.head.args ?? []).entries()) {
        if (param.type !== 'var') {
          for (const place of operands[i]?.places ?? []) this.#note(place, this.#constantsOf(param));
          continue;
        }
        const key = `${module.name} ${param.name}`;
        addAll(this.#places, key, operands[i]?.places ?? [], placeKey);
        addAll(this.#constants, key, operands[i]?.constants ?? [], JSON.stringify);
      }
      const isResult = output?.type === 'var' && args.length > (rule.head.args?.length ?? 0);
      if (isResult) {
        for (const link of elseChain(rule))
          if (link.head.value !== undefined)
            addAll(this.#constants, this.#key(output.name), this.#constantsOf(link.head.value), JSON.stringify);
        this.#bind(
          this.#places,
          output.name,
          operands.flatMap(({ places }) => places),
        );
      }
      if (holds) this.#needs.push(...rules.slice(0, 1));
    }
    return true;
  }

  /** A result of a built-in has the places of its operands; some tell more. */
  #result(name: string, inputs: readonly Term[], output: string): void {
    const [first, second] = inputs;
    const places = inputs.flatMap((input) => this.#placesOf(input));
    if (name === 'count' && first !== undefined) return this.#bind(this.#lengths, output, this.#placesOf(first));
    if (name === 'object.get' && second !== undefined) {
      const [key] = this.#constantsOf(second);
      const steps = typeof key === 'string' ? [key] : Array.isArray(key) ? (key as readonly string[]) : undefined;
      if (steps !== undefined) {
        addAll(
          this.#constants,
          this.#key(output),
          inputs[2] === undefined ? [] : this.#constantsOf(inputs[2]),
          JSON.stringify,
        );
        return this.#bind(
          this.#places,
          output,
          this.#placesOf(first!).map((place) => [...place, ...steps]),
        );
      }
    }
    if (name.startsWith('time.')) for (const place of places) this.#note(place, days);
    if (this.#seenThrough(name, inputs, output)) return;
    const constants = inputs.flatMap((input) => this.#constantsOf(input));
    for (const place of places) this.#note(place, constants);
    this.#bind(this.#places, output, places);
  }

  /** The result of a built-in with a way back is a place of its own. */
  #seenThrough(name: string, inputs: readonly Term[], output: string): boolean {
    const lens = lensOf(name);
    const operand = lens && inputs[lens.operand];
    if (operand === undefined) return false;
    const others = inputs.filter((input) => input !== operand).map((input) => this.#constantsOf(input)[0]);
    if (others.includes(undefined)) return false;
    const step = { call: name, others: others as readonly Value[] };
    if (name === 'concat' && operand.type === 'array') {
      this.#joined.set(this.#key(output), { delimiter: String(others[0]), items: operand.items });
      return false;
    }
    const places = this.#placesOf(operand);
    // The operand's own place has a say, too: letters of the other case, spaces.
    for (const place of places) this.#use(place);
    this.#bind(
      this.#places,
      output,
      places.map((place) => [...place, step]),
    );
    return true;
  }

  /** The pieces of a text that a policy joins of several parts. */
  #pieces(variable: Term, text: Value): void {
    const joined = variable.type === 'var' ? this.#joined.get(this.#key(variable.name)) : undefined;
    if (joined === undefined || typeof text !== 'string') return;
    const { delimiter, items } = joined;
    const parts = text.split(delimiter);
    if (parts.length < items.length) return;
    for (const [i, item] of items.entries()) {
      const isLast = i === items.length - 1;
      const piece = isLast ? parts.slice(i).join(delimiter) : parts[i]!;
      const first = parts.slice(0, parts.length - items.length + 1).join(delimiter);
      const other = i === 0 ? first : parts[parts.length - items.length + i]!;
      for (const place of this.#placesOf(item)) {
        this.#note(place, [piece, other]);
        this.#wish(place, piece);
      }
    }
  }

  /** A pattern on one side gives its variables the places of the other. */
  #unified(pattern: Term, value: Term): void {
    if (pattern.type === 'var') {
      this.#bind(this.#places, pattern.name, this.#placesOf(value));
      addAll(this.#constants, this.#key(pattern.name), this.#constantsOf(value), JSON.stringify);
      if (isComprehension(value)) this.#inner(value as Comprehension);
      return;
    }
    const places = this.#placesOf(value);
    if (pattern.type === 'array')
      for (const [i, item] of pattern.items.entries())
        if (item.type === 'var')
          this.#bind(
            this.#places,
            item.name,
            places.map((place) => [...place, i]),
          );
    if (pattern.type === 'object')
      for (const { key, value: item } of pattern.entries)
        if (item.type === 'var' && key.type === 'string')
          this.#bind(
            this.#places,
            item.name,
            places.map((place) => [...place, key.value]),
          );
    if (isComprehension(pattern)) this.#inner(pattern as Comprehension);
  }

  #inner(comprehension: Comprehension): void {
    this.#body(comprehension.body, true);
  }

  /** The values of a comparison are noted at the places that it compares. */
  #compared(name: string, args: readonly Term[], holds: boolean): void {
    const sides = args.map((arg) => ({
      places: this.#placesOf(arg),
      constants: this.#constantsOf(arg),
      lengths: arg.type === 'var' ? (this.#lengths.get(this.#key(arg.name)) ?? []) : [],
      keys: arg.type === 'var' ? (this.#keys.get(this.#key(arg.name)) ?? []) : [],
    }));
    for (const [i, { places, lengths, keys }] of sides.entries()) {
      for (const place of places) this.#use(place);
      for (const [j, other] of sides.entries()) {
        if (i === j) continue;
        for (const constant of other.constants) {
          this.#pieces(args[i]!, constant);
          const wished = valueFor(operatorNames[name] ?? name, constant, i < j, holds);
          for (const place of places) {
            this.#note(place, nearValues(constant));
            if (wished !== absent) this.#note(place, [wished]);
          }
          for (const place of lengths) this.#noteLength(place, constant, wished);
          if (typeof constant === 'string')
            for (const place of keys) this.#note(place, [{ [constant]: 'a' }, { [constant]: true }, {}]);
        }
        const [constant] = other.constants;
        if (constant !== undefined)
          for (const place of places) this.#wish(place, valueFor(operatorNames[name] ?? name, constant, i < j, holds));
        if (i < j && other.constants.length === 0 && holds)
          for (const place of places)
            for (const like of other.places) if (placeKey(place) !== placeKey(like)) this.#like(place, like);
      }
    }
  }

  #noteLength(place: InputPlace, constant: Value, wished: Wished): void {
    if (typeof constant !== 'number' || !(constant >= 0 && constant <= 20)) return;
    const lists = [constant, constant + 1, constant - 1].filter((length) => length >= 0).map(listOf);
    this.#note(place, lists);
    if (typeof wished === 'number' && wished >= 0 && wished <= 21) this.#wish(place, listOf(wished));
  }

  #like(place: InputPlace, like: InputPlace): void {
    this.#use(place);
    this.#use(like);
    this.#wishes.push({ place, like });
  }

  #wish(place: InputPlace, value: Wished): void {
    this.#use(place);
    this.#wishes.push({ place, value });
  }

  #use(place: InputPlace): InputSlot {
    const key = placeKey(place);
    let slot = this.slots.get(key);
    if (slot === undefined) this.slots.set(key, (slot = { place, values: [] }));
    this.#used.add(key);
    return slot;
  }

  #note(place: InputPlace, values: readonly Value[]): void {
    const slot = this.#use(place);
    const known = new Set(slot.values.map((value) => JSON.stringify(value)));
    for (const value of values) {
      const key = JSON.stringify(value);
      if (slot.values.length >= mostValues || known.has(key)) continue;
      known.add(key);
      slot.values.push(value);
    }
  }

  /** The rules that a term reads must hold, too: one for each name. */
  #need(term: Term): void {
    if (term.type !== 'ref') return;
    const [rule] = rulesRead(this.#compiled.ruleTree, term.terms);
    if (rule !== undefined) this.#needs.push(rule);
  }

  #placesOf(term: Term): readonly InputPlace[] {
    if (term.type === 'var') return term.name === 'input' ? [[]] : (this.#places.get(this.#key(term.name)) ?? []);
    if (term.type === 'array' || term.type === 'set') return term.items.flatMap((item) => this.#placesOf(item));
    if (term.type === 'object') return term.entries.flatMap(({ value }) => this.#placesOf(value));
    if (term.type !== 'ref') return [];
    const [head, ...keys] = term.terms;
    const bases = head.type === 'var' && head.name === 'data' ? this.#placesOfRules(term.terms) : this.#placesOf(head);
    if (head.type === 'var' && head.name === 'data') return bases;
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
    const module = this.#module;
    const found: InputPlace[] = [];
    for (const { rule, ref, module: own } of rulesRead(this.#compiled.ruleTree, terms).slice(0, mostConstants)) {
      const { value } = rule.head;
      if (value?.type !== 'var') continue;
      this.#module = own.name;
      const rest = terms.slice(ref.length).map((key) => this.#stepOf(key));
      for (const place of this.#places.get(this.#key(value.name)) ?? []) found.push([...place, ...rest]);
      this.#module = module;
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
  #constantsOf(term: Term): readonly Value[] {
    const ground = jsonOfTerm(term);
    if (ground !== undefined) return withMembers(ground);
    if (term.type === 'var') return this.#constants.get(this.#key(term.name)) ?? [];
    if (term.type === 'array' || term.type === 'set') return term.items.flatMap((item) => this.#constantsOf(item));
    if (term.type !== 'ref') return [];
    const [head, ...keys] = term.terms;
    if (head.type !== 'var') return [];
    if (head.name !== 'data')
      return this.#constantsOf(head)
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
    return `${this.#module} ${name}`;
  }

  #bind(table: Map<string, InputPlace[]>, name: string, places: readonly InputPlace[]): void {
    addAll(table, this.#key(name), places, placeKey);
  }
}

/** Times in nanoseconds, one of each day of a week. */
const days: readonly Value[] = Array.from({ length: 7 }, (_, i) => i * 86_400_000_000_000);

/** The names of comparisons as compiled rules call them. */
const operatorNames: Readonly<Record<string, string>> = { equal: 'eq', 'internal.member_2': 'eq' };

function listOf(length: number): Value {
  return Array.from({ length }, (_, i) => `a${i}`);
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
