/**
 * The paths of the input behind values: a part of the input is known by its identity, a scalar by
 * the expression that bound its variable.
 */

import type { Body, Comprehension, Expr, RefTerm, Term } from '../../../compiler/index.js';
import { functionName, isComprehension, isEquality } from '../../../compiler/index.js';
import type { Steps } from '../../../values/index.js';
import { equal, isArray, isObject, lookupPath, type PlainObject, type Value } from '../../../values/index.js';
import { givenTerm } from '../head-terms.js';
import { isBoundTerm, termValue } from '../term-value.js';
import type { ArgumentPaths, BodyState, ExplainedDocument, GivenPaths, Sample, Searching } from './explaining.js';
import type { InputPath } from './input-path.js';
import { dataPlace } from './missing.js';
import { frameOf, isSample, matched, probe, probedValues } from './probe.js';
import { documentsRead } from './reads.js';
import { operandCount } from './why-expressions.js';

/** Undefined where a way leads to no paths. */
type Found = readonly InputPath[] | undefined;

/** The depth to which rules in rules, and variables through expressions, are followed. */
const deepest = 12;

const partsPerStep = 1000;

/** The parts of an input by identity: each with the part around it. */
class InputParts {
  readonly #around = new Map<object, readonly [around: object | undefined, key: Value]>();

  /** Notes the parts of an input. */
  *add(input: Value): Steps {
    const open: (readonly [Value, object | undefined, Value])[] = [[input, undefined, null]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [value, around, key] = next;
      this.#around.set(value as object, [around, key]);
      if (this.#around.size % partsPerStep === 0) yield;
      if (isArray(value)) {
        for (const [i, item] of value.entries()) if (isPart(item)) open.push([item, value, i]);
      } else if (isObject(value)) {
        for (const [name, member] of Object.entries(value as PlainObject))
          if (isPart(member)) open.push([member, value, name]);
      }
    }
  }

  pathOf(part: object): InputPath | undefined {
    let at = this.#around.get(part);
    if (at === undefined) return undefined;
    const path: Value[] = [];
    while (at?.[0] !== undefined) {
      path.unshift(at[1]);
      at = this.#around.get(at[0]);
    }
    return path;
  }
}

function isPart(value: Value): boolean {
  return typeof value === 'object' && value !== null;
}

/** The parts of inputs, found when they are first asked for, and kept as long as the input. */
const partsOfInputs = new WeakMap<object, InputParts>();

export class InputOrigins {
  readonly #searching: Searching;
  readonly #input: Value | undefined;

  constructor(searching: Searching, input: Value | undefined) {
    this.#searching = searching;
    this.#input = input;
  }

  /** The paths behind the value of a term; none where it does not come from the input. */
  *pathsOf(term: Term, state: BodyState, depth = deepest): Steps<readonly InputPath[]> {
    if (depth <= 0) return [];
    if (term.type === 'ref') return yield* this.#ofRef(term, state, depth);
    if (term.type === 'var') return yield* this.#ofVariable(term.name, state, depth);
    if (isComprehension(term)) return yield* this.#ofBody((term as Comprehension).body, state, depth);
    const found: InputPath[] = [];
    for (const part of partsOf(term)) found.push(...(yield* this.pathsOf(part, state, depth - 1)));
    return found;
  }

  *#ofRef({ terms }: RefTerm, state: BodyState, depth: number): Steps<readonly InputPath[]> {
    const [head, ...keyTerms] = terms;
    const frame = frameOf(state.sample);
    const end = keyTerms.findIndex((key) => !isBoundTerm(key, frame));
    const keys = keyTerms.slice(0, end < 0 ? keyTerms.length : end).map((key) => termValue(key, frame));
    if (head.type !== 'var') return [];
    if (head.name === 'input') return [keys];
    if (head.name === 'data') return yield* this.#ofData({ type: 'ref', loc: head.loc, terms }, state, depth);
    const own = yield* this.#ownPath(head.name, state, depth);
    if (own !== undefined) return [[...own, ...keys]];
    const made = keys.length === 0 ? undefined : yield* this.#elementOf(head.name, keys[0]!, state, depth);
    if (made !== undefined) return made.map((path) => [...path, ...keys.slice(1)]);
    const base = yield* this.#ofVariable(head.name, state, depth);
    return base.map((path) => [...path, ...keys]);
  }

  /** The path of a variable whose value is a part of the input itself. */
  *#ownPath(name: string, state: BodyState, depth: number): Steps<InputPath | undefined> {
    const value = state.sample.values.get(name);
    const input = this.#input;
    if (value === undefined || !isPart(value) || input === undefined || !isPart(input)) return undefined;
    let parts = partsOfInputs.get(input as object);
    if (parts === undefined) {
      // The expression that bound it often tells, without a list of all parts.
      const bound = yield* this.#boundPaths(name, state, depth);
      const own = bound?.find((path) => lookupPath(input, path) === value);
      if (own !== undefined) return own;
      parts = new InputParts();
      yield* parts.add(input);
      partsOfInputs.set(input as object, parts);
    }
    return parts.pathOf(value as object);
  }

  *#ofVariable(name: string, state: BodyState, depth: number): Steps<readonly InputPath[]> {
    if (name === 'input') return [[]];
    const own = yield* this.#ownPath(name, state, depth);
    if (own !== undefined) return [own];
    return (yield* this.#boundPaths(name, state, depth)) ?? [];
  }

  /** The paths behind a variable by what gave it its value: a caller, or an expression. */
  *#boundPaths(name: string, state: BodyState, depth: number): Steps<Found> {
    const given = state.given.get(name);
    if (given !== undefined) return given;
    for (const expr of state.body) {
      const found = yield* this.#boundBy(expr, name, state, depth);
      if (found !== undefined && found.length > 0) return found;
    }
    return undefined;
  }

  /** The paths behind a variable that an expression binds; undefined where it binds another. */
  *#boundBy(expr: Expr, name: string, state: BodyState, depth: number): Steps<Found> {
    if (expr.negated) return undefined;
    const others = new Map(state.given).set(name, []);
    const inner: BodyState = { ...state, given: others };
    if (isEquality(expr)) {
      const [a, b] = expr.args;
      for (const [side, other] of [
        [a, b],
        [b, a],
      ] as const) {
        if (side.type === 'var' && side.name === name) return yield* this.pathsOf(other, inner, depth - 1);
        const at = positionIn(side, name);
        if (at === undefined) continue;
        if (other.type === side.type) return yield* this.pathsOf(partsOf(other)[at.index] ?? other, inner, depth - 1);
        return (yield* this.pathsOf(other, inner, depth - 1)).map((path) => [...path, at.key]);
      }
      // A key of a ref: some i, x in xs.
      return undefined;
    }
    if (expr.kind !== 'call') return undefined;
    const output = expr.args.at(-1);
    if (calledName(expr) === 'walk') return yield* this.#walked(expr.args, name, inner, depth);
    if (output?.type !== 'var' || output.name !== name) return undefined;
    const { length } = expr.args;
    if (operandCount(this.#searching, functionName(expr.operator)!, length) >= length) return undefined;
    if (calledName(expr) === 'object.get') return yield* this.#gotten(expr.args, inner, depth);
    const [asked] = yield* documentsRead(this.#searching, [{ ...expr, args: expr.args.slice(0, -1) }], state.sample);
    if (asked !== undefined) return yield* this.#ofDocument(asked, state.sample, inner, depth - 1);
    const found: InputPath[] = [];
    for (const arg of expr.args.slice(0, -1)) found.push(...(yield* this.pathsOf(arg, inner, depth - 1)));
    return found;
  }

  /** The paths behind the value in `walk(x, [path, value])`. */
  *#walked([walked, pattern]: readonly Term[], name: string, state: BodyState, depth: number): Steps<Found> {
    if (walked === undefined || pattern?.type !== 'array' || positionIn(pattern, name)?.index !== 1) return undefined;
    return yield* this.#below(walked, pattern.items[0], state, depth);
  }

  /** The paths behind `object.get(x, key, default)`, whether the key is there or not. */
  *#gotten([object, key]: readonly Term[], state: BodyState, depth: number): Steps<Found> {
    return object && (yield* this.#below(object, key, state, depth));
  }

  /** The paths behind a term with the keys that another one has: a list of keys, or a key. */
  *#below(term: Term, keys: Term | undefined, state: BodyState, depth: number): Steps<readonly InputPath[]> {
    const base = yield* this.pathsOf(term, state, depth - 1);
    const frame = frameOf(state.sample);
    if (keys === undefined || !isBoundTerm(keys, frame)) return base;
    const value = termValue(keys, frame);
    return base.map((path) => [...path, ...(isArray(value) ? value : [value])]);
  }

  /** An element of a collection that a comprehension made; undefined for other collections. */
  *#elementOf(name: string, key: Value, state: BodyState, depth: number): Steps<Found> {
    const made = madeBy(state.body, name);
    const collection = state.sample.values.get(name);
    if (made === undefined || collection === undefined) return undefined;
    return yield* this.#elementMade(made, collection, key, state, depth);
  }

  /** Origins by the solution of the comprehension's body that gave the element. */
  *#elementMade(
    made: Comprehension,
    collection: Value,
    key: Value,
    state: BodyState,
    depth: number,
  ): Steps<readonly InputPath[] | undefined> {
    const isObjectOf = made.type === 'objectcomprehension';
    const wanted =
      made.type === 'arraycomprehension' ? (isArray(collection) ? collection[key as number] : undefined) : key;
    if (wanted === undefined) return undefined;
    const end = yield* this.#solution(made.body, state.sample, isObjectOf ? made.key : made.term, wanted);
    if (end === undefined) return undefined;
    const inner: BodyState = { body: [...state.body, ...made.body], sample: end, given: state.given };
    return yield* this.pathsOf(isObjectOf ? made.value : made.term, inner, depth - 1);
  }

  /** The state at the first solution of a body in which a term has a value. */
  *#solution(body: Body, start: Sample, term: Term, value: Value): Steps<Sample | undefined> {
    let found: Sample | undefined;
    yield* probe(this.#searching, body, start, (end) => {
      const frame = frameOf(end);
      if (isBoundTerm(term, frame) && equal(termValue(term, frame), value)) found = end;
      return found !== undefined;
    });
    return found;
  }

  *#ofData(ref: RefTerm, state: BodyState, depth: number): Steps<readonly InputPath[]> {
    const place = dataPlace(this.#searching, ref, state.sample);
    if (place?.asked === undefined) return [];
    const frame = frameOf(state.sample);
    const rest = ref.terms
      .slice(place.length)
      .filter((key) => isBoundTerm(key, frame))
      .map((key) => termValue(key, frame));
    return yield* this.#ofDocument({ ...place.asked, rest }, state.sample, state, depth - 1);
  }

  /** The paths behind each of the arguments of a call. */
  *argumentPaths(args: readonly Term[], caller: BodyState, depth = deepest): Steps<ArgumentPaths> {
    const found: (readonly InputPath[])[] = [];
    for (const arg of args) found.push(yield* this.pathsOf(arg, caller, depth));
    return found;
  }

  /** The paths behind the value of a rule, or of a part of it: of the first rule that gives it. */
  *#ofDocument(
    { document, keys, args = [], rest = [] }: ExplainedDocument & { readonly rest?: readonly Value[] },
    { environment }: Sample,
    caller: BodyState,
    depth: number,
  ): Steps<readonly InputPath[]> {
    if (depth <= 0) return [];
    const paths = yield* this.argumentPaths(args.slice(0, keys.length), caller, depth - 1);
    for (const { rule } of document.rules) {
      if (rule.default) continue;
      const params = rule.head.args ?? [];
      const start =
        document.kind === 'function'
          ? matched(
              this.#searching,
              params.map((param, i) => [param, keys[i]!] as const),
              environment,
            )
          : { values: new Map<string, Value>(), environment };
      if (!isSample(start)) continue;
      const given = givenTo(params, paths);
      const term = givenTerm(rule.head);
      const [key] = keys;
      const end =
        document.kind === 'set' && key !== undefined
          ? yield* this.#solution(rule.body, start, term, key)
          : (yield* probe(this.#searching, rule.body, start, () => true)).ends[0];
      if (end === undefined) continue;
      const inner: BodyState = { body: rule.body, sample: end, given };
      const [first, ...others] = rest;
      const made = isComprehension(term)
        ? (term as Comprehension)
        : term.type === 'var'
          ? madeBy(rule.body, term.name)
          : undefined;
      const whole = made === undefined || first === undefined ? undefined : yield* this.#valueOf(term, end);
      if (made !== undefined && whole !== undefined && first !== undefined) {
        const element = yield* this.#elementMade(made, whole, first, inner, depth - 1);
        if (element !== undefined) return element.map((path) => [...path, ...others]);
      }
      return (yield* this.pathsOf(term, inner, depth - 1)).map((path) => [...path, ...rest]);
    }
    return [];
  }

  *#valueOf(term: Term, sample: Sample): Steps<Value | undefined> {
    return (yield* probedValues(this.#searching, term, sample)).found[0]?.value;
  }

  /** The parts of the input that a body reads; keys that it binds itself are left out. */
  *#ofBody(body: Body, state: BodyState, depth: number): Steps<readonly InputPath[]> {
    const found: InputPath[] = [];
    const inner = { ...state, body: [...state.body, ...body] };
    for (const expr of body)
      for (const term of operandsOf(expr))
        if (term.type === 'ref') found.push(...(yield* this.pathsOf(term, inner, depth - 1)));
    return found;
  }
}

/** The paths behind the parameters of a rule. */
export function givenTo(params: readonly Term[], paths: ArgumentPaths): GivenPaths {
  return new Map(
    params.flatMap((param, i) => {
      const found = paths[i];
      return param.type === 'var' && found !== undefined ? [[param.name, found] as const] : [];
    }),
  );
}

/** The comprehension that a body binds to a variable. */
function madeBy(body: Body, name: string): Comprehension | undefined {
  for (const expr of body) {
    if (expr.negated || !isEquality(expr)) continue;
    const [a, b] = expr.args;
    const other = a.type === 'var' && a.name === name ? b : b.type === 'var' && b.name === name ? a : undefined;
    if (other !== undefined && isComprehension(other)) return other as Comprehension;
  }
  return undefined;
}

/** The operands of an expression. */
export function operandsOf(expr: Expr): readonly Term[] {
  if (expr.kind === 'term') return [expr.term];
  if (expr.kind === 'call') return expr.args;
  return expr.kind === 'every' ? [expr.domain] : [];
}

function partsOf(term: Term): readonly Term[] {
  if (term.type === 'array' || term.type === 'set') return term.items;
  if (term.type === 'object') return term.entries.map(({ value }) => value);
  return term.type === 'call' ? term.args : [];
}

/** Where a pattern has a variable. */
function positionIn(pattern: Term, name: string): { readonly index: number; readonly key: Value } | undefined {
  const isIt = (term: Term) => term.type === 'var' && term.name === name;
  if (pattern.type === 'array') {
    const index = pattern.items.findIndex(isIt);
    return index < 0 ? undefined : { index, key: index };
  }
  if (pattern.type !== 'object') return undefined;
  const index = pattern.entries.findIndex(({ value }) => isIt(value));
  const key = pattern.entries[index]?.key;
  return key?.type === 'string' ? { index, key: key.value } : undefined;
}

/** The name of the function that a call names. */
export function calledName(expr: Expr): string | undefined {
  return expr.kind === 'call' ? functionName(expr.operator) : undefined;
}
