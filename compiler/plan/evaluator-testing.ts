/**
 * What compiled modules answer, found by looking for solutions directly: bindings and backtracking, no planning, nothing remembered. Slow, and simple enough to
 * be believed. It answers `undefined` for a case that takes too many steps.
 */

import type { Builtin } from '../../runtime/builtins/builtin.js';
import { operandCheck } from '../../runtime/builtins/operands.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { compare, equal, lookup, makeObject, objectGet, sortedEntries, sortedMembers } from '../../runtime/values/compare.js';
import { toJson } from '../../runtime/values/json.js';
import { RegoSet } from '../../runtime/values/set.js';
import { isObject, type Value } from '../../runtime/values/value.js';
import { merge } from '../../runtime/vm/objects.js';
import type { Body, CallExpr, Expr, RefTerm, Rule, Term } from '../ast/nodes.js';
import type { Compiled, CompiledQuery, CompiledRule } from '../resolve/compiled.js';
import { ruleKind } from '../resolve/compiled.js';
import { findNode, type RuleTree, walkRules } from '../resolve/tree.js';

class OutOfSteps extends Error {}
class Conflict extends Error {}

type Bindings = ReadonlyMap<string, Value>;
type Solutions = Generator<Bindings>;

interface World {
  readonly input: Value | undefined;
  readonly data: Value;
  /** Paths of data that no rule answers for, as JSON. */
  readonly replaced: ReadonlySet<string>;
  /** A function's stand-in: another function or a value. */
  readonly mocks: ReadonlyMap<string, RefTerm | { readonly value: Value }>;
}

export function naiveAnswer(
  compiled: Compiled,
  query: CompiledQuery,
  input: Value | undefined,
  data: Value,
  steps = 200_000,
): string | undefined {
  const evaluator = new Evaluator(compiled.ruleTree, steps);
  const found = new RegoSet();
  try {
    for (const bindings of evaluator.body(query.body, { input, data, replaced: new Set(), mocks: new Map() }, new Map())) {
      const entries: [string, Value][] = [];
      for (const [name, value] of bindings) {
        const written = name.startsWith('__local') ? query.names.get(name) : name.startsWith('$') ? undefined : name;
        if (written !== undefined) entries.push([written, value]);
      }
      found.add(makeObject(entries));
    }
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    if (error instanceof Conflict) return 'eval_conflict_error';
    throw error;
  }
  return toJson([...found].sort(compare));
}

class Evaluator {
  readonly #root: RuleTree;
  #steps: number;

  constructor(root: RuleTree, steps: number) {
    this.#root = root;
    this.#steps = steps;
  }

  *body(body: Body, world: World, bindings: Bindings, from = 0): Solutions {
    if (from === body.length) yield bindings;
    else for (const next of this.#expr(body[from]!, world, bindings)) yield* this.body(body, world, next, from + 1);
  }

  #holds(body: Body, world: World, bindings: Bindings): boolean {
    for (const _ of this.body(body, world, bindings)) return true;
    return false;
  }

  *#expr(expr: Expr, world: World, bindings: Bindings): Solutions {
    if (--this.#steps < 0) throw new OutOfSteps();
    const changed = expr.with.length === 0 ? world : this.#change(expr, world, bindings);
    if (changed === undefined) return;
    if (!expr.negated) yield* this.#plain(expr, changed, bindings);
    else {
      for (const _ of this.#plain(expr, changed, bindings)) return;
      yield bindings;
    }
  }

  *#plain(expr: Expr, world: World, bindings: Bindings): Solutions {
    switch (expr.kind) {
      case 'term':
        for (const [value, next] of this.#values(expr.term, world, bindings)) if (value !== false) yield next;
        return;
      case 'call':
        yield* this.#call(expr, world, bindings);
        return;
      case 'not':
        if (!this.#holds(expr.body, world, bindings)) yield bindings;
        return;
      case 'and':
        if (this.#holds(expr.lhs, world, bindings) && this.#holds(expr.rhs, world, bindings)) yield bindings;
        return;
      case 'or':
        if (this.#holds(expr.lhs, world, bindings) || this.#holds(expr.rhs, world, bindings)) yield bindings;
        return;
      case 'every':
        for (const [domain] of this.#values(expr.domain, world, bindings)) {
          if (!isCollection(domain)) return;
          const inner = (key: Value, value: Value) =>
            new Map([...bindings, [expr.value.name, value], ...(expr.key === undefined ? [] : [[expr.key.name, key] as const])]);
          for (const [key, value] of elements(domain)) if (!this.#holds(expr.body, world, inner(key, value))) return;
          yield bindings;
        }
        return;
      case 'some':
        yield bindings;
    }
  }

  #change(expr: Expr, world: World, bindings: Bindings): World | undefined {
    let { input, data } = world;
    const replaced = new Set(world.replaced);
    const mocks = new Map(world.mocks);
    for (const { target, value } of expr.with) {
      const terms = target.type === 'ref' ? target.terms : [target];
      const head = nameOf(terms[0]!);
      const path = terms.slice(1).map(nameOf);
      const name = [head, ...path].join('.');
      const isFunction = head === 'data' ? this.#functionAt(path) !== undefined : head !== 'input';
      if (isFunction && value.type === 'ref' && this.#isName(value)) mocks.set(name, value);
      else {
        const [found] = this.#values(value, world, bindings);
        if (found === undefined) return undefined;
        if (isFunction) mocks.set(name, { value: found[0] });
        else if (head === 'input') input = put(input, path, found[0]);
        else {
          data = put(data, path, found[0]);
          replaced.add(JSON.stringify(path));
        }
      }
    }
    return { input, data, replaced, mocks };
  }

  /** Whether a ref is the name of a function or a rule: what replaces a function by one looks at it only when called. */
  #isName({ terms }: RefTerm): boolean {
    const head = nameOf(terms[0]!);
    return head === 'data' ? findNode(this.#root, terms) !== undefined : head !== 'input' && builtins.has(terms.map(nameOf).join('.'));
  }

  #functionAt(path: readonly string[]): readonly CompiledRule[] | undefined {
    let node: RuleTree | undefined = this.#root;
    for (const key of path) node = node?.children.get(`"${key}`);
    return node?.rules[0]?.rule.head.args === undefined ? undefined : node.rules;
  }

  *#call({ operator, args }: CallExpr, world: World, bindings: Bindings): Solutions {
    const name = operator.terms.map(nameOf).join('.');
    if (name === 'eq' && args.length === 2) {
      yield* this.#unify([[args[0]!, args[1]!]], world, bindings);
      return;
    }
    const arity = this.#functionAt(name.split('.').slice(1))?.[0]?.rule.head.args?.length ?? builtins.get(name)!.args.length;
    const operands = args.slice(0, arity).map((arg) => ground(arg, bindings));
    const mock = world.mocks.get(name);
    let result: Value | undefined;
    if (mock === undefined) result = this.#result(operator, operands, world);
    else if ('value' in mock) result = mock.value;
    else result = this.#stand(mock, operands, { ...world, mocks: new Map() });
    if (result === undefined) return;
    const output = args[arity];
    if (output !== undefined) yield* this.#match(output, result, bindings);
    else if (result !== false) yield bindings;
  }

  #stand(ref: RefTerm, operands: readonly Value[], world: World): Value | undefined {
    const isRule = nameOf(ref.terms[0]!) === 'data' && this.#functionAt(ref.terms.slice(1).map(nameOf)) === undefined;
    if (!isRule) return this.#result(ref, operands, world);
    for (const [value] of this.#values(ref, world, new Map())) return value;
    return undefined;
  }

  #result(operator: RefTerm, operands: readonly Value[], world: World): Value | undefined {
    const names = operator.terms.map(nameOf);
    if (names[0] === 'data') return this.#complete(this.#functionAt(names.slice(1))!, world, operands);
    return applyBuiltin(builtins.get(names.join('.'))!, operands);
  }

  /** The one value of some rules, for a function with these operands. */
  #complete(rules: readonly CompiledRule[], world: World, operands: readonly Value[] | undefined): Value | undefined {
    let result: Value | undefined;
    for (const { rule } of rules) {
      if (rule.default) continue;
      for (const value of this.#chain(rule, world, operands)) {
        if (result !== undefined && !equal(result, value)) throw new Conflict();
        result = value;
      }
    }
    if (result !== undefined) return result;
    const fallback = rules.find(({ rule }) => rule.default)?.rule;
    if (fallback === undefined) return undefined;
    const bound = new Map<string, Value>();
    fallback.head.args?.forEach((arg, i) => {
      if (arg.type === 'var') bound.set(arg.name, operands![i]!);
    });
    for (const bindings of this.body(fallback.body, world, bound)) return ground(fallback.head.value!, bindings);
    return undefined;
  }

  /** What the first rule of an `else` chain that has a value says. */
  #chain(rule: Rule, world: World, operands: readonly Value[] | undefined): readonly Value[] {
    let start: readonly Bindings[] = [new Map()];
    (rule.head.args ?? []).forEach((arg, i) => {
      start = start.flatMap((bindings) => [...this.#match(arg, operands![i]!, bindings)]);
    });
    for (let link: Rule | undefined = rule; link !== undefined; link = link.else) {
      const values: Value[] = [];
      for (const bound of start) for (const b of this.body(link.body, world, bound)) values.push(ground(link.head.value!, b));
      if (values.length > 0) return values;
    }
    return [];
  }

  /** What rules say at a node of the rule tree, `depth` keys below the root. */
  #rules(node: RuleTree, depth: number, world: World): Value | undefined {
    const all: CompiledRule[] = [];
    walkRules(node, (below) => {
      all.push(...below.rules);
      return undefined;
    });
    const [{ rule: first }] = all as [CompiledRule];
    if (all.every(({ ref }) => ref.length === depth + 1)) {
      if (ruleKind(first.head) === 'single') return this.#complete(all, world, undefined);
      const members = new RegoSet();
      for (const { rule } of all) for (const b of this.body(rule.body, world, new Map())) members.add(ground(rule.head.key!, b));
      return members;
    }
    return this.#object(all, depth, world);
  }

  #object(rules: readonly CompiledRule[], depth: number, world: World): Value {
    const root: Grown = new Map();
    for (const { rule, module } of rules) {
      const keys = rule.head.ref.slice(depth + 1 - module.parsed.package.path.length);
      for (const b of this.body(rule.body, world, new Map())) {
        const path = keys.map((key) => ground(key, b));
        const isSet = ruleKind(rule.head) === 'multi';
        grow(root, path, ground(isSet ? rule.head.key! : rule.head.value!, b), isSet);
      }
    }
    return ripen(root);
  }

  /** The values of a term, and what they bind. */
  *#values(term: Term, world: World, bindings: Bindings): Generator<readonly [Value, Bindings]> {
    switch (term.type) {
      case 'ref': {
        const head = term.terms[0]!;
        const name = head.type === 'var' ? head.name : '';
        if (name === 'data') yield* this.#data(this.#root, world.data, [], term.terms, world, bindings);
        else if (name !== 'input') yield* this.#access(ground(head, bindings), term.terms, 1, bindings);
        else if (world.input !== undefined) yield* this.#access(world.input, term.terms, 1, bindings);
        return;
      }
      case 'arraycomprehension':
      case 'setcomprehension': {
        const found: Value[] = [];
        for (const b of this.body(term.body, world, bindings)) found.push(ground(term.term, b));
        yield [term.type === 'arraycomprehension' ? found : new RegoSet(found), bindings];
        return;
      }
      case 'objectcomprehension': {
        const root: Grown = new Map();
        for (const b of this.body(term.body, world, bindings)) grow(root, [ground(term.key, b)], ground(term.value, b), false);
        yield [ripen(root), bindings];
        return;
      }
      default:
        yield [ground(term, bindings), bindings];
    }
  }

  *#access(value: Value, terms: readonly Term[], from: number, bindings: Bindings): Generator<readonly [Value, Bindings]> {
    if (--this.#steps < 0) throw new OutOfSteps();
    const term = terms[from];
    if (term === undefined) yield [value, bindings];
    else if (isGroundIn(term, bindings)) {
      const found = lookup(value, ground(term, bindings));
      if (found !== undefined) yield* this.#access(found, terms, from + 1, bindings);
    } else if (isCollection(value)) {
      for (const [key, element] of elements(value)) {
        for (const next of this.#match(term, key, bindings)) yield* this.#access(element, terms, from + 1, next);
      }
    }
  }

  *#data(
    at: RuleTree | undefined,
    base: Value | undefined,
    path: readonly string[],
    terms: readonly Term[],
    world: World,
    bindings: Bindings,
  ): Generator<readonly [Value, Bindings]> {
    const node = at === undefined || world.replaced.has(JSON.stringify(path)) ? undefined : at;
    const next = path.length + 1;
    if (node === undefined) {
      if (base !== undefined) yield* this.#access(base, terms, next, bindings);
      return;
    }
    if (isRules(node)) {
      const value = isFunction(node) ? undefined : this.#rules(node, path.length, world);
      if (value !== undefined) yield* this.#access(value, terms, next, bindings);
      return;
    }
    const term = terms[next];
    if (term === undefined) {
      yield [this.#document(node, base, path, world), bindings];
      return;
    }
    const into = (key: Value, b: Bindings) => {
      const child = typeof key === 'string' ? node.children.get(`"${key}`) : undefined;
      const below = base === undefined ? undefined : lookup(base, key);
      if (child !== undefined) return this.#data(child, below, [...path, key as string], terms, world, b);
      return below === undefined ? [] : this.#access(below, terms, next + 1, b);
    };
    if (isGroundIn(term, bindings)) {
      yield* into(ground(term, bindings), bindings);
      return;
    }
    const keys = new RegoSet(base !== undefined && isCollection(base) ? elements(base).map(([key]) => key) : []);
    for (const { key, hidden } of node.children.values()) if (key.type === 'string' && !hidden) keys.add(key.value);
    for (const key of keys) for (const b of this.#match(term, key, bindings)) yield* into(key, b);
  }

  /** All that is at a package and below. */
  #document(node: RuleTree, base: Value | undefined, path: readonly string[], world: World): Value {
    const entries: [string, Value][] = [];
    for (const child of node.children.values()) {
      const key = nameOf(child.key);
      const inner = [...path, key];
      if (child.hidden || isFunction(child) || world.replaced.has(JSON.stringify(inner))) continue;
      const below = base === undefined ? undefined : lookup(base, key);
      const value = isRules(child) ? this.#rules(child, inner.length, world) : this.#document(child, below, inner, world);
      if (value !== undefined) entries.push([key, value]);
    }
    const virtual = makeObject(entries);
    return base !== undefined && isObject(base) && isObject(virtual) ? merge(base, virtual) : virtual;
  }

  *#unify(pairs: readonly (readonly [Term, Term])[], world: World, bindings: Bindings): Solutions {
    const at = pairs.findIndex(([a, b]) => isGroundIn(a, bindings) || isGroundIn(b, bindings));
    if (at >= 0) {
      const [a, b] = pairs[at]!;
      const rest = pairs.toSpliced(at, 1);
      const [from, to] = isGroundIn(a, bindings) ? [a, b] : [b, a];
      for (const [value, next] of this.#values(from, world, bindings)) {
        const matches = isEvaluated(to) ? this.#equals(to, value, world, next) : this.#match(to, value, next);
        for (const b of matches) yield* this.#unify(rest, world, b);
      }
      return;
    }
    const [first, ...rest] = pairs;
    if (first === undefined) yield bindings;
    else if (first[0].type === 'array' && first[1].type === 'array') {
      const { items } = first[1];
      if (first[0].items.length !== items.length) return;
      yield* this.#unify([...rest, ...first[0].items.map((item, i) => [item, items[i]!] as const)], world, bindings);
    } else throw new OutOfSteps();
  }

  *#equals(term: Term, value: Value, world: World, bindings: Bindings): Solutions {
    for (const [other, next] of this.#values(term, world, bindings)) if (equal(value, other)) yield next;
  }

  /** Makes a term of variables and constants equal to a value. */
  *#match(term: Term, value: Value, bindings: Bindings): Solutions {
    if (term.type === 'var' && !bindings.has(term.name)) yield new Map([...bindings, [term.name, value]]);
    else if (isGroundIn(term, bindings)) {
      if (equal(ground(term, bindings), value)) yield bindings;
    } else {
      const parts = partsIn(term, value, bindings);
      let found: readonly Bindings[] = parts === undefined ? [] : [bindings];
      for (const [part, inner] of parts ?? []) found = found.flatMap((b) => [...this.#match(part, inner, b)]);
      yield* found;
    }
  }
}

type Grown = Map<string, { readonly key: Value; readonly value: Value | Grown | RegoSet; readonly open: boolean }>;

/** Puts a value, or a member of a set, at a path of what rules make together. */
function grow(root: Grown, path: readonly Value[], value: Value, isSet: boolean): void {
  let at = root;
  path.forEach((key, i) => {
    const text = toJson([key]) + (key instanceof RegoSet);
    const known = at.get(text);
    const isLast = i === path.length - 1;
    if (known === undefined)
      at.set(text, { key, value: isLast ? (isSet ? new RegoSet([value]) : value) : new Map(), open: !isLast || isSet });
    else if (isLast && isSet && known.open && known.value instanceof RegoSet) known.value.add(value);
    else if (isLast ? isSet || known.open || !equal(known.value as Value, value) : !(known.value instanceof Map)) throw new Conflict();
    if (!isLast) at = at.get(text)!.value as Grown;
  });
}

function ripen(grown: Grown): Value {
  return makeObject([...grown.values()].map(({ key, value }) => [key, value instanceof Map ? ripen(value) : value] as const));
}

function partsIn(term: Term, value: Value, bindings: Bindings): (readonly [Term, Value])[] | undefined {
  if (term.type === 'array' && Array.isArray(value) && value.length === term.items.length)
    return term.items.map((item, i) => [item, value[i]!] as const);
  if (term.type !== 'object' || !isObject(value) || [...sortedEntries(value)].length !== term.entries.length) return undefined;
  const parts = term.entries.map((entry) => [entry.value, objectGet(value, ground(entry.key, bindings))] as const);
  return parts.every((part): part is readonly [Term, Value] => part[1] !== undefined) ? parts : undefined;
}

function isRules(node: RuleTree): boolean {
  return node.rules.length > 0 || [...node.children.values()].some(({ key }) => key.type !== 'string');
}

function isFunction(node: RuleTree): boolean {
  return node.rules.some(({ rule }) => rule.head.args !== undefined);
}

function isEvaluated({ type }: Term): boolean {
  return type === 'ref' || type.endsWith('comprehension');
}

function isGroundIn(term: Term, bindings: Bindings): boolean {
  if (term.type === 'var') return bindings.has(term.name);
  if (term.type === 'array' || term.type === 'set') return term.items.every((item) => isGroundIn(item, bindings));
  return term.type !== 'object' || term.entries.every(({ key, value }) => isGroundIn(key, bindings) && isGroundIn(value, bindings));
}

function ground(term: Term, bindings: Bindings): Value {
  switch (term.type) {
    case 'null':
      return null;
    case 'number':
      return Number(term.text);
    case 'string':
    case 'boolean':
      return term.value;
    case 'var': {
      const value = bindings.get(term.name);
      if (value === undefined) throw new Error(`${term.name} has no value`);
      return value;
    }
    case 'array':
      return term.items.map((item) => ground(item, bindings));
    case 'set':
      return new RegoSet(term.items.map((item) => ground(item, bindings)));
    case 'object':
      return makeObject(term.entries.map(({ key, value }) => [ground(key, bindings), ground(value, bindings)] as const));
    default:
      throw new Error(`a ${term.type} in a term`);
  }
}

function nameOf(term: Term): string {
  return term.type === 'var' ? term.name : term.type === 'string' ? term.value : '';
}

function isCollection(value: Value): boolean {
  return Array.isArray(value) || value instanceof RegoSet || isObject(value);
}

function elements(value: Value): readonly (readonly [Value, Value])[] {
  if (Array.isArray(value)) return value.map((element, i) => [i, element] as const);
  if (value instanceof RegoSet) return sortedMembers(value).map((member) => [member, member] as const);
  return isObject(value) ? [...sortedEntries(value)] : [];
}

function put(document: Value | undefined, path: readonly string[], value: Value): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object = document !== undefined && isObject(document) ? document : {};
  return makeObject([...[...sortedEntries(object)].filter(([other]) => other !== key), [key, put(objectGet(object, key), rest, value)]]);
}

function applyBuiltin({ args, body, checksOperands }: Builtin, operands: readonly Value[]): Value | undefined {
  try {
    if (checksOperands !== true) for (const [i, { type }] of args.entries()) operandCheck(type)?.(operands[i]!, i + 1);
    return body(...operands, undefined);
  } catch {
    return undefined;
  }
}
