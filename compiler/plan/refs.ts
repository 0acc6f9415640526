/** Refs → operands: input, local variables, and data, where rules and base documents meet. */
import type { Operand } from '../../ir-schema/plan.js';
import type { RefTerm, Term } from '../ast/nodes.js';
import type { Span } from '../source/location.js';
import { dataLocal, inputLocal, local } from './emit.js';
import type { Environment } from './environment.js';
import { leadingArguments, type Planning } from './planning.js';
import { isBound } from './unify.js';
import type { Unit } from './units.js';

export function planRef(p: Planning, ref: RefTerm): Operand {
  const [head] = ref.terms;
  if (head === undefined) throw new Error('a ref without terms');
  if (head.type !== 'var') return planAccess(p, p.term(head), ref.terms, 1, ref.loc);
  if (head.name === 'data') return planData(p, ref);
  if (head.name !== 'input') return planAccess(p, p.term(head), ref.terms, 1, ref.loc);
  // There may be no input at all, which a look-up in it would notice.
  if (ref.terms.length === 1) p.e.emit('IsDefinedStmt', ref.loc, { source: inputLocal });
  return planAccess(p, local(inputLocal), ref.terms, 1, ref.loc);
}

/** What terms from `from` on find in a value. A variable without a value runs over keys, indexes or members. */
function planAccess(p: Planning, start: Operand, terms: readonly Term[], from: number, span: Span): Operand {
  const { e } = p;
  let source = start;
  for (let i = from; i < terms.length; i++) {
    const term = terms[i]!;
    if (isBound(p, term)) {
      const target = e.newLocal();
      const key = p.term(term);
      e.emit('DotStmt', span, { source, key, target });
      source = local(target);
    } else {
      const { key, value } = e.scan(e.asLocal(source, span), span);
      p.match(term, local(key), span);
      source = local(value);
    }
  }
  return source;
}

/** How far a walk along a ref into data has come. */
interface Place {
  /** What answers here; undefined where no rule does, nor any below. */
  readonly unit: Unit | undefined;
  /** The keys that led here. */
  readonly keys: readonly Operand[];
  /** The next term of the ref. */
  readonly next: number;
}

function planData(p: Planning, { terms, loc }: RefTerm): Operand {
  const start: Place = { unit: p.functions.units.root, keys: [], next: 1 };
  // As far as all terms have values, the value is found without a loop.
  const end = boundUpTo(p, terms, 1);
  const open = end < terms.length ? openPackage(p, start, terms, end) : undefined;
  if (open !== undefined) return planEnumeration(p, open, terms, loc);
  const { value, next } = planPlain(p, start, terms, end, loc);
  return planAccess(p, value, terms, next, loc);
}

/** The position of the first term from `from` on that has no value yet. */
function boundUpTo(p: Planning, terms: readonly Term[], from: number): number {
  let end = from;
  while (end < terms.length && isBound(p, terms[end]!)) end++;
  return end;
}

/** The package that constant keys before `end` (a term without a value) lead to, if rules are below it: its children are to be run over. */
function openPackage(p: Planning, place: Place, terms: readonly Term[], end: number): Place | undefined {
  let unit = place.unit;
  const keys = [...place.keys];
  for (let i = place.next; i < end; i++) {
    const term = terms[i]!;
    if (unit?.kind !== 'package' || term.type !== 'string') return undefined;
    unit = visibleChild(p, unit, term.value);
    keys.push(p.e.string(term.value));
  }
  if (unit?.kind !== 'package' || p.functions.units.children(unit).length === 0) return undefined;
  return { unit, keys, next: end };
}

/** The child of a package that rules answer, unless a `with` has replaced it. */
function visibleChild(p: Planning, unit: Unit, key: string): Unit | undefined {
  const child = p.functions.units.child(unit, key);
  return child === undefined || p.environment.isShadowed(child.path) ? undefined : child;
}

/** Children that have a value of their own: functions have none, and `data.system` does not show. */
export function visibleChildren(p: Planning, unit: Unit): readonly (readonly [string, Unit])[] {
  return p.functions.units
    .children(unit)
    .filter(([, child]) => child.kind !== 'function' && !child.node.hidden && !p.environment.isShadowed(child.path));
}

/** The value where all terms before `end` have values; `next` is the first term that is not yet looked up. */
function planPlain(p: Planning, start: Place, terms: readonly Term[], end: number, span: Span): { value: Operand; next: number } {
  let { unit } = start;
  const keys = [...start.keys];
  for (let i = start.next; i < end; i++) {
    if (unit === undefined) return { value: planBase(p, [...keys, ...planKeys(p, terms, i, end)], span), next: end };
    if (unit.kind !== 'package') return { value: planCall(p, unit, span), next: i };
    const term = terms[i]!;
    if (term.type === 'string') {
      unit = visibleChild(p, unit, term.value);
      keys.push(p.e.string(term.value));
    } else if (term.type === 'var' || term.type === 'ref') return planDispatch(p, { unit, keys, next: i }, terms, end, span);
    else {
      // Packages have names, so no other key finds a rule.
      return { value: planBase(p, [...keys, ...planKeys(p, terms, i, end)], span), next: end };
    }
  }
  if (unit === undefined) return { value: planBase(p, keys, span), next: end };
  return { value: planCall(p, unit, span), next: end };
}

function planKeys(p: Planning, terms: readonly Term[], from: number, to: number): Operand[] {
  return terms.slice(from, to).map((term) => p.term(term));
}

/** What base documents have at a path. */
function planBase(p: Planning, keys: readonly Operand[], span: Span): Operand {
  const { e } = p;
  let source = local(dataLocal);
  for (const key of keys) {
    const target = e.newLocal();
    const number = p.numberKey(key);
    if (number === undefined) e.emit('DotStmt', span, { source, key, target });
    else {
      // In base documents, and there only, a number also finds the key that is its text.
      const from = source;
      e.firstOf(span, [
        () => e.emit('DotStmt', span, { source: from, key, target }),
        () => e.emit('DotStmt', span, { source: from, key: e.string(number), target }),
      ]);
    }
    source = local(target);
  }
  return source;
}

/** The value of a rule, or of a whole package. */
function planCall(p: Planning, unit: Unit, span: Span): Operand {
  const { name, environment } = p.functions.callee(unit, p.environment);
  if (unit.kind === 'function') throw new Error(`function data.${unit.path.join('.')} is no value`);
  const result = p.e.newLocal();
  p.e.emit('CallStmt', span, { func: name, args: leadingArguments(p, environment), result });
  return local(result);
}

/**
 * A key that is known only when the ref is evaluated picks among the children of a package. Where it can only pick rules, all at one depth, a
 * dynamic call finds the right one; else children are compared one by one. Base documents answer where no rule does.
 */
function planDispatch(p: Planning, place: Place, terms: readonly Term[], end: number, span: Span): { value: Operand; next: number } {
  const { e } = p;
  const depth = dynamicDepth(p, place.unit!, terms, place.next, end);
  const result = e.newLocal();
  const set = (source: Operand) => e.emit('AssignVarStmt', span, { source, target: result });
  if (depth !== undefined) {
    const keys = [...place.keys, ...planKeys(p, terms, place.next, depth.next)];
    e.firstOf(span, [
      () => {
        const called = e.newLocal();
        const args = leadingArguments(p, depth.callee.environment).map((operand) => e.asLocal(operand, span));
        e.emit('CallDynamicStmt', span, { path: [e.string(depth.callee.path[0]!), ...keys], args, result: called });
        set(local(called));
      },
      () => set(planBase(p, keys, span)),
    ]);
    return { value: local(result), next: depth.next };
  }
  const key = p.term(terms[place.next]!);
  const alternatives = visibleChildren(p, place.unit!).map(([name, child]) => () => {
    e.emit('EqualStmt', span, { a: key, b: e.string(name) });
    const below: Place = { unit: child, keys: [...place.keys, e.string(name)], next: place.next + 1 };
    const found = planPlain(p, below, terms, end, span);
    set(planAccess(p, found.value, terms.slice(0, end), found.next, span));
  });
  const base = () => set(planBase(p, [...place.keys, key, ...planKeys(p, terms, place.next + 1, end)], span));
  e.firstOf(span, [...alternatives, base]);
  return { value: local(result), next: end };
}

interface DynamicDepth {
  readonly next: number;
  readonly callee: { readonly environment: Environment; readonly path: readonly string[] };
}

/** Where all the units that a path with unknown keys can lead to are rules: how many terms lead there, and how they are called. */
function dynamicDepth(p: Planning, unit: Unit, terms: readonly Term[], from: number, end: number): DynamicDepth | undefined {
  let level: readonly Unit[] = [unit];
  for (let i = from; i < end; i++) {
    const term = terms[i]!;
    if (term.type !== 'string' && term.type !== 'var' && term.type !== 'ref') return undefined;
    const next: Unit[] = [];
    for (const one of level) {
      if (term.type !== 'string') for (const [, child] of visibleChildren(p, one)) next.push(child);
      else {
        const child = visibleChild(p, one, term.value);
        if (child !== undefined && child.kind !== 'function') next.push(child);
      }
    }
    if (next.length === 0) return undefined;
    const rules = next.filter(({ kind }) => kind !== 'package');
    if (rules.length === next.length) return commonCallee(p, rules, i + 1);
    if (rules.length > 0) return undefined;
    level = next;
  }
  return undefined;
}

/** All rules must be callable in the same way. */
function commonCallee(p: Planning, rules: readonly Unit[], next: number): DynamicDepth | undefined {
  const callees = rules.map((rule) => p.functions.callee(rule, p.environment));
  const [first] = callees;
  if (
    first === undefined ||
    !callees.every(({ path, environment }) => path[0] === first.path[0] && environment.key === first.environment.key)
  )
    return undefined;
  return { next, callee: first };
}

/**
 * Runs over the children of a package, rules' and base documents', for a variable without a value. What the terms after it find in each is gathered first: an
 * undefined child is left out, and no more of a child is evaluated than the ref asks for.
 */
function planEnumeration(p: Planning, place: Place, terms: readonly Term[], span: Span): Operand {
  const { e } = p;
  const at = place.next;
  const end = boundUpTo(p, terms, at + 1);
  const children = visibleChildren(p, place.unit!);
  const found = e.newLocal();
  e.emit('MakeObjectStmt', span, { target: found });
  const blocks = children.map(([name, child]) =>
    e.block(() => {
      const key = e.string(name);
      const { value, next } = planPlain(p, { unit: child, keys: [...place.keys, key], next: at + 1 }, terms, end, span);
      e.emit('ObjectInsertStmt', span, { object: found, key, value: planAccess(p, value, terms.slice(0, end), next, span) });
    }),
  );
  const base = e.block(() => {
    const names = e.newLocal();
    e.emit('MakeSetStmt', span, { target: names });
    for (const [name] of children) e.emit('SetAddStmt', span, { set: names, value: e.string(name) });
    const { key, value } = e.scan(e.asLocal(planBase(p, place.keys, span), span), span);
    const known = e.block(() => e.emit('DotStmt', span, { source: local(names), key: local(key), target: e.newLocal() }));
    e.emit('NotStmt', span, { block: known });
    const inside = planAccess(p, local(value), terms.slice(0, end), at + 1, span);
    e.emit('ObjectInsertStmt', span, { object: found, key: local(key), value: inside });
  });
  e.emit('BlockStmt', span, { blocks: [...blocks, base] });
  const { key, value } = e.scan(found, span);
  p.match(terms[at]!, local(key), span);
  return planAccess(p, local(value), terms, end, span);
}
