/** Virtual documents → functions. */

import type { Block, Func, Operand } from '../../../ir-schema/plan.js';
import { varTerm } from '../../ast/make.js';
import { isLiteral } from '../../ast/names.js';
import type { Rule, Term } from '../../ast/nodes.js';
import { printTerm } from '../../ast/print.js';
import { varsOf } from '../../ast/vars.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { ruleKind } from '../../resolve/compiled-rule.js';
import { headKeys } from '../../resolve/head-keys.js';
import { elseChain } from '../../resolve/links.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import { inIndexOrder } from '../../rule-index/order.js';
import { nowhere, type Span } from '../../source/location.js';
import { dataLocal, falseOperand, func, local, trueOperand } from '../emit/emit.js';
import { planRoot, visibleChildren } from '../expressions/places.js';
import type { FunctionPlanner } from '../function-planner.js';
import type { Callee } from '../planning.js';

/** The function that answers a document's value. */
export function planDocument(p: FunctionPlanner, document: VirtualDocument, callee: Callee): Func {
  const result = p.e.newLocal();
  const blocks = blocksOf(p, document, result);
  const span = document.rules[0]?.rule.loc ?? nowhere;
  const leave = p.e.block(() => p.e.emit('ReturnLocalStmt', span, { source: result }));
  // A package is called by its name only: a dynamic call must not take it for a rule.
  const path = document.kind === 'package' ? undefined : callee.path;
  return func(callee.name, path, p.params, result, [...blocks, leave]);
}

/**
 * The function that returns a set's or an object's value at the keys given as arguments: rules for
 * other keys are skipped.
 */
export function planKeys(p: FunctionPlanner, document: VirtualDocument, name: string): Func {
  const { e } = p;
  const [first] = p.args as readonly [number];
  const result = e.newLocal();
  const span = document.rules[0]!.rule.loc;
  const leave = () => e.emit('ReturnLocalStmt', span, { source: result });
  if (document.kind === 'set')
    return func(name, undefined, p.params, result, [...planMembership(p, document, first, result), e.block(leave)]);
  const object = e.newLocal();
  const blocks = planObject(p, document, object, p.args);
  const found = e.block(() => {
    p.args.reduce((source, key, i) => {
      const target = i === p.args.length - 1 ? result : e.newLocal();
      e.emit('DotStmt', span, { source: local(source), key: local(key), target });
      return target;
    }, object);
  });
  return func(name, undefined, p.params, result, [...blocks, found, e.block(leave)]);
}

/** Answers a key if it is a member. */
function planMembership(p: FunctionPlanner, document: VirtualDocument, key: number, result: number): readonly Block[] {
  const { e } = p;
  return inIndexOrder(p, document.rules).map(({ rule: { head, body, loc } }) =>
    e.block(() => {
      e.emit('IsUndefinedStmt', loc, { source: result });
      p.match(head.key!, local(key), loc);
      p.ruleBody(body, keyVariables(head.key!));
      e.emit('AssignVarStmt', loc, { source: local(key), target: result });
      if (e.loops > 0) e.emit('BreakStmt', loc, { index: e.loops });
    }),
  );
}

/**
 * The variables that have a value before the body is looked at, since they make the key that is
 * asked for.
 */
function keyVariables(key: Term): readonly Term[] {
  return [...varsOf(key)].map((name) => varTerm(key.loc, name));
}

function blocksOf(p: FunctionPlanner, document: VirtualDocument, result: number): readonly Block[] {
  switch (document.kind) {
    case 'package':
      return planPackage(p, document, result);
    case 'set':
      return planSet(p, document, result);
    case 'object':
      return planObject(p, document, result);
    case 'complete':
    case 'function':
      return planValues(p, document, result);
  }
}

/** Rules with one value: each sets it, all to the same; the default where none does. */
function planValues(p: FunctionPlanner, document: VirtualDocument, result: number): readonly Block[] {
  const { e } = p;
  const rules = inIndexOrder(
    p,
    document.rules.filter(({ rule }) => !rule.default),
  ).map(({ rule }) => rule);
  const settled = new Settled(p, rules, result);
  // One local for the values of all chains in turn: a frame has one register for it, however many
  // there are.
  const value = e.newLocal();
  const blocks = rules.flatMap((rule) => {
    const own = rule.else === undefined ? [planLink(p, rule, rule, result, settled)] : planChain(p, rule, value, result, settled);
    settled.end(rule);
    return own;
  });
  const fallback = document.rules.find(({ rule }) => rule.default)?.rule;
  if (fallback === undefined) return blocks;
  const block = e.block(() => {
    e.emit('IsUndefinedStmt', fallback.loc, { source: result });
    bindArguments(p, fallback, true);
    p.body(fallback.body);
    e.emit('AssignVarOnceStmt', fallback.loc, { source: p.term(fallback.head.value!), target: result });
  });
  return [...blocks, block];
}

/** A rule and its `else` chain: the first that is true gives the value. */
function planChain(p: FunctionPlanner, first: Rule, value: number, result: number, settled: Settled): Block[] {
  const { e } = p;
  const blocks = [...elseChain(first)].map((link) => planLink(p, link, first, value, settled));
  const keep = e.block(() => {
    e.emit('IsDefinedStmt', first.loc, { source: value });
    e.emit('AssignVarOnceStmt', first.loc, { source: local(value), target: result });
  });
  return [...blocks, keep];
}

/** A rule, or one of its `else` branches, which `first` begins: assigns its value to a local. */
function planLink(p: FunctionPlanner, rule: Rule, first: Rule, target: number, settled: Settled): Block {
  const { e } = p;
  const { head, body, loc } = rule;
  return e.block(() => {
    if (rule !== first) e.emit('IsUndefinedStmt', loc, { source: target });
    else if (first.else !== undefined) e.emit('ResetLocalStmt', loc, { target });
    settled.start(first);
    bindArguments(p, first, false);
    p.ruleBody(body, first.head.args ?? [], () => settled.check(first));
    const source = p.term(head.value!);
    const isConstant = isLiteral(head.value!);
    // With a constant for a source, the machine would end loops early by itself.
    e.emit('AssignVarOnceStmt', loc, { source: isConstant && !p.functions.earlyExit ? local(e.asLocal(source, loc)) : source, target });
    if (isConstant && p.functions.earlyExit && e.loops > 0) e.emit('BreakStmt', loc, { index: e.loops });
  });
}

/** Rules that need no evaluation, since they could only repeat the value of earlier ones. */
class Settled {
  readonly #p: FunctionPlanner;
  readonly #result: number;
  /** By rule: the one constant that it and its `else` branches have for a value, as text. */
  readonly #constants: ReadonlyMap<Rule, string | undefined>;
  /** Whether all rules have the same one. */
  readonly #isOne: boolean;
  readonly #before = new Set<string>();

  constructor(p: FunctionPlanner, rules: readonly Rule[], result: number) {
    this.#p = p;
    this.#result = result;
    this.#constants = new Map(rules.map((rule) => [rule, p.functions.earlyExit ? constantOf(rule) : undefined]));
    this.#isOne = new Set(this.#constants.values()).size === 1;
  }

  /**
   * At the start of a rule's block: leaves it where the rules before have the one value that there
   * is.
   */
  start(rule: Rule): void {
    const constant = this.#constants.get(rule);
    if (this.#isOne && constant !== undefined && this.#before.size > 0)
      this.#p.e.emit('IsUndefinedStmt', rule.loc, { source: this.#result });
  }

  /**
   * After the guards: leaves it where a rule before has had the same
   * value.
   */
  check(rule: Rule): void {
    const { e } = this.#p;
    const constant = this.#constants.get(rule);
    if (!this.#isOne && constant !== undefined && this.#before.has(constant))
      e.unless(rule.loc, () => e.emit('EqualStmt', rule.loc, { a: local(this.#result), b: this.#p.term(rule.head.value!) }));
  }

  /** Behind a rule and its `else` branches. */
  end(rule: Rule): void {
    const constant = this.#constants.get(rule);
    if (constant !== undefined) this.#before.add(constant);
  }
}

function constantOf(first: Rule): string | undefined {
  let constant: string | undefined;
  for (const { head } of elseChain(first)) {
    const text = isLiteral(head.value!) ? printTerm(head.value!) : undefined;
    if (text === undefined || (constant !== undefined && text !== constant)) return undefined;
    constant = text;
  }
  return constant;
}

/** Matches the arguments with the head's terms. A default takes any. */
function bindArguments(p: FunctionPlanner, { head }: Rule, any: boolean): void {
  const args = head.args ?? [];
  // Variables first: a pattern may name one of them.
  const order = [...args.keys()].sort((a, b) => Number(args[a]!.type !== 'var') - Number(args[b]!.type !== 'var'));
  for (const i of order) {
    const term = args[i]!;
    if (!any || term.type === 'var') p.match(term, local(p.args[i]!), term.loc);
  }
}

function planSet(p: FunctionPlanner, document: VirtualDocument, result: number): readonly Block[] {
  const { e } = p;
  const make = e.block(() => e.emit('MakeSetStmt', document.rules[0]!.rule.loc, { target: result }));
  const blocks = inIndexOrder(p, document.rules).map(({ rule }) =>
    e.block(() => {
      p.ruleBody(rule.body, []);
      e.emit('SetAddStmt', rule.loc, { set: result, value: p.term(rule.head.key!) });
    }),
  );
  return [make, ...blocks];
}

/**
 * An object under construction. `values` is the result so far. `shape` has the parts that may grow,
 * where rules of several depths or kinds meet: it has an object for each object that is no rule's
 * value, and `true` for each set.
 */
interface Construction {
  readonly values: number;
  readonly shape: number | undefined;
}

/**
 * Rules whose refs go on below the document: each solution puts a value, or a member of a set, into
 * the object that all of them make.
 * @param wanted the keys that are asked for, each below the one before; none for all
 */
function planObject(p: FunctionPlanner, document: VirtualDocument, result: number, wanted: readonly number[] = []): readonly Block[] {
  const { e } = p;
  const span = document.rules[0]!.rule.loc;
  const depth = document.path.length + 1;
  // Values come before rules that insert below them or that are no values, so that these find them;
  // defaults come last, for paths without a value.
  const rules = [...inIndexOrder(p, document.rules)].sort(
    (a, b) => defaultness(a) - defaultness(b) || a.ref.length - b.ref.length || multiness(a) - multiness(b),
  );
  const [first] = rules;
  const mixed = rules.some((rule) => rule.ref.length !== first!.ref.length || multiness(rule) !== multiness(first!));
  const construction: Construction = { values: result, shape: mixed ? e.newLocal() : undefined };
  const make = e.block(() => {
    e.emit('MakeObjectStmt', span, { target: result });
    if (construction.shape !== undefined) e.emit('MakeObjectStmt', span, { target: construction.shape });
  });
  return [make, ...rules.flatMap((compiled) => planMember(p, compiled, depth, construction, wanted))];
}

function defaultness({ rule }: CompiledRule): number {
  return Number(rule.default);
}

function multiness({ rule }: CompiledRule): number {
  return Number(ruleKind(rule.head) === 'multi');
}

function planMember(
  p: FunctionPlanner,
  { module, rule }: CompiledRule,
  depth: number,
  construction: Construction,
  wanted: readonly number[],
): Block[] {
  const { e } = p;
  // The head's own terms have the names that the body's variables were given.
  const keys = headKeys(module, rule.head, depth - 1);
  const asked = keys.slice(0, wanted.length);
  const known = asked.flatMap(keyVariables);
  const ask = (span: Span): void => {
    for (const [i, key] of asked.entries()) p.match(key, local(wanted[i]!), span);
  };
  if (rule.default) return [planDefaultMember(p, rule, keys, construction, ask)];
  const found = e.newLocal();
  const blocks: Block[] = [];
  for (let link: Rule | undefined = rule; link !== undefined; link = link.else) {
    const { body, head, loc } = link;
    const isFirst = link === rule;
    blocks.push(
      e.block(() => {
        if (isFirst && rule.else !== undefined) e.emit('ResetLocalStmt', loc, { target: found });
        if (!isFirst) e.emit('IsUndefinedStmt', loc, { source: found });
        ask(loc);
        p.ruleBody(body, known);
        if (rule.else !== undefined) e.emit('AssignVarStmt', loc, { source: trueOperand, target: found });
        // A set where the others make an object.
        if (keys.length === 0) planClash(p, construction.values, e.string(''), loc);
        else if (ruleKind(head) === 'multi') {
          const value = p.term(head.key!);
          planInside(p, construction, keys, 'MakeSetStmt', loc, (set) => e.emit('SetAddStmt', loc, { set, value }));
        } else {
          const value = p.term(head.value!);
          const key = p.term(keys.at(-1)!);
          planInside(p, construction, keys.slice(0, -1), 'MakeObjectStmt', loc, (object) =>
            e.emit('ObjectInsertOnceStmt', loc, { object, key, value }),
          );
        }
      }),
    );
  }
  return blocks;
}

/** The default of a path inside of the object, where nothing is there yet. */
function planDefaultMember(
  p: FunctionPlanner,
  rule: Rule,
  keys: readonly Term[],
  construction: Construction,
  ask: (span: Span) => void,
): Block {
  const { e } = p;
  const { loc } = rule;
  return e.block(() => {
    ask(loc);
    p.body(rule.body);
    const key = p.term(keys.at(-1)!);
    const value = p.term(rule.head.value!);
    planInside(p, construction, keys.slice(0, -1), 'MakeObjectStmt', loc, (object) => {
      const known = e.block(() => e.emit('DotStmt', loc, { source: local(object), key, target: e.newLocal() }));
      e.emit('NotStmt', loc, { block: known });
      e.emit('ObjectInsertStmt', loc, { object, key, value });
    });
  });
}

/**
 * Has `fill` change the object or set that lies at a path inside of an object under construction,
 * made if it is missing. The changed value is inserted into its parent again, since engines may
 * copy inserted values. A rule's value on the way is a conflict.
 */
function planInside(
  p: FunctionPlanner,
  { values, shape }: Construction,
  [term, ...rest]: readonly Term[],
  last: 'MakeObjectStmt' | 'MakeSetStmt',
  span: Span,
  fill: (container: number) => void,
): void {
  const { e } = p;
  if (term === undefined) return fill(values);
  const key = p.term(term);
  const make = rest.length === 0 ? last : 'MakeObjectStmt';
  const inner = { values: e.newLocal(), shape: shape === undefined ? undefined : e.newLocal() };
  e.firstOf(span, [
    () => {
      if (shape !== undefined) planShape(p, shape, key, inner.shape!, make, span);
      e.emit('DotStmt', span, { source: local(values), key, target: inner.values });
    },
    () => {
      if (shape !== undefined) {
        planConflict(p, values, key, span);
        if (make === 'MakeObjectStmt') e.emit('MakeObjectStmt', span, { target: inner.shape! });
        else e.emit('AssignVarStmt', span, { source: trueOperand, target: inner.shape! });
      }
      e.emit(make, span, { target: inner.values });
    },
  ]);
  planInside(p, inner, rest, last, span, fill);
  e.emit('ObjectInsertStmt', span, { object: values, key, value: local(inner.values) });
  if (shape !== undefined) e.emit('ObjectInsertStmt', span, { object: shape, key, value: local(inner.shape!) });
}

/** Looks up the part that may grow at a key; undefined if it is of another kind. */
function planShape(
  p: FunctionPlanner,
  shape: number,
  key: Operand,
  target: number,
  kind: 'MakeObjectStmt' | 'MakeSetStmt',
  span: Span,
): void {
  const { e } = p;
  e.emit('DotStmt', span, { source: local(shape), key, target });
  if (kind === 'MakeObjectStmt') e.emit('IsObjectStmt', span, { source: local(target) });
  else e.emit('EqualStmt', span, { a: local(target), b: trueOperand });
}

/** Fails with the conflict of object keys where a key is there already. */
function planConflict(p: FunctionPlanner, object: number, key: Operand, span: Span): void {
  const { e } = p;
  const block = e.block(() => {
    e.emit('DotStmt', span, { source: local(object), key, target: e.newLocal() });
    planClash(p, object, key, span);
  });
  e.emit('BlockStmt', span, { blocks: [block] });
}

/** Fails with the conflict of object keys: no value is both true and false. */
function planClash({ e }: FunctionPlanner, object: number, key: Operand, span: Span): void {
  e.emit('ObjectInsertOnceStmt', span, { object, key, value: trueOperand });
  e.emit('ObjectInsertOnceStmt', span, { object, key, value: falseOperand });
}

/** A package: the values of its rules and of the packages below, merged with base documents. */
function planPackage(p: FunctionPlanner, document: VirtualDocument, result: number): readonly Block[] {
  const { e } = p;
  const rules = e.newLocal();
  const make = e.block(() => e.emit('MakeObjectStmt', nowhere, { target: rules }));
  const members = visibleChildren(p, document).map(([name, child]) =>
    e.block(() => {
      const callee = p.functions.callee(child, p.environment);
      const value = e.newLocal();
      const args = [local(0), local(1), ...callee.environment.parameters.map(({ id }) => p.replacementValues.get(id)!)];
      e.emit('CallStmt', nowhere, { func: callee.name, args, result: value });
      e.emit('ObjectInsertStmt', nowhere, { object: rules, key: e.string(name), value: local(value) });
    }),
  );
  const merge = e.block(() => {
    let base = document.path.length === 0 ? planRoot(p, nowhere) : local(dataLocal);
    for (const key of document.path) {
      const target = e.newLocal();
      e.emit('DotStmt', nowhere, { source: base, key: e.string(key), target });
      base = local(target);
    }
    e.emit('ObjectMergeStmt', nowhere, { a: e.asLocal(base, nowhere), b: rules, target: result });
  });
  const alone = e.block(() => {
    e.emit('IsUndefinedStmt', nowhere, { source: result });
    e.emit('AssignVarStmt', nowhere, { source: local(rules), target: result });
  });
  return [make, ...members, merge, alone];
}
