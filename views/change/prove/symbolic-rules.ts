/**
 * Rules over an unknown input: their documents, each value with the formula under which it is
 * theirs. It reads compiled rules, whose forms are few (`compiler/resolve/compiled.ts`).
 */

import type { Body, Compiled, RuleTree, Term, With } from '../../../compiler/index.js';
import { functionName, jsonOfTerm, keyOfString, nowhere, printTerm, stringKeys } from '../../../compiler/index.js';
import { baseAt } from '../../../runtime/index.js';
import { isPlainObject, type PlainObject, pathKey, type Value } from '../../../values/index.js';
import { Bindings, type BoundTerm } from './bindings.js';
import { Conflicts } from './conflicts.js';
import type { Formula } from './formulas.js';
import { type NestedDocument, nestedDocument } from './nested-documents.js';
import { keyedMember, RuleValues, tailOf } from './rule-values.js';
import { SymbolicBodies } from './symbolic-bodies.js';
import { type FunctionReplacement, type RulesSettings, SymbolicCalls } from './symbolic-calls.js';
import { SymbolicMembers } from './symbolic-members.js';
import { SymbolicTerms } from './symbolic-terms.js';
import { type Guarded, known, type Member, mergedValues, type SymbolicValue, textOf } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/** The rules at a path: values, members of a set, pairs, or lists of several keys with a member. */
export interface SymbolicDocument {
  readonly kind: 'single' | 'set' | 'object' | 'deep';
  readonly values: readonly Guarded[];
  /** The objects inside an object of several keys. */
  readonly nested?: (() => NestedDocument) | undefined;
  /** An evaluation that reads the document ends under it with a conflict. */
  readonly conflict: Formula;
}

/** Documents and functions in the place of others: `with`. */
interface Replaced {
  readonly input: SymbolicValue;
  /** Values by the keys of their paths (`pathKey`). */
  readonly documents: ReadonlyMap<string, SymbolicValue>;
  readonly functions: ReadonlyMap<string, FunctionReplacement>;
}

export class SymbolicRules {
  readonly #compiled: Compiled;
  readonly #data: PlainObject;
  readonly #settings: RulesSettings;
  readonly #replaced: Replaced;
  readonly #documents = new Map<RuleTree, SymbolicDocument>();
  readonly #underWith = new Map<string, SymbolicRules>();
  /** The state of one reading, which goes on in the rules under `with`. */
  readonly #shared: { readonly conflicts: Conflicts; readonly members: SymbolicMembers };
  readonly #conflicts: Conflicts;
  readonly #members: SymbolicMembers;
  readonly #terms: SymbolicTerms;
  readonly #calls: SymbolicCalls;
  readonly #bodies: SymbolicBodies;
  readonly #ruled: RuleValues;

  constructor(
    compiled: Compiled,
    data: PlainObject,
    settings: RulesSettings,
    replaced: Replaced = {
      input: { type: 'part', part: settings.input.root },
      documents: new Map(),
      functions: new Map(),
    },
    shared = { conflicts: new Conflicts(settings), members: new SymbolicMembers(settings) },
  ) {
    this.#compiled = compiled;
    this.#data = data;
    this.#settings = settings;
    this.#replaced = replaced;
    this.#shared = shared;
    const { conflicts, members } = shared;
    this.#conflicts = conflicts;
    this.#members = members;
    const terms = new SymbolicTerms(settings, members, conflicts, {
      input: replaced.input,
      document: (keys, bindings) => this.#below(keys, bindings),
      solutions: (body, bindings) => this.#bodies.solutions(body, bindings),
    });
    const calls = new SymbolicCalls(
      compiled,
      settings,
      { members, terms },
      replaced.functions,
      (rules, starts, reached) => this.#ruled.single(rules, starts, reached),
    );
    this.#bodies = new SymbolicBodies(settings, members, terms, {
      call: (expr, bindings) => calls.call(expr, bindings),
      under: (replacements, bindings) => this.#under(replacements, bindings),
    });
    this.#terms = terms;
    this.#calls = calls;
    this.#ruled = new RuleValues(settings, conflicts, terms, this.#bodies);
  }

  /** The document at a path. */
  at(path: readonly string[]): SymbolicDocument {
    let node: RuleTree | undefined = this.#compiled.ruleTree;
    for (const segment of path) node = node?.children.get(keyOfString(segment));
    if (node !== undefined && node.rules.length > 0 && node.children.size === 0) return this.#rulesAt(node, path);
    const { formulas: f } = this.#settings;
    const keys = path.map((value): Term => ({ type: 'string', value, loc: nowhere }));
    const { result, conflict } = this.#conflicts.within(() => [...this.#below(keys, Bindings.empty(f.yes))]);
    return { kind: 'single', values: mergedValues(result, f), conflict };
  }

  /** The formula under which a query's body has a solution. */
  holds(body: Body): Formula {
    const { formulas: f } = this.#settings;
    return f.or(...[...this.#bodies.solutions(body, Bindings.empty(f.yes))].map(({ guard }) => guard));
  }

  #rulesAt(node: RuleTree, path: readonly string[]): SymbolicDocument {
    let document = this.#documents.get(node);
    if (document === undefined) {
      const { result, conflict } = this.#conflicts.within(() => this.#ruleValues(node, path));
      document = { ...result, conflict };
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
        return { kind: 'set', values: rules.flatMap((rule) => this.#ruled.members(rule)) };
      return { kind: 'single', values: this.#ruled.single(rules, new Map(), this.#settings.formulas.yes) };
    }
    const isDeep = rules.some((rule) => rule.rule.head.value === undefined || tailOf(rule).length > 1);
    if (isDeep && node.children.size > 0) throw new Unprovable('rules of keys below a rule');
    const own = rules.flatMap((rule) => (isDeep ? this.#ruled.tuples(rule) : this.#ruled.pairs(rule)));
    const values = [...own, ...this.#childrenOf(node, path).map((member) => this.#pairOf(member))];
    if (!isDeep) this.#conflicts.addKeys(values.map(keyedMember), this.#settings.formulas.yes);
    if (!isDeep) return { kind: 'object', values };
    let whole: NestedDocument | undefined;
    return { kind: 'deep', values, nested: () => (whole ??= nestedDocument(values, this.#settings, this.#conflicts)) };
  }

  /** The members of a package, or of rules with constant keys. */
  #childrenOf(node: RuleTree, path: readonly string[]): readonly Member[] {
    const { formulas: f } = this.#settings;
    const members: Member[] = [];
    for (const child of node.children.values()) {
      if (child.hidden || child.rules[0]?.rule.head.args !== undefined) continue;
      const name = jsonOfTerm(child.key);
      if (typeof name !== 'string') throw new Unprovable('a constant key that is no text');
      const inner = [...path, name];
      for (const { guard, value } of this.#document(child, dataAt(this.#data, inner), [], Bindings.empty(f.yes), inner))
        members.push({ guard, key: known(name), value });
    }
    return members;
  }

  /** A package as a whole: its rules, and data beside them. */
  #package(node: RuleTree, data: Value | undefined, path: readonly string[]): SymbolicValue {
    const { formulas: f } = this.#settings;
    const named = new Set([...node.children.values()].map(({ key }) => jsonOfTerm(key)));
    const beside = isPlainObject(data) ? Object.entries(data).filter(([key]) => !named.has(key)) : [];
    const members = beside.map(([key, value]): Member => ({ guard: f.yes, key: known(key), value: known(value) }));
    return { type: 'object', members: [...members, ...this.#childrenOf(node, path)] };
  }

  *#document(
    node: RuleTree | undefined,
    data: Value | undefined,
    keys: readonly Term[],
    bindings: Bindings,
    path: readonly string[],
  ): Generator<BoundTerm> {
    const { formulas: f } = this.#settings;
    const replaced = this.#replaced.documents.get(pathKey(path));
    if (replaced !== undefined && path.length > 0) {
      yield* this.#terms.walk(replaced, keys, bindings, true);
      return;
    }
    if (node !== undefined && node.rules.length > 0) {
      const { kind, values, nested, conflict } = this.#rulesAt(node, path);
      this.#conflicts.add(f.and(bindings.reached, conflict));
      if (kind === 'single') {
        for (const { guard, value } of this.#members.once(values))
          for (const one of this.#terms.walk(value, keys, bindings)) yield { ...one, guard: f.and(guard, one.guard) };
        return;
      }
      const whole = wholeOf({ kind, values, nested });
      this.#conflicts.add(f.and(bindings.reached, whole.conflict ?? f.no));
      yield* this.#terms.walk(whole.value, keys, bindings);
      return;
    }
    const [key, ...rest] = keys;
    const name = key?.type === 'string' ? key.value : undefined;
    const isBelow = [...this.#replaced.documents.keys()].some((one) => one.startsWith(pathKey(path)));
    if (name === undefined && isBelow) throw new Unprovable('a document with a replaced part');
    if (node === undefined || node.children.size === 0) {
      if (name !== undefined && isBelow)
        yield* this.#document(undefined, memberOfData(data, name), rest, bindings, [...path, name]);
      else if (data !== undefined) yield* this.#terms.walk(known(data), keys, bindings, true);
      return;
    }
    if (name === undefined) yield* this.#terms.walk(this.#package(node, data, path), keys, bindings);
    else
      yield* this.#document(node.children.get(keyOfString(name)), memberOfData(data, name), rest, bindings, [
        ...path,
        name,
      ]);
  }

  /** The rules with replaced documents, where the values of these are there. */
  *#under(
    replacements: readonly With[],
    bindings: Bindings,
  ): Generator<{ readonly guard: Formula; readonly bodies: SymbolicBodies }> {
    const functions = new Map(this.#replaced.functions);
    const constants: { readonly name: string; readonly value: Term }[] = [];
    const documents: { readonly path: readonly string[]; readonly root: string; readonly value: Term }[] = [];
    for (const { target, value } of replacements) {
      const [head, ...keys] = target.type === 'ref' ? target.terms : [target];
      const root = head?.type === 'var' ? head.name : '';
      const name = target.type === 'ref' ? functionName(target) : root;
      if (name !== undefined && (this.#compiled.builtins.get(name) !== undefined || this.#calls.isFunction(target))) {
        if (this.#calls.isCallable(value)) functions.set(name, value);
        else constants.push({ name, value });
        continue;
      }
      const path = stringKeys(keys);
      if ((root !== 'input' && root !== 'data') || path === undefined || (root === 'data' && path.length === 0))
        throw new Unprovable('a replaced document of this kind');
      documents.push({ path, root, value });
    }
    for (const { guard, values } of this.#terms.operands(
      [...documents, ...constants].map(({ value }) => value),
      bindings,
    )) {
      for (const [i, { name }] of constants.entries()) functions.set(name, { constant: values[documents.length + i]! });
      let { input } = this.#replaced;
      const replaced = new Map(this.#replaced.documents);
      for (const [i, { path, root }] of documents.entries()) {
        if (root === 'data') replaced.set(pathKey(path), values[i]!);
        else input = this.#members.overlaid(input, path, values[i]!);
      }
      const key = [input, ...replaced.values()].map(textOf).join('\n') + [...replaced.keys()].join('\n');
      const named = [...functions].map(
        ([name, by]) => `${name}=${'constant' in by ? textOf(by.constant) : printTerm(by)}`,
      );
      let rules = this.#underWith.get(key + named.join('\n'));
      if (rules === undefined) {
        const own = { input, documents: replaced, functions: new Map(functions) };
        rules = new SymbolicRules(this.#compiled, this.#data, this.#settings, own, this.#shared);
        this.#underWith.set(key + named.join('\n'), rules);
      }
      yield { guard, bodies: rules.#bodies };
    }
  }

  #pairOf({ guard, key, value }: Member): Guarded {
    const { yes } = this.#settings.formulas;
    return { guard, value: { type: 'array', members: [key, value].map((one) => ({ guard: yes, value: one })) } };
  }

  /** The values at a path below `data`. */
  #below(keys: readonly Term[], bindings: Bindings): Iterable<BoundTerm> {
    return this.#document(this.#compiled.ruleTree, this.#data, keys, bindings, []);
  }
}

/** A set or an object of rules as one value, and the conflict that reading it may meet. */
export function wholeOf({ kind, values, nested }: Omit<SymbolicDocument, 'conflict'>): Partial<NestedDocument> & {
  readonly value: SymbolicValue;
} {
  if (nested !== undefined) return nested();
  return {
    value: kind === 'set' ? { type: 'set', members: values } : { type: 'object', members: values.map(keyedMember) },
  };
}

function memberOfData(data: Value | undefined, name: string): Value | undefined {
  return data === undefined ? undefined : baseAt(data, name);
}

function dataAt(data: Value | undefined, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>(memberOfData, data);
}
