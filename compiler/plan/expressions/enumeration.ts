/**
 * Refs into data with variables that have no value yet, where packages are to be run over:
 * `data.policies[x][y].deny`.
 */
import type { Operand } from '../../../ir-schema/index.js';
import { refPrefix } from '../../ast/make.js';
import type { Ref, Term } from '../../ast/nodes.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import type { Span } from '../../source/location.js';
import { local } from '../emit/emit.js';
import type { Planning } from '../planning.js';
import type { DataPlace } from './places.js';
import { hasTextKeys, planAccess, planBase, planBaseKey, planPlain, visibleChild, visibleChildren } from './places.js';
import { isBoundIn } from './plan-unification.js';

/** A term that picks among the children of a package. */
interface Level {
  readonly term: Term;
  readonly at: number;
}

type Levels = readonly [Level, ...Level[]];

/**
 * The terms that pick among the children of a package, up to the last one without a value; none if
 * no package is to be run over. A variable that has a value counts where there are others after it,
 * so that no more of the packages is evaluated than the ref asks for.
 */
export function openLevels(p: Planning, root: VirtualDocument | undefined, terms: Ref): readonly Level[] {
  if (terms.every((term, i) => i === 0 || isBoundIn(p, term))) return [];
  const levels: Level[] = [];
  let last = 0;
  let documents: readonly VirtualDocument[] = root === undefined ? [] : [root];
  for (const [i, term] of terms.entries()) {
    if (i === 0) continue;
    const packages = documents.filter(({ kind }) => kind === 'package');
    const bound = isBoundIn(p, term);
    const isString = term.type === 'string';
    const children = isString
      ? packages.flatMap((document) => visibleChild(p, document, term.value) ?? [])
      : bound && term.type !== 'var'
        ? []
        : packages.flatMap((document) => visibleChildren(p, document).map(([, child]) => child));
    const picks = !isString && children.length > 0;
    documents = isString || term.type === 'var' ? children : [];
    if (picks || !bound) levels.push({ term, at: i });
    // Values are gathered: keys that find something else in base documents come before.
    if (!bound && (picks || (last > 0 && hasTextKeys(p, terms.slice(i + 1))))) last = i;
  }
  return levels.filter(({ at }) => at <= last);
}

/**
 * Gathers the values that the ref may select into nested objects, and iterates over those: an
 * undefined child is left out, and no more of a child is evaluated than the ref asks for. Each
 * level has a list of objects, since base documents come before rules.
 */
export function planEnumeration(p: Planning, start: DataPlace, terms: Ref, levels: Levels, span: Span): Operand {
  const last = Math.max(...levels.map(({ at }) => at));
  const open = terms.findIndex((term, i) => i > last && !isBoundIn(p, term));
  const end = open < 0 ? terms.length : open;
  const found = gatherPlace({ p, terms, end, span }, start, levels);
  const picked = levels.reduce((list, { term }) => {
    const { value } = p.e.scan(p.e.asLocal(list, span), span);
    return planAccess(p, local(value), [term], 0, span);
  }, local(found));
  return planAccess(p, picked, terms, end, span);
}

interface Gathering {
  readonly p: Planning;
  readonly terms: Ref;
  /** The first term after the last level that has no value. */
  readonly end: number;
  readonly span: Span;
}

/**
 * The values gathered below a place, by the possible keys of the first level's term: a list of
 * objects.
 */
function gatherPlace(gathering: Gathering, start: DataPlace, levels: Levels): number {
  const { p, terms, span } = gathering;
  const { e } = p;
  const [{ term, at }, ...deeper] = levels;
  let { document } = start;
  const keys = [...start.keys];
  for (const key of terms.slice(start.next, at)) {
    if (document?.kind !== 'package' || key.type !== 'string')
      return gatherPlain(gathering, { document, keys, next: keys.length + 1 }, levels);
    document = visibleChild(p, document, key.value);
    keys.push(e.string(key.value));
  }
  const children = document?.kind === 'package' ? visibleChildren(p, document) : [];
  if (children.length === 0) return gatherPlain(gathering, { document, keys, next: at }, levels);
  const [rules, stored] = [e.newLocal(), e.newLocal()];
  const wanted = isBoundIn(p, term) ? p.term(term) : undefined;
  for (const target of [rules, stored]) e.emit('MakeObjectStmt', span, { target });
  // Names are strings: none of them matches an array or an object.
  const matching = wanted === undefined && term.type !== 'var' ? [] : children;
  const blocks = matching.map(([name, child]) =>
    e.block(() => {
      const key = e.string(name);
      if (wanted !== undefined) e.emit('EqualStmt', span, { a: wanted, b: key });
      const place: DataPlace = { document: child, keys: [...keys, key], next: at + 1 };
      const value = isNested(deeper) ? local(gatherPlace(gathering, place, deeper)) : plainValue(gathering, place);
      e.emit('ObjectInsertStmt', span, { object: rules, key, value });
    }),
  );
  const base = e.block(() => {
    const names = e.newLocal();
    e.emit('MakeSetStmt', span, { target: names });
    for (const [name] of children) e.emit('SetAddStmt', span, { set: names, value: e.string(name) });
    gatherElements(gathering, planBase(p, keys, span), levels, stored, names);
  });
  e.emit('BlockStmt', span, { blocks: [...blocks, base] });
  return listOf(gathering, [stored, rules]);
}

function isNested(levels: readonly Level[]): levels is Levels {
  return levels.length > 0;
}

function plainValue({ p, terms, span, end }: Gathering, place: DataPlace): Operand {
  const { value, next } = planPlain(p, place, terms, end, span);
  return planAccess(p, value, refPrefix(terms, end), next, span);
}

/** Gathers the values of documents other than packages. */
function gatherPlain(gathering: Gathering, place: DataPlace, levels: Levels): number {
  const value = plainValue({ ...gathering, end: levels[0].at }, place);
  return gatherValue(gathering, value, levels);
}

function gatherValue(gathering: Gathering, value: Operand, levels: Levels): number {
  const { e } = gathering.p;
  const found = e.newLocal();
  e.emit('MakeObjectStmt', gathering.span, { target: found });
  const block = e.block(() => gatherElements(gathering, value, levels, found, undefined));
  e.emit('BlockStmt', gathering.span, { blocks: [block] });
  return listOf(gathering, [found]);
}

function listOf({ p: { e }, span }: Gathering, objects: readonly number[]): number {
  const target = e.newLocal();
  e.emit('MakeArrayStmt', span, { target, capacity: objects.length });
  for (const object of objects) e.emit('ArrayAppendStmt', span, { array: target, value: local(object) });
  return target;
}

/**
 * Puts the elements of a collection into an object; those with a key among `names` are left out.
 */
function gatherElements(
  gathering: Gathering,
  source: Operand,
  [{ term, at }, ...deeper]: Levels,
  found: number,
  names: number | undefined,
): void {
  const { p, terms, span } = gathering;
  const { e } = p;
  const after = terms.slice(at + 1, gathering.end);
  const { key, value } = isBoundIn(p, term)
    ? elementAt(p, source, p.term(term), span)
    : elements(p, source, after, span);
  if (names !== undefined) {
    const known = e.block(() => e.emit('DotStmt', span, { source: local(names), key, target: e.newLocal() }));
    e.emit('NotStmt', span, { block: known });
  }
  const inside = planAccess(p, value, refPrefix(terms, deeper[0]?.at ?? gathering.end), at + 1, span);
  const gathered = isNested(deeper) ? local(gatherValue(gathering, inside, deeper)) : inside;
  e.emit('ObjectInsertStmt', span, { object: found, key, value: gathered });
}

interface Element {
  readonly key: Operand;
  readonly value: Operand;
}

function elementAt(p: Planning, source: Operand, key: Operand, span: Span): Element {
  const target = p.e.newLocal();
  if (p.e.isBase(source)) planBaseKey(p, source, key, target, span);
  else p.e.emit('DotStmt', span, { source, key, target });
  return { key, value: local(target) };
}

/** All elements. Of base documents they are found by their keys, if such keys come after. */
function elements(p: Planning, source: Operand, after: readonly Term[], span: Span): Element {
  const { key, value } = p.e.scan(p.e.asLocal(source, span), span);
  if (!p.e.isBase(source) || !hasTextKeys(p, after)) return { key: local(key), value: local(value) };
  const target = p.e.newLocal();
  p.e.find(source, local(key), target, span);
  return { key: local(key), value: local(target) };
}
