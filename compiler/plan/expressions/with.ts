/**
 * `with` modifiers: values of input and data are replaced while the expression is evaluated, rules
 * and functions where it is planned.
 */

import type { Block, Operand } from '../../../ir-schema/index.js';
import { functionName, isLiteral } from '../../ast/names.js';
import type { Expr, RefTerm, Term, With } from '../../ast/nodes.js';
import { badPath, replacedPath } from '../../ast/paths.js';
import { documentHolding } from '../documents/virtual-documents.js';
import { dataLocal, inputLocal, local, trueOperand } from '../emit/emit.js';
import type { Mock, WithReplacement } from '../environment.js';
import type { Planning } from '../planning.js';

interface Change {
  readonly modifier: With;
  readonly local: number;
  readonly path: readonly string[];
  readonly value: Operand;
}

/**
 * Plans an expression under its modifiers. Where the expression can have several solutions they are
 * collected under the modifiers and iterated afterwards, outside of them.
 */
export function planWith(p: Planning, expr: Expr, plan: () => void): void {
  const { environment } = p;
  const values = new Map(p.replacementValues);
  const changes: Change[] = [];
  const replacements: WithReplacement[] = [];
  let conflicts = false;
  for (const modifier of expr.with) {
    const ref = targetOf(modifier);
    const head = ref.terms[0].type === 'var' ? ref.terms[0].name : '';
    const found = replacedPath(ref);
    conflicts ||= found === undefined;
    const path = found ?? [];
    if (isFunction(p, ref, path)) replacements.push(planReplacement(p, functionName(ref)!, modifier));
    else {
      changes.push({ modifier, local: head === 'input' ? inputLocal : dataLocal, path, value: p.term(modifier.value) });
      if (head === 'data' && answersFor(p, path)) replacements.push(p.functions.replacement(path, undefined));
    }
  }
  if (conflicts) planConflict(p, expr);
  for (const replacement of replacements) p.environment = p.environment.with(replacement);
  try {
    planUnder(p, expr, changes, plan);
  } finally {
    p.environment = environment;
    for (const { id } of replacements) p.replacementValues.delete(id);
    for (const [id, value] of values) p.replacementValues.set(id, value);
  }
}

/**
 * The evaluation ends here. The expression is planned all the same, since it binds variables; no
 * other expression of the body may be compiled in another way because of it.
 */
function planConflict({ e }: Planning, { loc }: Expr): void {
  const target = e.newLocal();
  e.emit('AssignVarStmt', loc, { source: trueOperand, target });
  e.emit('AssignVarOnceStmt', loc, { source: e.string(badPath), target });
}

function targetOf({ target }: With): RefTerm {
  return target.type === 'ref' ? target : { type: 'ref', loc: target.loc, terms: [target] };
}

function isFunction(p: Planning, ref: RefTerm, path: readonly string[]): boolean {
  const [head] = ref.terms;
  if (head?.type !== 'var' || head.name === 'input') return false;
  if (head.name !== 'data') return p.functions.builtins.has(functionName(ref) ?? '');
  return p.functions.documents.functionAt(path) !== undefined;
}

/** Whether there are rules at a path of data, above or below it. */
function answersFor(p: Planning, path: readonly string[]): boolean {
  return path.length === 0 || p.functions.documents.at(path) !== undefined;
}

function planReplacement(p: Planning, target: string, { value }: With): WithReplacement {
  const mock = mockOf(p, value);
  const replacement = p.functions.replacement(target, mock);
  if (mock.type === 'parameter') p.replacementValues.set(replacement.id, p.term(value));
  return replacement;
}

function mockOf(p: Planning, value: Term): Mock {
  if (isLiteral(value)) return { type: 'constant', term: value };
  if (value.type === 'ref') {
    const [head] = value.terms;
    if (head?.type === 'var' && head.name !== 'input' && p.e.scope.get(head.name) === undefined) {
      // A rule, too, is planned only at the function's call, under the environment there.
      const isRule = head.name === 'data' && documentHolding(p.functions.documents, value) !== undefined;
      if (isRule || (head.name !== 'data' && p.functions.builtins.has(functionName(value) ?? ''))) {
        return { type: 'function', ref: value };
      }
    }
  } else if (value.type === 'var' && p.functions.builtins.has(value.name) && p.e.scope.get(value.name) === undefined) {
    return { type: 'function', ref: { type: 'ref', loc: value.loc, terms: [value] } };
  }
  return { type: 'parameter' };
}

function planUnder(p: Planning, expr: Expr, changes: readonly Change[], plan: () => void): void {
  const { e } = p;
  if (changes.length === 0) return plan();
  const before = e.scope.size;
  const tuples = e.newLocal();
  let bound: readonly string[] = [];
  let collected = false;
  const { block } = e.transparent(() => {
    plan();
    bound = e.scope.namesFrom(before);
    collected = e.loops > 0;
    // One solution at most: its bindings stay visible.
    if (!collected) return;
    const tuple = e.newLocal();
    e.emit('MakeArrayStmt', expr.loc, { target: tuple, capacity: bound.length });
    for (const name of bound) e.emit('ArrayAppendStmt', expr.loc, { array: tuple, value: e.scope.get(name)! });
    e.emit('ArrayAppendStmt', expr.loc, { array: tuples, value: local(tuple) });
  }, changes.length);
  if (collected) e.emit('MakeArrayStmt', expr.loc, { target: tuples, capacity: 0 });
  emitChanges(p, changes, block);
  if (!collected) return;
  const { value: tuple } = e.scan(tuples, expr.loc);
  bound.forEach((name, i) => {
    const index = e.newLocal();
    const target = e.newLocal();
    e.emit('MakeNumberIntStmt', expr.loc, { target: index, value: i });
    e.emit('DotStmt', expr.loc, { source: local(tuple), key: local(index), target });
    e.scope.bind(name, local(target));
  });
}

/** The first modifier outermost: a later one may change the value of an earlier one. */
function emitChanges(p: Planning, changes: readonly Change[], block: Block): void {
  let inner = block;
  changes.toReversed().forEach(({ modifier, local: target, path, value }, i) => {
    const fields = { local: target, path: path.map((key) => p.e.statics.string(key)), value, block: inner };
    if (i === changes.length - 1) p.e.emit('WithStmt', modifier.loc, fields);
    else inner = p.e.transparent(() => p.e.emit('WithStmt', modifier.loc, fields)).block;
  });
}
