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
import { elseChain, functionName, isComprehension, rulesAtPath, rulesRead, walk } from '../../../compiler/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import { absent, type InputPlace, placeKey, type Wished } from './input-places.js';
import { lensOf } from './lenses.js';
import { nearValues, valueFor } from './neighbours.js';
import { VariableSources } from './variable-sources.js';

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

const mostValues = 80;
const mostRules = 2000;

export class PolicyInputs {
  readonly slots = new Map<string, InputSlot>();
  readonly scenarios: Scenario[] = [];
  /** Patterns of regular expressions and globs, by places. */
  readonly patterns: { readonly place: InputPlace; readonly pattern: string; readonly isGlob: boolean }[] = [];
  /** Numbers of the rules, and those near them: of sums and products no place is known. */
  readonly numbers: readonly number[];
  readonly #compiled: Compiled;
  readonly #sources: VariableSources;
  #wishes: Wish[] = [];
  #used = new Set<string>();
  #needs: CompiledRule[] = [];

  /** @param path of the decision */
  constructor(compiled: Compiled, data: PlainObject, path: readonly string[]) {
    this.#compiled = compiled;
    this.#sources = new VariableSources(compiled, data, (place, values) => this.#note(place, values));
    const rules = this.#reached(rulesAtPath(compiled, path));
    this.numbers = numbersOf(rules);
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
    this.#sources.module = compiled.module.name;
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
    for (const term of [head.key, head.value]) if (term !== undefined) this.#sources.placesOf(term);
  }

  #body(body: Body, holds: boolean): void {
    for (const expr of body) this.#expr(expr, holds);
  }

  #expr(expr: Expr, isWanted: boolean): void {
    const holds = expr.negated ? !isWanted : isWanted;
    switch (expr.kind) {
      case 'term': {
        for (const place of this.#sources.placesOf(expr.term)) {
          this.#note(place, [true, false]);
          this.#wish(place, holds ? true : absent);
        }
        if (holds) this.#need(expr.term);
        return;
      }
      case 'call':
        return this.#call(expr, holds);
      case 'every': {
        const places = this.#sources.placesOf(expr.domain).map((place) => [...place, null]);
        this.#sources.addPlaces(expr.value.name, places);
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
    const [constant] = this.#sources.constantsOf(member);
    if (constant === undefined) return;
    for (const place of this.#sources.placesOf(collection)) {
      this.#note(place, [[constant], [constant, 'a'], { k: constant }]);
      if (holds) this.#wish(place, [constant]);
    }
  }

  #matched(name: string, args: readonly Term[]): void {
    const isGlob = name === 'glob.match';
    const text = args[isGlob ? 2 : 1];
    for (const place of text === undefined ? [] : this.#sources.placesOf(text))
      for (const pattern of this.#sources.constantsOf(args[0]!))
        if (typeof pattern === 'string') this.patterns.push({ place, pattern, isGlob });
  }

  /** The parameters of a policy's function get the places of the operands. */
  #called({ operator, args }: CallExpr, holds: boolean): boolean {
    const rules = rulesRead(this.#compiled.ruleTree, operator.terms).filter(({ rule }) => rule.head.args !== undefined);
    if (rules.length === 0) return false;
    const operands = args.map((arg) => ({
      places: this.#sources.placesOf(arg),
      constants: this.#sources.constantsOf(arg),
    }));
    const output = args.at(-1);
    for (const { rule, module } of rules) {
      for (const [i, param] of (rule.head.args ?? []).entries()) {
        if (param.type !== 'var') {
          for (const place of operands[i]?.places ?? []) this.#note(place, this.#sources.constantsOf(param));
          continue;
        }
        this.#sources.addPlaces(param.name, operands[i]?.places ?? [], module.name);
        this.#sources.addConstants(param.name, operands[i]?.constants ?? [], module.name);
      }
      const isResult = output?.type === 'var' && args.length > (rule.head.args?.length ?? 0);
      if (isResult) {
        for (const link of elseChain(rule))
          if (link.head.value !== undefined)
            this.#sources.addConstants(output.name, this.#sources.constantsOf(link.head.value));
        this.#sources.addPlaces(
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
    const places = inputs.flatMap((input) => this.#sources.placesOf(input));
    if (name === 'count' && first !== undefined) return this.#sources.addLengths(output, this.#sources.placesOf(first));
    if (name === 'object.get' && second !== undefined) {
      const [key] = this.#sources.constantsOf(second);
      const steps = typeof key === 'string' ? [key] : Array.isArray(key) ? (key as readonly string[]) : undefined;
      if (steps !== undefined) {
        this.#sources.addConstants(output, inputs[2] === undefined ? [] : this.#sources.constantsOf(inputs[2]));
        return this.#sources.addPlaces(
          output,
          this.#sources.placesOf(first!).map((place) => [...place, ...steps]),
        );
      }
    }
    if (name.startsWith('time.')) for (const place of places) this.#note(place, days);
    if (this.#seenThrough(name, inputs, output)) return;
    const constants = inputs.flatMap((input) => this.#sources.constantsOf(input));
    for (const place of places) this.#note(place, constants);
    this.#sources.addPlaces(output, places);
  }

  /** The result of a built-in with a way back is a place of its own. */
  #seenThrough(name: string, inputs: readonly Term[], output: string): boolean {
    const lens = lensOf(name);
    const operand = lens && inputs[lens.operand];
    if (operand === undefined) return false;
    const others = inputs.filter((input) => input !== operand).map((input) => this.#sources.constantsOf(input)[0]);
    if (others.includes(undefined)) return false;
    const step = { call: name, others: others as readonly Value[] };
    if (name === 'concat' && operand.type === 'array') {
      this.#sources.setJoined(output, { delimiter: String(others[0]), items: operand.items });
      return false;
    }
    const places = this.#sources.placesOf(operand);
    // The operand's own place has a say, too: letters of the other case, spaces.
    for (const place of places) this.#use(place);
    this.#sources.addPlaces(
      output,
      places.map((place) => [...place, step]),
    );
    return true;
  }

  /** The pieces of a text that a policy joins of several parts. */
  #pieces(variable: Term, text: Value): void {
    const joined = this.#sources.joinedOf(variable);
    if (joined === undefined || typeof text !== 'string') return;
    const { delimiter, items } = joined;
    const parts = text.split(delimiter);
    if (parts.length < items.length) return;
    for (const [i, item] of items.entries()) {
      const isLast = i === items.length - 1;
      const piece = isLast ? parts.slice(i).join(delimiter) : parts[i]!;
      const first = parts.slice(0, parts.length - items.length + 1).join(delimiter);
      const other = i === 0 ? first : parts[parts.length - items.length + i]!;
      for (const place of this.#sources.placesOf(item)) {
        this.#note(place, [piece, other]);
        this.#wish(place, piece);
      }
    }
  }

  /** A pattern on one side gives its variables the places of the other. */
  #unified(pattern: Term, value: Term): void {
    if (pattern.type === 'var') {
      this.#sources.addPlaces(pattern.name, this.#sources.placesOf(value));
      this.#sources.addConstants(pattern.name, this.#sources.constantsOf(value));
      if (isComprehension(value)) this.#inner(value as Comprehension);
      return;
    }
    const places = this.#sources.placesOf(value);
    if (pattern.type === 'array')
      for (const [i, item] of pattern.items.entries())
        if (item.type === 'var')
          this.#sources.addPlaces(
            item.name,
            places.map((place) => [...place, i]),
          );
    if (pattern.type === 'object')
      for (const { key, value: item } of pattern.entries)
        if (item.type === 'var' && key.type === 'string')
          this.#sources.addPlaces(
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
      places: this.#sources.placesOf(arg),
      constants: this.#sources.constantsOf(arg),
      lengths: this.#sources.lengthsOf(arg),
      keys: this.#sources.keysOf(arg),
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
}

/** Times in nanoseconds, one of each day of a week. */
const days: readonly Value[] = Array.from({ length: 7 }, (_, i) => i * 86_400_000_000_000);

/** The names of comparisons as compiled rules call them. */
const operatorNames: Readonly<Record<string, string>> = { equal: 'eq', 'internal.member_2': 'eq' };

function listOf(length: number): Value {
  return Array.from({ length }, (_, i) => `a${i}`);
}

function numbersOf(rules: readonly CompiledRule[]): readonly number[] {
  const found = new Set<number>();
  for (const { rule } of rules)
    walk(rule, (node) => {
      if (node.type !== 'number' || found.size >= mostValues) return;
      const number = Number(node.text);
      if (Number.isFinite(number)) for (const near of [number, number + 1, number - 1]) found.add(near);
    });
  return [...found];
}
