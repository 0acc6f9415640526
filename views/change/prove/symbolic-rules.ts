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
} from '../../../compiler/index.js';
import {
  elseChain,
  functionName,
  isComprehension,
  keyOfString,
  keyOfTerm,
  printTerm,
  type RuleTree,
} from '../../../compiler/index.js';
import { isArray, isPlainObject, isSet, type PlainObject, type Value } from '../../../values/index.js';
import { groundValue } from '../search/policy-inputs.js';
import type { Formula } from './formulas.js';
import { builtinResult, builtinTest } from './symbolic-builtins.js';
import {
  type Guarded,
  known,
  type SymbolicSettings,
  type SymbolicValue,
  textOf,
  Unprovable,
} from './symbolic-value.js';

type Bindings = ReadonlyMap<string, SymbolicValue>;

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

/** The rules at a path: values, or members of a set. */
export interface SymbolicDocument {
  readonly kind: 'single' | 'set' | 'object';
  readonly values: readonly Guarded[];
}

export class SymbolicRules {
  readonly #compiled: Compiled;
  readonly #data: PlainObject;
  readonly #s: SymbolicSettings;
  readonly #documents = new Map<RuleTree, SymbolicDocument>();
  /** Guards under which an evaluation ends with a conflict. */
  readonly conflicts: Formula[] = [];

  constructor(compiled: Compiled, data: PlainObject, settings: SymbolicSettings) {
    this.#compiled = compiled;
    this.#data = data;
    this.#s = settings;
  }

  /** The document at a path; undefined where no rule is there. */
  at(path: readonly string[]): SymbolicDocument | undefined {
    let node: RuleTree | undefined = this.#compiled.ruleTree;
    for (const segment of path) {
      node = node.children.get(keyOfString(segment));
      if (node === undefined) return undefined;
    }
    if (node.rules.length === 0) throw new Unprovable('the path is not that of a rule');
    return this.#document(node);
  }

  /** The formula under which a query's body has a solution. */
  holds(body: Body): Formula {
    const { formulas } = this.#s;
    return formulas.or(...[...this.#solutions(body, new Map())].map(({ guard }) => guard));
  }

  #document(node: RuleTree): SymbolicDocument {
    let document = this.#documents.get(node);
    if (document === undefined) this.#documents.set(node, (document = this.#ruleValues(node)));
    return document;
  }

  #ruleValues(node: RuleTree): SymbolicDocument {
    if (node.children.size > 0) throw new Unprovable('rules of keys below a rule');
    const { rules } = node;
    const [first] = rules;
    const { head } = first!.rule;
    if (head.args !== undefined) throw new Unprovable('the path is that of a function');
    if (head.value === undefined) return { kind: 'set', values: rules.flatMap((rule) => this.#members(rule)) };
    if (
      head.key !== undefined ||
      rules.some(
        ({ ref }) =>
          ref.some(({ type }) => type === 'var') && ref.length > 1 && ref.slice(1).some(({ type }) => type === 'var'),
      )
    )
      return { kind: 'object', values: rules.flatMap((rule) => this.#pairs(rule)) };
    return { kind: 'single', values: this.#single(rules, new Map()) };
  }

  /** The values of complete rules or functions, those of equal constants together. */
  #single(
    rules: readonly CompiledRule[],
    bound: ReadonlyMap<CompiledRule, ReadonlyMap<Rule, readonly Solution[]>>,
  ): readonly Guarded[] {
    const { formulas: f, comparing } = this.#s;
    const given: Guarded[] = [];
    const fallbacks: Guarded[] = [];
    for (const compiled of rules) {
      if (compiled.rule.default) {
        fallbacks.push(...this.#linkValues(compiled.rule, f.yes, bound.get(compiled)?.get(compiled.rule)));
        continue;
      }
      let before = f.no;
      for (const link of elseChain(compiled.rule)) {
        const values = this.#linkValues(link, f.not(before), bound.get(compiled)?.get(link));
        given.push(...values);
        before = f.or(before, ...values.map(({ guard }) => guard));
      }
    }
    const merged = this.#merged(given);
    for (const [i, a] of merged.entries())
      for (const b of merged.slice(i + 1)) {
        const both = f.and(a.guard, b.guard);
        if (both !== f.no) this.conflicts.push(f.and(both, f.not(comparing.equals(a.value, b.value))));
      }
    if (fallbacks.length === 0) return merged;
    const none = f.not(f.or(...merged.map(({ guard }) => guard)));
    return this.#merged([...merged, ...fallbacks.map(({ guard, value }) => ({ guard: f.and(guard, none), value }))]);
  }

  #linkValues(link: Rule, guard: Formula, starts: readonly Solution[] | undefined): readonly Guarded[] {
    const { formulas: f } = this.#s;
    const { value } = link.head;
    const found: Guarded[] = [];
    for (const start of starts ?? [{ guard: f.yes, bindings: new Map() }])
      for (const solution of this.#solutions(link.body, start.bindings))
        for (const one of this.#values(value!, solution.bindings))
          found.push({ guard: f.and(guard, start.guard, solution.guard, one.guard), value: one.value });
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
  #pairs({ rule, ref }: CompiledRule): readonly Guarded[] {
    const key = rule.head.key ?? ref.at(-1)!;
    return this.#headValues(rule, (bindings) => this.#lists([key, rule.head.value!], bindings));
  }

  #headValues(rule: Rule, valuesOf: (bindings: Bindings) => Iterable<Guarded>): readonly Guarded[] {
    const { formulas: f } = this.#s;
    const found: Guarded[] = [];
    for (const { guard, bindings } of this.#solutions(rule.body, new Map()))
      for (const one of valuesOf(bindings)) found.push({ guard: f.and(guard, one.guard), value: one.value });
    return this.#merged(found);
  }

  *#solutions(body: Body, bindings: Bindings): Generator<Solution> {
    let count = 0;
    for (const solution of this.#from(body, 0, { guard: this.#s.formulas.yes, bindings })) {
      if (++count > mostSolutions || this.#s.formulas.size > mostFormulas)
        throw new Unprovable('there are too many combinations');
      yield solution;
    }
  }

  *#from(body: Body, at: number, start: Solution): Generator<Solution> {
    if (start.guard === this.#s.formulas.no) return;
    const expr = body[at];
    if (expr === undefined) yield start;
    else for (const next of this.#expr(expr, start)) yield* this.#from(body, at + 1, next);
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
    if (expr.with.length > 0) throw new Unprovable('an expression with replaced documents');
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
        const inner = new Map(bindings).set(value.name, entry.value);
        if (key !== undefined) inner.set(key.name, entry.key);
        return f.or(f.not(entry.guard), ...[...this.#solutions(body, inner)].map((solution) => solution.guard));
      });
      parts.push(f.and(guard, this.#isCollection(collection), ...all));
    }
    return f.or(...parts);
  }

  #isCollection(value: SymbolicValue): Formula {
    const { formulas: f, input } = this.#s;
    if (value.type === 'part') return input.isKind(value.part, 'array', 'object');
    if (value.type === 'known') return f.of(typeof value.value === 'object' && value.value !== null);
    return f.of(value.type === 'array' || value.type === 'set' || value.type === 'object');
  }

  /** The members of a collection with their keys. */
  #entries(value: SymbolicValue): readonly (Guarded & { readonly key: SymbolicValue })[] {
    const { formulas: f, input, comparing } = this.#s;
    if (value.type === 'part') {
      const there = (key: SymbolicValue, part: SymbolicValue) => ({ guard: comparing.isThere(part), key, value: part });
      const { part } = value;
      const elements = input.elements(part).map((element, i) => there(known(i), { type: 'part', part: element }));
      const named = [...part.children].flatMap(([key, child]) =>
        typeof key === 'string' ? [there(known(key), { type: 'part', part: child })] : [],
      );
      const others = input
        .unknownMembers(part)
        .map((other) => there({ type: 'string', term: other.keyText! }, { type: 'part', part: other }));
      return [...elements, ...named, ...others];
    }
    if (value.type === 'known') {
      const all = value.value;
      if (isArray(all)) return all.map((one, i) => ({ guard: f.yes, key: known(i), value: known(one) }));
      if (isSet(all)) return [...all].map((one) => ({ guard: f.yes, key: known(one), value: known(one) }));
      if (isPlainObject(all))
        return Object.entries(all).map(([key, one]) => ({ guard: f.yes, key: known(key), value: known(one) }));
      return [];
    }
    if (value.type === 'set') return value.members.map(({ guard, value: one }) => ({ guard, key: one, value: one }));
    if (value.type === 'object') return value.members;
    if (value.type !== 'array') return [];
    if (value.members.some(({ guard }) => guard !== f.yes))
      throw new Unprovable('the elements of a list of unknown length');
    return value.members.map(({ guard, value: one }, i) => ({ guard, key: known(i), value: one }));
  }

  *#call(expr: CallExpr, bindings: Bindings): Generator<Solution> {
    const { args, operator } = expr;
    const name = functionName(operator) ?? '';
    if (name === 'eq' && args.length === 2) {
      yield* this.#unify(args[0]!, args[1]!, bindings);
      return;
    }
    if (name === 'internal.print' || name === 'print') {
      yield { guard: this.#s.formulas.yes, bindings };
      return;
    }
    const functionRules = this.#functionRules(operator.terms);
    const arity = functionRules?.[0]?.rule.head.args?.length ?? this.#compiled.builtins.get(name)?.args.length;
    if (arity === undefined) throw new Unprovable(`the function ${name} is not known`);
    const output = args.length > arity ? args.at(-1) : undefined;
    for (const operands of this.#operands(args.slice(0, arity), bindings)) {
      const results =
        functionRules === undefined
          ? this.#builtin(name, operands.values)
          : this.#applied(functionRules, operands.values);
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

  #builtin(name: string, operands: readonly SymbolicValue[]): readonly Guarded[] {
    const entriesOf = (value: SymbolicValue) => this.#entries(value);
    const formula = builtinTest(name, operands, this.#s, entriesOf);
    if (formula === undefined) return builtinResult(name, operands, this.#s, entriesOf);
    return [{ guard: this.#s.formulas.yes, value: { type: 'truth', formula } }];
  }

  #functionRules(terms: readonly Term[]): readonly CompiledRule[] | undefined {
    const [head, ...keys] = terms;
    if (head?.type !== 'var' || head.name !== 'data') return undefined;
    let node: RuleTree | undefined = this.#compiled.ruleTree;
    for (const key of keys) node = node?.children.get(keyOfTerm(key) ?? '');
    return node === undefined || node.rules.length === 0 ? undefined : node.rules;
  }

  #applied(rules: readonly CompiledRule[], operands: readonly SymbolicValue[]): readonly Guarded[] {
    const starts = new Map(
      rules.map((compiled) => {
        const links = [...elseChain(compiled.rule)].map((link) => [link, this.#parameters(link, operands)] as const);
        return [compiled, new Map(links)] as const;
      }),
    );
    return this.#single(rules, starts);
  }

  #parameters({ head }: Rule, operands: readonly SymbolicValue[]): readonly Solution[] {
    const { formulas: f } = this.#s;
    let solutions: readonly Solution[] = [{ guard: f.yes, bindings: new Map() }];
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
      yield { guard: comparing.isThere(value), bindings: new Map(bindings).set(pattern.name, value) };
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
    return value.members.length === length
      ? { guard: f.yes, values: value.members.map((member) => member.value) }
      : undefined;
  }

  *#values(term: Term, bindings: Bindings): Generator<Guarded> {
    for (const { guard, value } of this.#bound(term, bindings)) yield { guard, value };
  }

  /** The values of a term, which may bind variables: keys of references. */
  *#bound(term: Term, bindings: Bindings): Generator<BoundValue> {
    const { formulas: f, input } = this.#s;
    const ground = hasSet(term) ? undefined : groundValue(term);
    if (ground !== undefined) {
      yield { guard: f.yes, value: known(ground), bindings };
      return;
    }
    if (term.type === 'var') {
      const value = term.name === 'input' ? ({ type: 'part', part: input.root } as const) : bindings.get(term.name);
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
    const pairs: (Guarded & { readonly key: SymbolicValue })[] = [];
    for (const solution of this.#solutions(term.body, bindings)) {
      if (term.type === 'objectcomprehension') {
        for (const { guard, values } of this.#operands([term.key, term.value], solution.bindings))
          pairs.push({ guard: f.and(solution.guard, guard), key: values[0]!, value: values[1]! });
      } else
        for (const { guard, value } of this.#values(term.term, solution.bindings))
          members.push({ guard: f.and(solution.guard, guard), value });
    }
    if (term.type === 'objectcomprehension') return { type: 'object', members: pairs };
    return term.type === 'setcomprehension'
      ? { type: 'set', members: this.#merged(members) }
      : { type: 'array', members };
  }

  *#ref(terms: readonly Term[], bindings: Bindings): Generator<BoundValue> {
    const [head, ...keys] = terms;
    if (head!.type === 'var' && head!.name === 'data')
      yield* this.#ofData(this.#compiled.ruleTree, this.#data, keys, bindings);
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
  ): Generator<BoundValue> {
    const { formulas: f } = this.#s;
    if (node !== undefined && node.rules.length > 0) {
      const { kind, values } = this.#document(node);
      if (kind === 'single') {
        for (const { guard, value } of values)
          for (const one of this.#walk(value, keys, bindings)) yield { ...one, guard: f.and(guard, one.guard) };
        return;
      }
      const whole: SymbolicValue =
        kind === 'set' ? { type: 'set', members: values } : { type: 'object', members: values.map(pairOf) };
      yield* this.#walk(whole, keys, bindings);
      return;
    }
    if (node === undefined || node.children.size === 0) {
      if (data !== undefined) yield* this.#walk(known(data), keys, bindings);
      return;
    }
    const [key, ...rest] = keys;
    if (key === undefined || keyOfTerm(key) === undefined) throw new Unprovable('a package as a whole');
    const name = key.type === 'string' ? key.value : undefined;
    const inner = name !== undefined && isPlainObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
    yield* this.#ofData(node.children.get(keyOfTerm(key)!), inner, rest, bindings);
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

function pairOf({ guard, value }: Guarded): Guarded & { readonly key: SymbolicValue } {
  const [key, own] = (value as { readonly members: readonly Guarded[] }).members;
  return { guard, key: key!.value, value: own!.value };
}
