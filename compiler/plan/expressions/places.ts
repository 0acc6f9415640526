/**
 * Values at paths of data whose terms are all bound, from rules and base documents.
 */

import { indexOfText, type Operand } from '../../../ir-schema/index.js';
import { refPrefix } from '../../ast/make.js';
import { documentText, isScalar } from '../../ast/names.js';
import type { Ref, Term } from '../../ast/nodes.js';
import { narrowedDocument } from '../../resolve/narrowed.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import type { Span } from '../../source/location.js';
import { dataLocal, local } from '../emit/emit.js';
import { noteRefPart } from '../emit/replaced.js';
import { type Callee, leadingArguments, type Planning } from '../planning.js';
import { isBoundIn } from './plan-unification.js';

/**
 * The value at the terms from `from` on, in a value. An unbound variable iterates over keys,
 * indexes or members.
 */
export function planAccess(p: Planning, start: Operand, terms: Ref, from: number, span: Span): Operand {
  const { e } = p;
  let source = start;
  let part = e.emitted;
  let at = from;
  for (const term of terms.slice(from)) {
    at++;
    const isBase = e.isBase(source);
    if (isBoundIn(p, term)) {
      const target = e.newLocal();
      const key = p.term(term);
      if (isBase) planBaseKey(p, source, key, target, span);
      else e.emit('DotStmt', span, { source, key, target });
      source = local(target);
    } else {
      const { key, value } = e.scan(e.asLocal(source, span), span);
      p.match(term, local(key), span);
      if (isBase && hasTextKeys(p, terms.slice(at))) {
        const target = e.newLocal();
        e.find(source, local(key), target, span);
        source = local(target);
      } else source = local(value);
    }
    part = noteRefPart(p, terms, at, source, part);
  }
  return source;
}

/**
 * Plans the access to a value that rules or base documents have: a part that is not in it is looked
 * up in base documents again, by the whole path, since their keys are texts.
 */
export function planMixedAccess(p: Planning, { value, next, path }: Plain, terms: Ref, span: Span): Operand {
  if (path === undefined || !hasTextKeys(p, terms.slice(next))) return planAccess(p, value, terms, next, span);
  const { e } = p;
  const keys = [...path];
  let source = value;
  for (const term of terms.slice(next)) {
    if (!isBoundIn(p, term)) {
      const { key, value: element } = e.scan(e.asLocal(source, span), span);
      p.match(term, local(key), span);
      keys.push(local(key));
      source = local(element);
      continue;
    }
    const [from, key, target] = [source, p.term(term), e.newLocal()];
    keys.push(key);
    const set = (found: Operand) => e.emit('AssignVarStmt', span, { source: found, target });
    const inValue = () => {
      const found = e.newLocal();
      e.emit('DotStmt', span, { source: from, key, target: found });
      set(local(found));
    };
    const all = [...keys];
    e.firstOf(span, [inValue, () => set(planBase(p, all, span))]);
    source = local(target);
  }
  return source;
}

/** Whether a key among the terms may find something else in base documents than in a value. */
export function hasTextKeys(p: Planning, terms: readonly Term[]): boolean {
  return terms.some((term) => (term.type === 'string' ? indexOfText(term.value) !== undefined : isBoundIn(p, term)));
}

/** How far a walk along a ref into data has come. */
export interface DataPlace {
  /** The document here; undefined if there are no rules here or below. */
  readonly document: VirtualDocument | undefined;
  /** The keys that led here. */
  readonly keys: readonly Operand[];
  /** The next term of the ref. */
  readonly next: number;
}

/** The child of a package that rules answer, unless a `with` has replaced it. */
export function visibleChild(p: Planning, document: VirtualDocument, key: string): VirtualDocument | undefined {
  const child = p.functions.documents.child(document, key);
  return child === undefined || p.environment.isShadowed(child.path) ? undefined : child;
}

/**
 * Children that have a value of their own: functions have none, and `data.system` does not show.
 */
export function visibleChildren(
  p: Planning,
  document: VirtualDocument,
): readonly (readonly [string, VirtualDocument])[] {
  return p.functions.documents
    .children(document)
    .filter(([, child]) => child.kind !== 'function' && !child.node.hidden && !p.environment.isShadowed(child.path));
}

interface Plain {
  readonly value: Operand;
  /** The first term that is not yet looked up. */
  readonly next: number;
  /** Where rules or base documents may have been found: the path in these. */
  readonly path?: readonly Operand[];
}

/** The value where all terms before `end` have values. */
export function planPlain(p: Planning, start: DataPlace, terms: Ref, end: number, span: Span): Plain {
  let { document } = start;
  const keys = [...start.keys];
  let i = start.next;
  for (const term of terms.slice(i, end)) {
    if (document === undefined)
      return { value: planBase(p, [...keys, ...planKeys(p, terms, i, end)], span), next: end };
    if (document.kind === 'function') return planNothing(p, end, span);
    if (document.kind !== 'package') {
      const asked = narrowedDocument(document, terms, i);
      return asked === undefined ? planNothing(p, end, span) : planRule(p, asked, terms.slice(i, end), i, span);
    }
    if (term.type === 'string') {
      document = visibleChild(p, document, term.value);
      keys.push(p.e.string(term.value));
    } else if (term.type === 'var' || term.type === 'ref')
      return planDispatch(p, { document, keys, next: i, key: term }, terms, end, span);
    else {
      // Packages have names, so no other key finds a rule.
      return { value: planBase(p, [...keys, ...planKeys(p, terms, i, end)], span), next: end };
    }
    i++;
  }
  if (document === undefined) return { value: planBase(p, keys, span), next: end };
  if (document.kind === 'function') return planNothing(p, end, span);
  const asked = document.kind === 'package' ? document : narrowedDocument(document, terms, end);
  return asked === undefined ? planNothing(p, end, span) : { value: planCall(p, asked, span), next: end };
}

/**
 * A key known at run time only may lead to a function, which has no value; and an object may have
 * no rule that makes what a ref asks for.
 */
function planNothing({ e }: Planning, end: number, span: Span): Plain {
  e.fail(span);
  return { value: local(e.newLocal()), next: end };
}

function planKeys(p: Planning, terms: readonly Term[], from: number, to: number): Operand[] {
  return terms.slice(from, to).map((term) => p.term(term));
}

/** The value of base documents at a path. */
export function planBase(p: Planning, keys: readonly Operand[], span: Span): Operand {
  const { e } = p;
  let source = keys.length === 0 ? planRoot(p, span) : local(dataLocal);
  for (const key of keys) {
    const target = e.newLocal();
    planBaseKey(p, source, key, target, span);
    source = local(target);
  }
  return source;
}

/**
 * Base documents, and they only, are addressed by texts: a number finds the key that is its
 * literal, and a text finds the array's element that it is the index of. The statements say so for
 * literals; of other keys only the machine knows the text.
 */
export function planBaseKey(p: Planning, source: Operand, key: Operand, target: number, span: Span): void {
  const { e } = p;
  const find = (by: Operand) => e.find(source, by, target, span);
  const number = p.numberKey(key);
  const position = key.type === 'string_index' ? indexOfText(e.statics.text(key.value)) : undefined;
  if (number !== undefined) {
    e.firstOf(span, [() => find(key), () => find(e.string(number))]);
  } else if (position !== undefined) {
    const byIndex = () => {
      e.emit('IsArrayStmt', span, { source });
      const index = e.newLocal();
      e.emit('MakeNumberIntStmt', span, { value: position, target: index });
      find(local(index));
    };
    e.firstOf(span, [() => find(key), byIndex]);
  } else find(key);
}

/** All base documents, without those of the engine: below `system` they are found by name only. */
export function planRoot(p: Planning, span: Span): Operand {
  const { e } = p;
  const remove = p.functions.builtins.get('object.remove');
  if (remove === undefined) return local(dataLocal);
  const [hidden, rest, shown] = [e.newLocal(), e.newLocal(), e.newLocal()];
  e.statics.builtin(remove);
  const withoutSystem = () => {
    e.emit('IsObjectStmt', span, { source: local(dataLocal) });
    e.emit('MakeSetStmt', span, { target: hidden });
    e.emit('SetAddStmt', span, { set: hidden, value: e.string('system') });
    e.emit('CallStmt', span, { func: remove.name, args: [local(dataLocal), local(hidden)], result: rest });
    e.emit('AssignVarStmt', span, { source: local(rest), target: shown });
  };
  // A `with` may put anything in the place of all data.
  e.firstOf(span, [withoutSystem, () => e.emit('AssignVarStmt', span, { source: local(dataLocal), target: shown })]);
  return local(shown);
}

/** The value of a rule, or of a whole package. */
function planCall(p: Planning, document: VirtualDocument, span: Span): Operand {
  const { name, environment } = p.functions.callee(document, p.environment);
  if (document.kind === 'function') throw new Error(`function ${documentText(document.path)} is no value`);
  const result = p.e.newLocal();
  p.e.emit('CallStmt', span, { func: name, args: leadingArguments(p, environment), result });
  return local(result);
}

/**
 * The value of a rule at the keys that it is asked for, or the whole of it; `next` is the first
 * term that is not looked up yet.
 */
function planRule(p: Planning, document: VirtualDocument, keys: readonly Term[], at: number, span: Span): Plain {
  const asked = keysAsked(p, document, keys);
  if (asked.length === 0) return { value: planCall(p, document, span), next: at };
  const callee = p.functions.keyedCallee(document, p.environment, asked.length);
  const result = p.e.newLocal();
  const args = [...leadingArguments(p, callee.environment), ...asked.map((key) => p.term(key))];
  p.e.emit('CallStmt', span, { func: callee.name, args, result });
  return { value: local(result), next: at + asked.length };
}

/**
 * The keys that a rule is asked for at once; none for the whole of it. Where the same statement may
 * ask for many keys, and each costs a search, the whole is evaluated once and memoized. So is the
 * value at one constant key.
 */
function keysAsked(p: Planning, document: VirtualDocument, keys: readonly Term[]): readonly Term[] {
  const has = p.functions.keysOf(document);
  if (has === undefined) return [];
  if (!p.isRepeated) return keys.slice(0, has.count);
  return keys.slice(0, 1).filter((key) => has.isAlwaysAsked || isScalar(key));
}

interface DispatchPlace extends DataPlace {
  readonly document: VirtualDocument;
  /** The term at `next`. */
  readonly key: Term;
}

/**
 * A key that is known only when the ref is evaluated picks among the children of a package. Where
 * it can only pick rules, all at one depth, a dynamic call finds the right one; else children are
 * compared one by one. Base documents answer where no rule does.
 */
function planDispatch(p: Planning, place: DispatchPlace, terms: Ref, end: number, span: Span): Plain {
  const { e } = p;
  const depth = dynamicDepth(p, place.document, terms, place.next, end);
  const result = e.newLocal();
  const set = (source: Operand) => e.emit('AssignVarStmt', span, { source, target: result });
  if (depth !== undefined) {
    const keys = [...place.keys, ...planKeys(p, terms, place.next, depth.next)];
    // The result is a value: keys that find something else in base documents belong to the ref.
    const next = hasTextKeys(p, terms.slice(depth.next, end)) ? end : depth.next;
    e.firstOf(span, [
      () => {
        const called = e.newLocal();
        const args = leadingArguments(p, depth.callee.environment).map((operand) => e.asLocal(operand, span));
        e.emit('CallDynamicStmt', span, { path: [e.string(depth.callee.path[0]), ...keys], args, result: called });
        set(planAccess(p, local(called), refPrefix(terms, next), depth.next, span));
      },
      () => set(planBase(p, [...keys, ...planKeys(p, terms, depth.next, next)], span)),
    ]);
    return { value: local(result), next, path: [...keys, ...planKeys(p, terms, depth.next, next)] };
  }
  const key = p.term(place.key);
  const alternatives = visibleChildren(p, place.document).map(([name, child]) => () => {
    e.emit('EqualStmt', span, { a: key, b: e.string(name) });
    const below: DataPlace = { document: child, keys: [...place.keys, e.string(name)], next: place.next + 1 };
    const found = planPlain(p, below, terms, end, span);
    set(planAccess(p, found.value, refPrefix(terms, end), found.next, span));
  });
  const path = [...place.keys, key, ...planKeys(p, terms, place.next + 1, end)];
  e.firstOf(span, [...alternatives, () => set(planBase(p, path, span))]);
  return { value: local(result), next: end, path };
}

interface DynamicDepth {
  readonly next: number;
  readonly callee: Callee;
}

/**
 * Where all the documents that a path with unknown keys can lead to are rules: how many terms lead
 * there, and how they are called. Nothing that a `with` has replaced may be among them, as the
 * rule's function may be there all the same.
 */
function dynamicDepth(
  p: Planning,
  document: VirtualDocument,
  terms: readonly Term[],
  from: number,
  end: number,
): DynamicDepth | undefined {
  let level: readonly VirtualDocument[] = [document];
  let at = from;
  for (const term of terms.slice(from, end)) {
    at++;
    if (term.type !== 'string' && term.type !== 'var' && term.type !== 'ref') return undefined;
    const next: VirtualDocument[] = [];
    for (const one of level) {
      const children =
        term.type === 'string'
          ? [p.functions.documents.child(one, term.value)]
          : visibleChildren(p, one).map(([, child]) => child);
      if (p.environment.replacesBelow(one.path)) return undefined;
      for (const child of children) if (child !== undefined && child.kind !== 'function') next.push(child);
    }
    if (next.length === 0) return undefined;
    const rules = next.filter(({ kind }) => kind !== 'package');
    if (rules.length === next.length) return commonCallee(p, rules, at);
    if (rules.length > 0) return undefined;
    level = next;
  }
  return undefined;
}

/** All rules must be callable in the same way. */
function commonCallee(p: Planning, rules: readonly VirtualDocument[], next: number): DynamicDepth | undefined {
  const callees = rules.map((rule) => p.functions.callee(rule, p.environment));
  const [first] = callees;
  if (
    first === undefined ||
    !callees.every(({ path, environment }) => path[0] === first.path[0] && environment.key === first.environment.key)
  )
    return undefined;
  return { next, callee: first };
}
