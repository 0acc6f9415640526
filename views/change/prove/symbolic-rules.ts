/**
 * Rules over an unknown input: their values, each with the formula under which it is theirs. It
 * reads compiled rules, whose forms are few (`compiler/resolve/compiled.ts`).
 */

import type {
  Body,
  CallExpr,
  Compiled,
  CompiledRule,
  Comprehension,
  EveryExpr,
  Expr,
  Rule,
  Term,
  With,
} from '../../../compiler/index.js';
import {
  elseChain,
  functionName,
  isComprehension,
  keyOfString,
  keyOfTerm,
  nowhere,
  printTerm,
  type RuleTree,
} from '../../../compiler/index.js';
import {
  isArray,
  isObject,
  isPlainObject,
  isSet,
  type PlainObject,
  sortedEntries,
  sortedMembers,
  type Value,
} from '../../../values/index.js';
import { groundValue } from '../search/policy-inputs.js';
import { Bindings } from './bindings.js';
import type { Formula } from './formulas.js';
import type { KnownCalls } from './known-calls.js';
import { setOperation } from './set-operations.js';
import { builtinResult, builtinTest, oneWhere } from './symbolic-builtins.js';
import type { Part } from './symbolic-input.js';
import {
  type Guarded,
  known,
  type Member,
  type SymbolicSettings,
  type SymbolicValue,
  textOf,
  Unprovable,
} from './symbolic-value.js';

/** A solution of a body. */
interface Solution {
  readonly guard: Formula;
  readonly bindings: Bindings;
}

/** A value of a term, with the variables that it binds: keys of references. */
interface BoundValue extends Guarded {
  readonly bindings: Bindings;
}

/** The most formulas, and solutions of a body: what takes more is not proved. */
const mostFormulas = 400_000;
const mostSolutions = 20_000;
const mostCalls = 20_000;

/** The rules at a path: values, members of a set, pairs, or lists of several keys with a member. */
export interface SymbolicDocument {
  readonly kind: 'single' | 'set' | 'object' | 'deep';
  readonly values: readonly Guarded[];
  /** An evaluation that reads the document ends under it with a conflict. */
  readonly conflict: Formula;
}

/** Documents and functions in the place of others: `with`. */
interface Replaced {
  readonly input: SymbolicValue;
  readonly documents: ReadonlyMap<string, SymbolicValue>;
  readonly functions: ReadonlyMap<string, Term>;
}

export interface RulesSettings extends SymbolicSettings {
  readonly calls: KnownCalls;
}

export class SymbolicRules {
  readonly #compiled: Compiled;
  readonly #data: PlainObject;
  readonly #s: RulesSettings;
  readonly #replaced: Replaced;
  readonly #documents = new Map<RuleTree, SymbolicDocument>();
  readonly #underWith = new Map<string, SymbolicRules>();
  /** Conflicts of the document whose rules are read now. */
  readonly #conflicts: { now: Formula[] };

  constructor(
    compiled: Compiled,
    data: PlainObject,
    settings: RulesSettings,
    replaced?: Replaced,
    conflicts: { now: Formula[] } = { now: [] },
  ) {
    this.#compiled = compiled;
    this.#data = data;
    this.#s = settings;
    this.#replaced = replaced ?? {
      input: { type: 'part', part: settings.input.root },
      documents: new Map(),
      functions: new Map(),
    };
    this.#conflicts = conflicts;
  }

  /** The document at a path. */
  at(path: readonly string[]): SymbolicDocument {
    let node: RuleTree | undefined = this.#compiled.ruleTree;
    for (const segment of path) node = node?.children.get(keyOfString(segment));
    if (node !== undefined && node.rules.length > 0 && node.children.size === 0) return this.#document(node, path);
    const { formulas: f } = this.#s;
    const before = this.#conflicts.now;
    this.#conflicts.now = [];
    const keys = path.map((value): Term => ({ type: 'string', value, loc: nowhere }));
    const found = [...this.#ofData(this.#compiled.ruleTree, this.#data, keys, Bindings.empty(f.yes), [])];
    const conflict = f.or(...this.#conflicts.now);
    this.#conflicts.now = before;
    return { kind: 'single', values: this.#merged(found), conflict };
  }

  /** The formula under which a query's body has a solution. */
  holds(body: Body): Formula {
    const { formulas: f } = this.#s;
    return f.or(...[...this.#solutions(body, Bindings.empty(f.yes))].map(({ guard }) => guard));
  }

  #document(node: RuleTree, path: readonly string[]): SymbolicDocument {
    let document = this.#documents.get(node);
    if (document === undefined) {
      const before = this.#conflicts.now;
      this.#conflicts.now = [];
      const values = this.#ruleValues(node, path);
      document = { ...values, conflict: this.#s.formulas.or(...this.#conflicts.now) };
      this.#conflicts.now = before;
      this.#documents.set(node, document);
    }
    return document;
  }

  #ruleValues(node: RuleTree, path: readonly string[]): Omit<SymbolicDocument, 'conflict'> {
    const { rules } = node;
    const [first] = rules;
    if (first!.rule.head.args !== undefined) throw new Unprovable('the path is that of a function');
    const isObject = node.children.size > 0 || rules.some((rule) => tailOf(rule).length > 0);
    if (!isObject) {
      if (first!.rule.head.value === undefined)
        return { kind: 'set', values: rules.flatMap((rule) => this.#members(rule)) };
      return { kind: 'single', values: this.#single(rules, new Map(), this.#s.formulas.yes) };
    }
    const isDeep = rules.some((rule) => rule.rule.head.value === undefined || tailOf(rule).length > 1);
    if (isDeep && node.children.size > 0) throw new Unprovable('rules of keys below a rule');
    const own = rules.flatMap((rule) => (isDeep ? this.#tuples(rule) : this.#pairs(rule)));
    const values = [...own, ...this.#childrenOf(node, path).map((member) => this.#pairOf(member))];
    if (!isDeep) this.#addKeyConflicts(values.map(keyedMember), this.#s.formulas.yes);
    return { kind: isDeep ? 'deep' : 'object', values };
  }

  #pairOf({ guard, key, value }: Member): Guarded {
    const { yes } = this.#s.formulas;
    return { guard, value: { type: 'array', members: [key, value].map((one) => ({ guard: yes, value: one })) } };
  }

  /** Two values of one key end an evaluation. */
  #addKeyConflicts(members: readonly Member[], reached: Formula): void {
    const { formulas: f, comparing } = this.#s;
    const byKey = Map.groupBy(members, ({ key }) => (key.type === 'known' ? textOf(key) : ''));
    const unknown = byKey.get('') ?? [];
    for (const [text, own] of byKey)
      for (const [i, a] of own.entries())
        for (const b of [...own.slice(i + 1), ...(text === '' ? [] : unknown)]) {
          const both = f.and(reached, a.guard, b.guard, comparing.equals(a.key, b.key));
          if (both !== f.no && textOf(a.value) !== textOf(b.value))
            this.#conflicts.now.push(f.and(both, f.not(comparing.equals(a.value, b.value))));
        }
  }

  /** The members of a package, or of rules with constant keys. */
  #childrenOf(node: RuleTree, path: readonly string[]): readonly Member[] {
    const { formulas: f } = this.#s;
    const members: Member[] = [];
    for (const child of node.children.values()) {
      if (child.hidden || child.rules[0]?.rule.head.args !== undefined) continue;
      const name = groundValue(child.key);
      if (typeof name !== 'string') throw new Unprovable('a constant key that is no text');
      const inner = [...path, name];
      for (const { guard, value } of this.#ofData(child, dataAt(this.#data, inner), [], Bindings.empty(f.yes), inner))
        members.push({ guard, key: known(name), value });
    }
    return members;
  }

  /** A package as a whole: its rules, and data beside them. */
  #package(node: RuleTree, data: Value | undefined, path: readonly string[]): SymbolicValue {
    const { formulas: f } = this.#s;
    const named = new Set([...node.children.values()].map(({ key }) => groundValue(key)));
    const beside = isPlainObject(data) ? Object.entries(data).filter(([key]) => !named.has(key)) : [];
    const members = beside.map(([key, value]): Member => ({ guard: f.yes, key: known(key), value: known(value) }));
    return { type: 'object', members: [...members, ...this.#childrenOf(node, path)] };
  }

  /** The values of complete rules or functions, those of equal constants together. */
  #single(
    rules: readonly CompiledRule[],
    bound: ReadonlyMap<CompiledRule, ReadonlyMap<Rule, readonly Solution[]>>,
    reached: Formula,
  ): readonly Guarded[] {
    const { formulas: f, comparing } = this.#s;
    const given: Guarded[] = [];
    const fallbacks: Guarded[] = [];
    for (const compiled of rules) {
      if (compiled.rule.default) {
        fallbacks.push(...this.#linkValues(compiled.rule, f.yes, bound.get(compiled)?.get(compiled.rule), reached));
        continue;
      }
      let before = f.no;
      for (const link of elseChain(compiled.rule)) {
        const values = this.#linkValues(link, f.not(before), bound.get(compiled)?.get(link), reached);
        given.push(...values);
        before = f.or(before, ...values.map(({ guard }) => guard));
      }
    }
    const merged = this.#merged(given);
    for (const [i, a] of merged.entries())
      for (const b of merged.slice(i + 1)) {
        const both = f.and(reached, a.guard, b.guard);
        if (both !== f.no) this.#conflicts.now.push(f.and(both, f.not(comparing.equals(a.value, b.value))));
      }
    if (fallbacks.length === 0) return merged;
    const none = f.not(f.or(...merged.map(({ guard }) => guard)));
    return this.#merged([...merged, ...fallbacks.map(({ guard, value }) => ({ guard: f.and(guard, none), value }))]);
  }

  #linkValues(
    link: Rule,
    guard: Formula,
    starts: readonly Solution[] | undefined,
    reached: Formula,
  ): readonly Guarded[] {
    const { formulas: f } = this.#s;
    const { value } = link.head;
    const found: Guarded[] = [];
    for (const start of starts ?? [{ guard: f.yes, bindings: Bindings.empty(f.yes) }]) {
      const scope = start.bindings.under(f.and(reached, guard, start.guard));
      for (const solution of this.#solutions(link.body, scope))
        for (const one of this.#values(value!, solution.bindings))
          found.push({ guard: f.and(guard, start.guard, solution.guard, one.guard), value: one.value });
    }
    return this.#merged(found);
  }

  #merged(values: readonly Guarded[]): readonly Guarded[] {
    const { formulas: f } = this.#s;
    const byText = new Map<string, { readonly value: SymbolicValue; readonly guards: Formula[] }>();
    for (const { guard, value } of values) {
      if (guard === f.no) continue;
      const key = textOf(value);
      const same = byText.get(key);
      if (same === undefined) byText.set(key, { value, guards: [guard] });
      else same.guards.push(guard);
    }
    return [...byText.values()].map(({ value, guards }) => ({ guard: f.or(...guards), value }));
  }

  #members({ rule }: CompiledRule): readonly Guarded[] {
    return this.#headValues(rule, (bindings) => this.#values(rule.head.key!, bindings));
  }

  /** Keys and values as lists of two. */
  #pairs(compiled: CompiledRule): readonly Guarded[] {
    const [key] = tailOf(compiled);
    const { rule } = compiled;
    return this.#headValues(rule, (bindings) => this.#lists([key!, rule.head.value!], bindings));
  }

  /** All keys, then a text for the kind of head, and the value or the member. */
  #tuples(compiled: CompiledRule): readonly Guarded[] {
    const { rule } = compiled;
    const { key, value } = rule.head;
    const kind: Term = { type: 'string', value: value === undefined ? 'contains' : 'value', loc: nowhere };
    const terms = [...tailOf(compiled), kind, value ?? key!];
    return this.#headValues(rule, (bindings) => this.#lists(terms, bindings));
  }

  #headValues(rule: Rule, valuesOf: (bindings: Bindings) => Iterable<Guarded>): readonly Guarded[] {
    const { formulas: f } = this.#s;
    const found: Guarded[] = [];
    for (const { guard, bindings } of this.#solutions(rule.body, Bindings.empty(f.yes)))
      for (const one of valuesOf(bindings)) found.push({ guard: f.and(guard, one.guard), value: one.value });
    return this.#merged(found);
  }

  *#solutions(body: Body, bindings: Bindings): Generator<Solution> {
    let count = 0;
    for (const solution of this.#from(body, 0, { guard: this.#s.formulas.yes, bindings }, bindings.reached)) {
      if (++count > mostSolutions || this.#s.formulas.size > mostFormulas)
        throw new Unprovable('there are too many combinations');
      yield solution;
    }
  }

  *#from(body: Body, at: number, start: Solution, reached: Formula): Generator<Solution> {
    const { formulas: f } = this.#s;
    if (start.guard === f.no) return;
    const expr = body[at];
    const { guard, bindings } = start;
    const scope = bindings.under(f.and(reached, guard));
    if (expr === undefined) yield { guard, bindings: scope };
    else
      for (const next of this.#expr(expr, { guard, bindings: scope })) yield* this.#from(body, at + 1, next, reached);
  }

  *#expr(expr: Expr, start: Solution): Generator<Solution> {
    try {
      yield* this.#exprOrFail(expr, start);
    } catch (error) {
      if (!(error instanceof Unprovable) || error.expression !== '') throw error;
      const { loc } = expr;
      throw new Unprovable(error.message, loc.text, `${loc.file}:${loc.row}`);
    }
  }

  *#exprOrFail(expr: Expr, { guard, bindings }: Solution): Generator<Solution> {
    const { formulas: f, comparing } = this.#s;
    if (expr.with.length > 0) {
      for (const { guard: given, rules } of this.#under(expr.with, bindings))
        for (const one of rules.#exprOrFail({ ...expr, with: [] }, { guard: f.and(guard, given), bindings }))
          yield { guard: one.guard, bindings: one.bindings };
      return;
    }
    if (expr.negated) {
      const inner = this.#solutions([{ ...expr, negated: false }], bindings);
      yield { guard: f.and(guard, f.not(f.or(...[...inner].map((solution) => solution.guard)))), bindings };
      return;
    }
    const isTrue = (body: Body, from: Bindings) =>
      f.or(...[...this.#solutions(body, from)].map((solution) => solution.guard));
    switch (expr.kind) {
      case 'term':
        for (const one of this.#bound(expr.term, bindings))
          yield { guard: f.and(guard, one.guard, comparing.holds(one.value)), bindings: one.bindings };
        return;
      case 'call':
        for (const one of this.#call(expr, bindings)) yield { guard: f.and(guard, one.guard), bindings: one.bindings };
        return;
      case 'every':
        yield { guard: f.and(guard, this.#every(expr, bindings)), bindings };
        return;
      case 'not':
        yield { guard: f.and(guard, f.not(isTrue(expr.body, bindings))), bindings };
        return;
      case 'and':
        yield { guard: f.and(guard, isTrue(expr.lhs, bindings), isTrue(expr.rhs, bindings)), bindings };
        return;
      case 'or':
        yield { guard: f.and(guard, f.or(isTrue(expr.lhs, bindings), isTrue(expr.rhs, bindings))), bindings };
        return;
      default:
        throw new Unprovable('an expression of this kind');
    }
  }

  #every({ domain, key, value, body }: EveryExpr, bindings: Bindings): Formula {
    const { formulas: f } = this.#s;
    const parts: Formula[] = [];
    for (const { guard, value: collection } of this.#values(domain, bindings)) {
      const all = this.#entries(collection).map((entry) => {
        let inner = bindings.with(value.name, entry.value);
        if (key !== undefined) inner = inner.with(key.name, entry.key);
        return f.or(f.not(entry.guard), ...[...this.#solutions(body, inner)].map((solution) => solution.guard));
      });
      parts.push(f.and(guard, this.#isCollection(collection), ...all));
    }
    return f.or(...parts);
  }

  #isCollection(value: SymbolicValue): Formula {
    const { formulas: f, input } = this.#s;
    if (value.type === 'part') return input.isKind(value.part, 'array', 'object', 'set');
    if (value.type === 'known') return f.of(typeof value.value === 'object' && value.value !== null);
    return f.of(['array', 'set', 'object', 'overlaid'].includes(value.type));
  }

  readonly #depth = { calls: 0 };

  /** Whether members were read in an order that the evaluation may not have. */
  #sawUnordered = false;

  /** The members of a collection with their keys. */
  #entries(value: SymbolicValue): readonly Member[] {
    const { formulas: f, comparing } = this.#s;
    if (value.type === 'part') return this.#entriesOfPart(value.part);
    if (value.type === 'known') {
      const all = value.value;
      if (isArray(all)) return all.map((one, i) => ({ guard: f.yes, key: known(i), value: known(one) }));
      if (isSet(all)) return sortedMembers(all).map((one) => ({ guard: f.yes, key: known(one), value: known(one) }));
      if (isObject(all))
        return Array.from(sortedEntries(all), ([key, one]) => ({ guard: f.yes, key: known(key), value: known(one) }));
      return [];
    }
    if (value.type === 'overlaid') {
      this.#sawUnordered = true;
      const { base, key, value: own } = value;
      const named = known(key);
      this.#step(base, key);
      const others = this.#entries(base).map((entry) => ({
        ...entry,
        guard: f.and(entry.guard, this.#isObject(base), f.not(comparing.equals(entry.key, named))),
      }));
      return [...others, { guard: comparing.isThere(own), key: named, value: own }];
    }
    if (value.type === 'set' || value.type === 'object') {
      if (value.members.length > 1) this.#sawUnordered = true;
      if (value.type === 'object') return value.members;
      return value.members.map(({ guard, value: one }) => ({ guard, key: one, value: one }));
    }
    if (value.type !== 'array') return [];
    if (value.isUnordered === true) this.#sawUnordered = true;
    const positions = this.#positions(value.members);
    return value.members.map(({ guard, value: one }, i) => ({ guard, key: positions[i]!, value: one }));
  }

  #entriesOfPart(part: Part): readonly Member[] {
    const { input, comparing } = this.#s;
    const there = (key: SymbolicValue, value: SymbolicValue) => ({ guard: comparing.isThere(value), key, value });
    const parts = input.elements(part).map((element): SymbolicValue => ({ type: 'part', part: element }));
    if (input.isSetPart(part)) {
      this.#sawUnordered = true;
      return parts.map((element) => there(element, element));
    }
    const elements = parts.map((element, i) => there(known(i), element));
    const named = [...part.children].flatMap(([key, child]) =>
      typeof key === 'string' ? [there(known(key), { type: 'part', part: child })] : [],
    );
    if (named.length > 0) this.#sawUnordered = true;
    const others = input
      .unknownMembers(part)
      .map((other) => there({ type: 'string', term: other.keyText! }, { type: 'part', part: other }));
    return [...elements, ...named, ...others];
  }

  #isObject(value: SymbolicValue): Formula {
    const { formulas: f, input } = this.#s;
    if (value.type === 'part') return input.isKind(value.part, 'object');
    return f.of(
      value.type === 'object' || value.type === 'overlaid' || (value.type === 'known' && isPlainObject(value.value)),
    );
  }

  /** Indexes of elements: the number of those before that are there. */
  #positions(members: readonly Guarded[]): readonly SymbolicValue[] {
    const { formulas: f, input } = this.#s;
    const before: string[] = [];
    let isFixed = true;
    return members.map(({ guard }, i) => {
      const position: SymbolicValue = isFixed
        ? known(i)
        : { type: 'number', term: `(+ ${[...before, '0.0', '0.0'].join(' ')})` };
      if (guard === f.yes) before.push('1.0');
      else {
        isFixed = false;
        before.push(oneWhere(guard, f, input));
      }
      return position;
    });
  }

  /** The rules with replaced documents, where the values of these are there. */
  *#under(
    replacements: readonly With[],
    bindings: Bindings,
  ): Generator<{ readonly guard: Formula; readonly rules: SymbolicRules }> {
    const functions = new Map(this.#replaced.functions);
    const documents: { readonly path: readonly string[]; readonly root: string; readonly value: Term }[] = [];
    for (const { target, value } of replacements) {
      const [head, ...keys] = target.type === 'ref' ? target.terms : [target];
      const root = head?.type === 'var' ? head.name : '';
      const name = target.type === 'ref' ? functionName(target) : root;
      if (name !== undefined && (this.#compiled.builtins.get(name) !== undefined || this.#isFunction(target))) {
        functions.set(name, value);
        continue;
      }
      const path = keys.map((key) => (key.type === 'string' ? key.value : undefined));
      if ((root !== 'input' && root !== 'data') || path.includes(undefined) || (root === 'data' && path.length === 0))
        throw new Unprovable('a replaced document of this kind');
      documents.push({ path: path as string[], root, value });
    }
    for (const { guard, values } of this.#operands(
      documents.map(({ value }) => value),
      bindings,
    )) {
      let { input } = this.#replaced;
      const replaced = new Map(this.#replaced.documents);
      for (const [i, { path, root }] of documents.entries()) {
        if (root === 'data') replaced.set(path.join('/'), values[i]!);
        else input = this.#overlaid(input, path, values[i]!);
      }
      const key = [input, ...replaced.values()].map(textOf).join('\n') + [...replaced.keys()].join('\n');
      const named = [...functions].map(([name, term]) => `${name}=${printTerm(term)}`).join('\n');
      let rules = this.#underWith.get(key + named);
      if (rules === undefined) {
        const own = { input, documents: replaced, functions };
        rules = new SymbolicRules(this.#compiled, this.#data, this.#s, own, this.#conflicts);
        this.#underWith.set(key + named, rules);
      }
      yield { guard, rules };
    }
  }

  #isFunction(target: Term): boolean {
    return target.type === 'ref' && this.#functionRules(target.terms)?.[0]?.rule.head.args !== undefined;
  }

  #overlaid(base: SymbolicValue, [key, ...rest]: readonly string[], value: SymbolicValue): SymbolicValue {
    if (key === undefined) return value;
    return { type: 'overlaid', base, key, value: this.#overlaid(this.#step(base, key), rest, value) };
  }

  /** A member of what may be an object. */
  #step(value: SymbolicValue, key: string): SymbolicValue {
    if (value.type === 'part') return { type: 'part', part: this.#s.input.child(value.part, key) };
    if (value.type === 'overlaid') return value.key === key ? value.value : this.#step(value.base, key);
    if (value.type === 'known')
      return known(isPlainObject(value.value) && Object.hasOwn(value.value, key) ? value.value[key]! : {});
    throw new Unprovable('a part of a replaced document is replaced');
  }

  *#call(expr: CallExpr, bindings: Bindings): Generator<Solution> {
    const { args } = expr;
    let { operator } = expr;
    let name = functionName(operator) ?? '';
    const other = this.#replaced.functions.get(name);
    if (
      other?.type === 'ref' &&
      (this.#isFunction(other) || this.#compiled.builtins.get(functionName(other) ?? '') !== undefined)
    ) {
      operator = other;
      name = functionName(other) ?? '';
    } else if (other !== undefined) {
      const arity = this.#arityOf(functionName(expr.operator) ?? '', expr.operator.terms);
      const output = args.length > arity ? args.at(-1) : undefined;
      for (const operands of this.#operands(args.slice(0, arity), bindings))
        for (const one of this.#values(other, bindings)) yield* this.#finished(one, operands.guard, output, bindings);
      return;
    }
    if (name === 'eq' && args.length === 2) {
      yield* this.#unify(args[0]!, args[1]!, bindings);
      return;
    }
    if (name === 'internal.print' || name === 'print') {
      yield { guard: this.#s.formulas.yes, bindings };
      return;
    }
    const functionRules = this.#functionRules(operator.terms);
    const arity = this.#arityOf(name, operator.terms);
    const output = args.length > arity ? args.at(-1) : undefined;
    for (const operands of this.#operands(args.slice(0, arity), bindings)) {
      const results =
        functionRules === undefined
          ? this.#builtin(name, operands.values)
          : this.#applied(functionRules, operands.values, this.#s.formulas.and(bindings.reached, operands.guard));
      for (const { guard, value } of results) yield* this.#finished({ guard, value }, operands.guard, output, bindings);
    }
  }

  *#finished(
    { guard, value }: Guarded,
    given: Formula,
    output: Term | undefined,
    bindings: Bindings,
  ): Generator<Solution> {
    const { formulas: f, comparing } = this.#s;
    const both = f.and(given, guard);
    if (output === undefined) yield { guard: f.and(both, comparing.holds(value)), bindings };
    else
      for (const one of this.#matched(output, value, bindings))
        yield { guard: f.and(both, comparing.isThere(value), one.guard), bindings: one.bindings };
  }

  #arityOf(name: string, terms: readonly Term[]): number {
    const functionRules = this.#functionRules(terms);
    const arity = functionRules?.[0]?.rule.head.args?.length ?? this.#compiled.builtins.get(name)?.args.length;
    if (arity === undefined) throw new Unprovable(`the function ${name} is not known`);
    return arity;
  }

  #builtin(name: string, operands: readonly SymbolicValue[]): readonly Guarded[] {
    const entriesOf = (value: SymbolicValue) => this.#entries(value);
    const row = this.#compiled.builtins.get(name);
    if (row?.relation === true) throw new Unprovable(`${name} has several results`);
    if (row !== undefined && operands.length > 0 && operands.every(({ type }) => type === 'known')) {
      const values = operands.map((operand) => (operand as { readonly value: Value }).value);
      const result = this.#s.calls.result(row, values);
      if (result !== undefined)
        return result.value === undefined ? [] : [{ guard: this.#s.formulas.yes, value: known(result.value) }];
    }
    const found = builtinTest(name, operands, this.#s, entriesOf);
    if (found !== undefined) return [{ guard: this.#s.formulas.yes, value: { type: 'truth', formula: found } }];
    return setOperation(name, operands, this.#s, entriesOf) ?? builtinResult(name, operands, this.#s, entriesOf, row);
  }

  #functionRules(terms: readonly Term[]): readonly CompiledRule[] | undefined {
    const [head, ...keys] = terms;
    if (head?.type !== 'var' || head.name !== 'data') return undefined;
    let node: RuleTree | undefined = this.#compiled.ruleTree;
    for (const key of keys) node = node?.children.get(keyOfTerm(key) ?? '');
    return node === undefined || node.rules.length === 0 ? undefined : node.rules;
  }

  #applied(rules: readonly CompiledRule[], operands: readonly SymbolicValue[], reached: Formula): readonly Guarded[] {
    if (++this.#depth.calls > mostCalls) throw new Unprovable('there are too many calls of functions');
    const starts = new Map(
      rules.map((compiled) => {
        const links = [...elseChain(compiled.rule)].map((link) => [link, this.#parameters(link, operands)] as const);
        return [compiled, new Map(links)] as const;
      }),
    );
    return this.#single(rules, starts, reached);
  }

  #parameters({ head }: Rule, operands: readonly SymbolicValue[]): readonly Solution[] {
    const { formulas: f } = this.#s;
    let solutions: readonly Solution[] = [{ guard: f.yes, bindings: Bindings.empty(f.yes) }];
    for (const [i, param] of (head.args ?? []).entries())
      solutions = solutions.flatMap(({ guard, bindings }) =>
        [...this.#matched(param, operands[i]!, bindings)].map((one) => ({
          guard: f.and(guard, one.guard),
          bindings: one.bindings,
        })),
      );
    return solutions;
  }

  *#operands(
    terms: readonly Term[],
    bindings: Bindings,
  ): Generator<{ readonly guard: Formula; readonly values: readonly SymbolicValue[] }> {
    const { formulas: f } = this.#s;
    const [first, ...rest] = terms;
    if (first === undefined) {
      yield { guard: f.yes, values: [] };
      return;
    }
    for (const one of this.#values(first, bindings))
      for (const others of this.#operands(rest, bindings))
        yield { guard: f.and(one.guard, others.guard), values: [one.value, ...others.values] };
  }

  *#unify(a: Term, b: Term, bindings: Bindings): Generator<Solution> {
    const { formulas: f } = this.#s;
    const [pattern, term] = this.#isOpen(a, bindings) ? [a, b] : [b, a];
    if (this.#isOpen(term, bindings) && term.type !== 'ref') {
      if (pattern.type === 'array' && term.type === 'array' && pattern.items.length === term.items.length) {
        yield* this.#unifyAll(pattern.items, term.items, { guard: f.yes, bindings });
        return;
      }
      throw new Unprovable('two sides of an equation with unknown variables');
    }
    for (const one of this.#bound(term, bindings))
      for (const matched of this.#matched(pattern, one.value, one.bindings))
        yield { guard: f.and(one.guard, matched.guard), bindings: matched.bindings };
  }

  *#unifyAll(a: readonly Term[], b: readonly Term[], start: Solution): Generator<Solution> {
    const [first, ...rest] = a;
    if (first === undefined) {
      yield start;
      return;
    }
    for (const one of this.#unify(first, b[0]!, start.bindings))
      yield* this.#unifyAll(rest, b.slice(1), {
        guard: this.#s.formulas.and(start.guard, one.guard),
        bindings: one.bindings,
      });
  }

  /** Whether a term has a variable without a value. */
  #isOpen(term: Term, bindings: Bindings): boolean {
    if (term.type === 'var') return term.name !== 'input' && term.name !== 'data' && !bindings.has(term.name);
    if (term.type === 'array' || term.type === 'set') return term.items.some((item) => this.#isOpen(item, bindings));
    if (term.type === 'object')
      return term.entries.some(({ key, value }) => this.#isOpen(key, bindings) || this.#isOpen(value, bindings));
    return false;
  }

  /** Binds a pattern's variables to parts of a value. */
  *#matched(pattern: Term, value: SymbolicValue, bindings: Bindings): Generator<Solution> {
    const { formulas: f, comparing } = this.#s;
    if (pattern.type === 'var' && this.#isOpen(pattern, bindings)) {
      yield { guard: comparing.isThere(value), bindings: bindings.with(pattern.name, value) };
      return;
    }
    if (!this.#isOpen(pattern, bindings)) {
      for (const own of this.#bound(pattern, bindings))
        yield { guard: f.and(own.guard, comparing.equals(own.value, value)), bindings: own.bindings };
      return;
    }
    if (pattern.type !== 'array') throw new Unprovable('a pattern with variables that is no list');
    const items = this.#itemsOf(value, pattern.items.length);
    if (items === undefined) return;
    let solutions: readonly Solution[] = [{ guard: items.guard, bindings }];
    for (const [i, item] of pattern.items.entries())
      solutions = solutions.flatMap((start) =>
        [...this.#matched(item, items.values[i]!, start.bindings)].map((one) => ({
          guard: f.and(start.guard, one.guard),
          bindings: one.bindings,
        })),
      );
    yield* solutions;
  }

  /** The elements of a list of a length; undefined where it has none. */
  #itemsOf(
    value: SymbolicValue,
    length: number,
  ): { readonly guard: Formula; readonly values: readonly SymbolicValue[] } | undefined {
    const { formulas: f, input } = this.#s;
    if (value.type === 'part') {
      const parts = Array.from({ length: length + 1 }, (_, i) => input.child(value.part, i));
      const end = parts.pop()!;
      const there = parts.map((part) => f.not(input.isKind(part, 'none')));
      const guard = f.and(input.isKind(value.part, 'array'), ...there, input.isKind(end, 'none'));
      return { guard, values: parts.map((part) => ({ type: 'part', part })) };
    }
    if (value.type === 'known')
      return isArray(value.value) && value.value.length === length
        ? { guard: f.yes, values: value.value.map(known) }
        : undefined;
    if (value.type !== 'array') return undefined;
    if (value.members.some(({ guard }) => guard !== f.yes)) throw new Unprovable('a list of unknown length');
    if (value.isUnordered === true) throw new Unprovable('a list whose order is that of unknown keys');
    return value.members.length === length
      ? { guard: f.yes, values: value.members.map((member) => member.value) }
      : undefined;
  }

  *#values(term: Term, bindings: Bindings): Generator<Guarded> {
    for (const { guard, value } of this.#bound(term, bindings)) yield { guard, value };
  }

  /** The values of a term, which may bind variables: keys of references. */
  *#bound(term: Term, bindings: Bindings): Generator<BoundValue> {
    const { formulas: f } = this.#s;
    const ground = hasSet(term) ? undefined : groundValue(term);
    if (ground !== undefined) {
      yield { guard: f.yes, value: known(ground), bindings };
      return;
    }
    if (term.type === 'var') {
      const value = term.name === 'input' ? this.#replaced.input : bindings.get(term.name);
      if (value === undefined) throw new Unprovable('a variable has no value here');
      yield { guard: this.#s.comparing.isThere(value), value, bindings };
      return;
    }
    if (isComprehension(term)) {
      yield { guard: f.yes, value: this.#comprehension(term as Comprehension, bindings), bindings };
      return;
    }
    if (term.type === 'array') {
      for (const one of this.#lists(term.items, bindings)) yield { ...one, bindings };
      return;
    }
    if (term.type === 'set') {
      for (const one of this.#lists(term.items, bindings))
        yield {
          guard: one.guard,
          value: { type: 'set', members: (one.value as { readonly members: readonly Guarded[] }).members },
          bindings,
        };
      return;
    }
    if (term.type === 'object') {
      const { entries } = term;
      for (const one of this.#lists(
        [...entries.map(({ key }) => key), ...entries.map(({ value }) => value)],
        bindings,
      )) {
        const { members } = one.value as { readonly members: readonly Guarded[] };
        const pairs = entries.map((_, i) => ({
          guard: f.yes,
          key: members[i]!.value,
          value: members[entries.length + i]!.value,
        }));
        yield { guard: one.guard, value: { type: 'object', members: pairs }, bindings };
      }
      return;
    }
    if (term.type !== 'ref') throw new Unprovable(`the term ${printTerm(term)}`);
    yield* this.#ref(term.terms, bindings);
  }

  *#lists(items: readonly Term[], bindings: Bindings): Generator<Guarded> {
    for (const { guard, values } of this.#operands(items, bindings))
      yield {
        guard,
        value: { type: 'array', members: values.map((value) => ({ guard: this.#s.formulas.yes, value })) },
      };
  }

  #comprehension(term: Comprehension, bindings: Bindings): SymbolicValue {
    const { formulas: f } = this.#s;
    const members: Guarded[] = [];
    const pairs: Member[] = [];
    const before = this.#sawUnordered;
    this.#sawUnordered = false;
    for (const solution of this.#solutions(term.body, bindings)) {
      if (term.type === 'objectcomprehension') {
        for (const { guard, values } of this.#operands([term.key, term.value], solution.bindings))
          pairs.push({ guard: f.and(solution.guard, guard), key: values[0]!, value: values[1]! });
      } else
        for (const { guard, value } of this.#values(term.term, solution.bindings))
          members.push({ guard: f.and(solution.guard, guard), value });
    }
    const isUnordered = this.#sawUnordered;
    this.#sawUnordered = before;
    if (term.type === 'objectcomprehension') {
      this.#addKeyConflicts(pairs, bindings.reached);
      return { type: 'object', members: pairs };
    }
    return term.type === 'setcomprehension'
      ? { type: 'set', members: this.#merged(members) }
      : {
          type: 'array',
          members: members.filter(({ guard }) => guard !== f.no),
          ...(isUnordered ? { isUnordered } : {}),
        };
  }

  *#ref(terms: readonly Term[], bindings: Bindings): Generator<BoundValue> {
    const [head, ...keys] = terms;
    if (head!.type === 'var' && head!.name === 'data')
      yield* this.#ofData(this.#compiled.ruleTree, this.#data, keys, bindings, []);
    else
      for (const { guard, value } of this.#values(head!, bindings))
        for (const one of this.#walk(value, keys, bindings))
          yield { ...one, guard: this.#s.formulas.and(guard, one.guard) };
  }

  *#ofData(
    node: RuleTree | undefined,
    data: Value | undefined,
    keys: readonly Term[],
    bindings: Bindings,
    path: readonly string[],
  ): Generator<BoundValue> {
    const { formulas: f } = this.#s;
    const replaced = this.#replaced.documents.get(path.join('/'));
    if (replaced !== undefined && path.length > 0) {
      yield* this.#walk(replaced, keys, bindings);
      return;
    }
    if (node !== undefined && node.rules.length > 0) {
      const { kind, values, conflict } = this.#document(node, path);
      this.#conflicts.now.push(f.and(bindings.reached, conflict));
      if (kind === 'deep') throw new Unprovable('rules of several keys are read');
      if (kind === 'single') {
        for (const { guard, value } of values)
          for (const one of this.#walk(value, keys, bindings)) yield { ...one, guard: f.and(guard, one.guard) };
        return;
      }
      const whole: SymbolicValue =
        kind === 'set' ? { type: 'set', members: values } : { type: 'object', members: values.map(keyedMember) };
      yield* this.#walk(whole, keys, bindings);
      return;
    }
    const [key, ...rest] = keys;
    const name = key?.type === 'string' ? key.value : undefined;
    const isBelow = [...this.#replaced.documents.keys()].some((one) => one.startsWith(path.join('/')));
    if (name === undefined && isBelow) throw new Unprovable('a document with a replaced part');
    if (node === undefined || node.children.size === 0) {
      if (name !== undefined && isBelow)
        yield* this.#ofData(undefined, memberOfData(data, name), rest, bindings, [...path, name]);
      else if (data !== undefined) yield* this.#walk(known(data), keys, bindings);
      return;
    }
    if (name === undefined) yield* this.#walk(this.#package(node, data, path), keys, bindings);
    else
      yield* this.#ofData(node.children.get(keyOfString(name)), memberOfData(data, name), rest, bindings, [
        ...path,
        name,
      ]);
  }

  *#walk(value: SymbolicValue, keys: readonly Term[], bindings: Bindings): Generator<BoundValue> {
    const { formulas: f, comparing } = this.#s;
    const [key, ...rest] = keys;
    if (key === undefined) {
      yield { guard: comparing.isThere(value), value, bindings };
      return;
    }
    for (const step of this.#steps(value, key, bindings))
      for (const one of this.#walk(step.value, rest, step.bindings))
        yield { ...one, guard: f.and(step.guard, one.guard) };
  }

  *#steps(value: SymbolicValue, key: Term, bindings: Bindings): Generator<BoundValue> {
    const { formulas: f, comparing, input } = this.#s;
    if (this.#isOpen(key, bindings)) {
      for (const entry of this.#entries(value))
        for (const matched of this.#matched(key, entry.key, bindings))
          yield { guard: f.and(entry.guard, matched.guard), value: entry.value, bindings: matched.bindings };
      return;
    }
    for (const { guard, value: wanted } of this.#values(key, bindings)) {
      if (wanted.type === 'known' && value.type === 'part') {
        const name = wanted.value;
        if (typeof name === 'string' || (typeof name === 'number' && Number.isInteger(name) && name >= 0 && name < 64))
          yield { guard, value: { type: 'part', part: input.child(value.part, name) }, bindings };
        continue;
      }
      if (wanted.type === 'known' && value.type === 'known') {
        const found = this.#entries(value).find((entry) => comparing.equals(entry.key, wanted) === f.yes);
        if (found !== undefined) yield { guard, value: found.value, bindings };
        continue;
      }
      if (wanted.type === 'known' && value.type === 'overlaid' && typeof wanted.value === 'string') {
        yield { guard, value: this.#step(value, wanted.value), bindings };
        continue;
      }
      if (value.type === 'array' && value.isUnordered === true)
        throw new Unprovable('a list whose order is that of unknown keys');
      for (const entry of this.#entries(value)) {
        const isIt = f.and(guard, entry.guard, comparing.equals(entry.key, wanted));
        if (isIt !== f.no) yield { guard: isIt, value: entry.value, bindings };
      }
    }
  }
}

/** Sets are no lists, as which inputs have them. */
function hasSet(term: Term): boolean {
  if (term.type === 'set') return true;
  if (term.type === 'array') return term.items.some(hasSet);
  return term.type === 'object' && term.entries.some(({ key, value }) => hasSet(key) || hasSet(value));
}

/** The terms of a head behind its constant ones, the key of `contains` left out. */
function tailOf({ ref, rule: { head } }: CompiledRule): readonly Term[] {
  const first = ref.findIndex((term, i) => i > 0 && !isConstantKey(term));
  // The head's own terms have the variables of the body.
  if (first >= 0) return head.ref.slice(first - ref.length);
  return head.value !== undefined && head.key !== undefined ? [head.key] : [];
}

function isConstantKey({ type }: Term): boolean {
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'null';
}

/** A list of a key and a value as a member. */
export function keyedMember({ guard, value }: Guarded): Member {
  const [key, own] = (value as { readonly members: readonly Guarded[] }).members;
  return { guard, key: key!.value, value: own!.value };
}

function memberOfData(data: Value | undefined, name: string): Value | undefined {
  return isPlainObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

function dataAt(data: Value | undefined, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>(memberOfData, data);
}
