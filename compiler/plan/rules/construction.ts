/** Statements that change an object under construction at some depth. */
import type { Operand } from '../../../ir-schema/index.js';
import type { Term } from '../../ast/nodes.js';
import type { Span } from '../../source/location.js';
import { falseOperand, local, trueOperand } from '../emit/emit.js';
import type { FunctionPlanner } from '../function-planner.js';

/**
 * An object under construction. `values` is the result so far. `shape` has the parts that may grow,
 * where rules of several depths or kinds meet: it has an object for each object that is no rule's
 * value, and `true` for each set.
 */
export interface Construction {
  readonly values: number;
  readonly shape: number | undefined;
}

/** A change of an object or a set, which `make` makes if it is missing. */
interface Filled {
  readonly make: 'MakeObjectStmt' | 'MakeSetStmt';
  readonly span: Span;
  readonly fill: (container: number) => void;
}

/**
 * Has `fill` change the object or set that lies at a path inside of an object under construction,
 * made if it is missing. The changed value is inserted into its parent again, since engines may
 * copy inserted values. A rule's value on the way is a conflict.
 */
export function planInside(
  p: FunctionPlanner,
  { values, shape }: Construction,
  [term, ...rest]: readonly Term[],
  filled: Filled,
): void {
  const { e } = p;
  const { span } = filled;
  if (term === undefined) return filled.fill(values);
  const key = p.term(term);
  const make = rest.length === 0 ? filled.make : 'MakeObjectStmt';
  const inner = { values: e.newLocal(), shape: shape === undefined ? undefined : e.newLocal() };
  e.firstOf(span, [
    () => {
      if (shape !== undefined) planShape(p, local(shape), key, { target: inner.shape!, make, span });
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
  planInside(p, inner, rest, filled);
  e.emit('ObjectInsertStmt', span, { object: values, key, value: local(inner.values) });
  if (shape !== undefined) e.emit('ObjectInsertStmt', span, { object: shape, key, value: local(inner.shape!) });
}

/** Looks up the part that may grow at a key; undefined if it is of another kind. */
function planShape(
  { e }: FunctionPlanner,
  source: Operand,
  key: Operand,
  { target, make, span }: Pick<Filled, 'make' | 'span'> & { readonly target: number },
): void {
  e.emit('DotStmt', span, { source, key, target });
  if (make === 'MakeObjectStmt') e.emit('IsObjectStmt', span, { source: local(target) });
  else e.emit('EqualStmt', span, { a: local(target), b: trueOperand });
}

/**
 * Fails with the conflict of object keys where a key is there already: no value is both true and
 * false.
 */
function planConflict({ e }: FunctionPlanner, object: number, key: Operand, span: Span): void {
  const block = e.block(() => {
    e.emit('DotStmt', span, { source: local(object), key, target: e.newLocal() });
    e.emit('ObjectInsertOnceStmt', span, { object, key, value: trueOperand });
    e.emit('ObjectInsertOnceStmt', span, { object, key, value: falseOperand });
  });
  e.emit('BlockStmt', span, { blocks: [block] });
}
