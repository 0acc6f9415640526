/** Terms → operands. */
import type { Operand } from '../../../ir-schema/index.js';
import { compareTerms } from '../../ast/compare-terms.js';
import { isGround, isLiteral } from '../../ast/names.js';
import type { Comprehension, NumberTerm, Term } from '../../ast/nodes.js';
import { local } from '../emit/emit.js';
import { plannedInteger } from '../emit/numbers.js';
import type { Planning } from '../planning.js';

/** Literals with fewer parts are built in place. */
const smallLiteral = 2;

export function planTerm(p: Planning, term: Term): Operand {
  const { e } = p;
  switch (term.type) {
    case 'string':
      return e.string(term.value);
    case 'boolean':
      return { type: 'bool', value: term.value };
    case 'null': {
      const target = e.newLocal();
      e.emit('MakeNullStmt', term.loc, { target });
      return local(target);
    }
    case 'number':
      return planNumber(p, term);
    case 'var': {
      const operand = e.scope.get(term.name);
      if (operand === undefined) throw new Error(`variable ${term.name} is not bound where it is planned`);
      return operand;
    }
    case 'ref':
      return p.ref(term);
    case 'array':
    case 'set':
    case 'object':
      return isLiteral(term) && partsOf(term, smallLiteral + 1) > smallLiteral
        ? planLiteral(p, term)
        : planCollection(p, term);
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return planComprehension(p, term);
    case 'call':
    case 'templatestring':
      throw new Error(`a ${term.type} inside a term is not planned: the compiler moves it out`);
  }
}

function planNumber(p: Planning, { loc, text }: NumberTerm): Operand {
  const target = p.e.newLocal();
  const value = plannedInteger(text);
  if (value !== undefined) p.e.emit('MakeNumberIntStmt', loc, { target, value });
  else p.e.emit('MakeNumberRefStmt', loc, { target, index: p.e.statics.string(text) });
  return local(target);
}

/** How many scalars a literal has, counted up to `limit`. */
function partsOf(term: Term, limit: number): number {
  let count = 0;
  const visit = (part: Term): boolean => {
    if (part.type === 'array' || part.type === 'set') return part.items.every(visit);
    if (part.type === 'object') return part.entries.every(({ key, value }) => visit(key) && visit(value));
    return ++count < limit;
  };
  visit(term);
  return count;
}

/**
 * A literal is built by a function without arguments, whose result is memoized: at most once in
 * an evaluation.
 */
function planLiteral(p: Planning, term: Term): Operand {
  const result = p.e.newLocal();
  const args: Operand[] = [local(0), local(1)];
  p.e.emit('CallStmt', term.loc, { func: p.functions.literal(term), args, result });
  return local(result);
}

/** Builds an array, a set or an object of its parts. */
export function planCollection(p: Planning, term: Term & { type: 'array' | 'set' | 'object' }): Operand {
  const { e } = p;
  // Parts first, so that the statements of the collection follow each other.
  if (term.type === 'object') {
    const entries = term.entries.map((entry) => ({
      entry,
      key: planPart(p, entry.key),
      value: planPart(p, entry.value),
    }));
    // Keys with equal values: the last one wins, in the order of terms. A variable comes
    // behind a string.
    if (term.entries.some(({ key }) => !isLiteral(key))) entries.sort((a, b) => compareTerms(a.entry.key, b.entry.key));
    const object = e.newLocal();
    e.emit('MakeObjectStmt', term.loc, { target: object });
    for (const { key, value } of entries) e.emit('ObjectInsertStmt', term.loc, { object, key, value });
    return local(object);
  }
  const parts = term.items.map((item) => planPart(p, item));
  const target = e.newLocal();
  if (term.type === 'array') {
    e.emit('MakeArrayStmt', term.loc, { target, capacity: parts.length });
    for (const value of parts) e.emit('ArrayAppendStmt', term.loc, { array: target, value });
  } else {
    e.emit('MakeSetStmt', term.loc, { target });
    for (const value of parts) e.emit('SetAddStmt', term.loc, { set: target, value });
  }
  return local(target);
}

/** Parts of a literal are built in place: only the whole has a function of its own. */
function planPart(p: Planning, part: Term): Operand {
  const nested = part.type === 'array' || part.type === 'set' || part.type === 'object';
  return nested && isGround(part) ? planCollection(p, part) : p.term(part);
}

/** A comprehension is empty where its body is undefined; its variables are its own. */
function planComprehension(p: Planning, term: Comprehension): Operand {
  const { e } = p;
  const target = e.newLocal();
  if (term.type === 'arraycomprehension') e.emit('MakeArrayStmt', term.loc, { target, capacity: 0 });
  else if (term.type === 'setcomprehension') e.emit('MakeSetStmt', term.loc, { target });
  else e.emit('MakeObjectStmt', term.loc, { target });
  const block = e.block(() => {
    p.body(term.body);
    if (term.type === 'arraycomprehension')
      e.emit('ArrayAppendStmt', term.term.loc, { array: target, value: p.term(term.term) });
    else if (term.type === 'setcomprehension')
      e.emit('SetAddStmt', term.term.loc, { set: target, value: p.term(term.term) });
    else
      e.emit('ObjectInsertOnceStmt', term.key.loc, {
        object: target,
        key: p.term(term.key),
        value: p.term(term.value),
      });
  });
  e.emit('BlockStmt', term.loc, { blocks: [block] });
  return local(target);
}
