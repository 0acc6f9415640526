/** Expressions → statements: each continues if it is true, and is undefined otherwise. */
import type { DebugReason, Operand } from '../../../ir-schema/index.js';
import { functionName } from '../../ast/names.js';
import type { Body, CallExpr, EveryExpr, Expr, LogicalExpr, RefTerm, Term } from '../../ast/nodes.js';
import { varsOf } from '../../ast/vars.js';
import { indexBody } from '../../rule-index/guards.js';
import type { Span } from '../../source/location.js';
import { documentHolding, functionOf } from '../documents/virtual-documents.js';
import { falseOperand, local } from '../emit/emit.js';
import type { Subject } from '../emit/notes.js';
import { leadingArguments, type Planning } from '../planning.js';
import { probeName, probeValuesName } from '../probes.js';
import { planWith } from './with.js';

export function planBody(p: Planning, body: Body): void {
  const { probes } = p.functions;
  if (probes === undefined || body.length === 0) {
    for (const expr of body) planExpr(p, expr);
    return;
  }
  body.forEach((expr, i) => {
    const probe = probes.before(expr, i);
    planProbe(p, probe, expr.loc);
    if (probes.wantsValues(expr)) planProbeValues(p, probe, expr);
    planExpr(p, expr);
  });
  planProbe(p, probes.after(body), body.at(-1)!.loc);
}

/** The body of a rule or an `else`, its guards first. */
export function planRuleBody(p: Planning, body: Body, args: readonly Term[], afterGuards?: () => void): void {
  const { guards, rest } = indexBody(p, body, args, p.functions.probes !== undefined);
  for (const guard of guards) planExpr(p, guard, 'guard');
  afterGuards?.();
  planBody(p, rest);
}

function planExpr(p: Planning, expr: Expr, reason: DebugReason = 'expression'): void {
  const { e } = p;
  const outer = e.subject;
  e.subject = { ...outer, reason: outer.reason === 'literal' ? outer.reason : reason, expr: expr.loc };
  // The modifiers of a negated expression apply to its operand.
  if (expr.negated) e.unless(expr.loc, () => planModified(p, expr));
  else planModified(p, expr);
  if (!expr.generated && !isImplied(expr, outer)) e.placeExpression(expr.loc);
  e.subject = outer;
}

/** Whether an expression is the body of a rule that has none in the text. */
function isImplied(expr: Expr, { rule }: Subject): boolean {
  if (rule === undefined || rule.body[0] !== expr) return false;
  return (rule.default || rule.generatedBody) && expr.kind === 'term' && expr.term.type === 'boolean';
}

function planModified(p: Planning, expr: Expr): void {
  if (expr.with.length === 0) planPlainExpr(p, expr);
  else planWith(p, expr, () => planPlainExpr(p, expr));
}

function planPlainExpr(p: Planning, expr: Expr): void {
  switch (expr.kind) {
    case 'term':
      return planTruth(p, expr.term, expr.loc);
    case 'call':
      return planCallExpr(p, expr);
    case 'every':
      return planEvery(p, expr);
    case 'not':
      return p.e.unless(expr.loc, () => planBody(p, expr.body));
    case 'and':
    case 'or':
      return planLogical(p, expr);
    case 'some':
      return;
  }
}

/** A term by itself must be defined and not false. */
function planTruth(p: Planning, term: Term, span: Span): void {
  const operand = p.term(term);
  if (operand.type === 'bool' && operand.value) return;
  p.e.emit('NotEqualStmt', span, { a: operand, b: falseOperand });
}

function planCallExpr(p: Planning, expr: CallExpr): void {
  const name = functionName(expr.operator);
  if (name === undefined) throw new Error('the operator of a call is no name');
  const [left, right, output] = expr.args;
  if (name === 'eq' && left && right && output === undefined) return p.unify(left, right, expr.loc);
  planFunctionCall(p, expr.operator, name, expr.args, expr.loc);
}

function planFunctionCall(p: Planning, operator: RefTerm, name: string, args: readonly Term[], span: Span): void {
  const replaced = p.environment.mockOf(name);
  if (replaced === undefined) return planCallee(p, { operator, name }, args, span);
  const { mock } = replaced;
  const arity = arityOf(p, operator, name);
  const output = args[arity];
  if (mock?.type === 'function') {
    // The replacement of a function calls functions that are not replaced.
    const { environment } = p;
    p.environment = environment.only(({ mock: other }) => other === undefined);
    try {
      const stand = functionName(mock.ref);
      const document = documentHolding(p.functions.documents, mock.ref);
      if (document !== undefined && document.kind !== 'function') finish(p, p.ref(mock.ref), output, span);
      else planCallee(p, { operator: mock.ref, name: stand!, arity }, args, span);
    } finally {
      p.environment = environment;
    }
    return;
  }
  const value = mock?.type === 'constant' ? p.term(mock.term) : p.replacementValues.get(replaced.id)!;
  finish(p, value, output, span);
}

function arityOf(p: Planning, operator: RefTerm, name: string): number {
  const document = functionOf(p.functions.documents, operator);
  return document === undefined
    ? (p.functions.builtins.get(name)?.args.length ?? 0)
    : (document.rules[0]?.rule.head.args?.length ?? 0);
}

interface Callee {
  readonly operator: RefTerm;
  readonly name: string;
  /** Given where a function stands in for one that may take another number of arguments. */
  readonly arity?: number;
}

function planCallee(
  p: Planning,
  { operator, name, arity = arityOf(p, operator, name) }: Callee,
  args: readonly Term[],
  span: Span,
): void {
  const { e } = p;
  const operands = args.slice(0, arity).map((arg) => p.term(arg));
  const output = args[arity];
  const result = e.newLocal();
  const document = functionOf(p.functions.documents, operator);
  if (document !== undefined) {
    const { name: func, environment } = p.functions.callee(document, p.environment);
    e.emit('CallStmt', span, { func, args: [...leadingArguments(p, environment), ...operands], result });
    return finish(p, local(result), output, span);
  }
  const row = p.functions.builtins.get(name);
  // A rule without parameters, written with parentheses.
  if (row === undefined && documentHolding(p.functions.documents, operator) !== undefined)
    return finish(p, p.ref(operator), output, span);
  if (row === undefined) throw new Error(`there is no built-in ${name}`);
  e.statics.builtin(row);
  e.emit('CallStmt', span, { func: name, args: operands, result });
  // A built-in without a result (print) is true.
  if (row.result === undefined) return;
  if (row.relation !== true) return finish(p, local(result), output, span);
  // A relation answers all values that the call may have.
  const { value } = e.scan(result, span);
  finish(p, local(value), output, span);
}

/** A call's value is matched with its output, or must not be false where there is none. */
function finish(p: Planning, value: Operand, output: Term | undefined, span: Span): void {
  if (output !== undefined) p.match(output, value, span);
  else p.e.emit('NotEqualStmt', span, { a: value, b: falseOperand });
}

/**
 * True unless the body is undefined for some element; undefined where the domain is no collection.
 */
function planEvery(p: Planning, { domain, key, value, body, loc }: EveryExpr): void {
  const { e } = p;
  const collection = e.asLocal(p.term(domain), domain.loc);
  const source = local(collection);
  e.firstOf(loc, [
    () => e.emit('IsArrayStmt', loc, { source }),
    () => e.emit('IsObjectStmt', loc, { source }),
    () => e.emit('IsSetStmt', loc, { source }),
  ]);
  e.unless(loc, () => {
    const element = e.scan(collection, loc);
    if (key !== undefined) e.scope.bind(key.name, local(element.key));
    e.scope.bind(value.name, local(element.value));
    e.unless(loc, () => planBody(p, body));
  });
}

/**
 * Each operand is a condition: it is true at most once, and its bindings are not visible outside.
 * The second is not evaluated if the first decides.
 */
function planLogical(p: Planning, { kind, lhs, rhs, loc }: LogicalExpr): void {
  if (kind === 'and') {
    for (const body of [lhs, rhs]) planCondition(p, [body], loc);
  } else planCondition(p, [lhs, rhs], loc);
}

/** Goes on if one of the bodies is true, trying them in order. */
function planCondition(p: Planning, bodies: readonly Body[], span: Span): void {
  const { e } = p;
  const holds = e.newLocal();
  e.emit('ResetLocalStmt', span, { target: holds });
  const blocks = bodies.map((body) =>
    e.block(() => {
      e.emit('IsUndefinedStmt', span, { source: holds });
      planBody(p, body);
      e.succeed(span, holds);
    }),
  );
  e.emit('BlockStmt', span, { blocks });
  e.emit('IsDefinedStmt', span, { source: holds });
}

/** Calls a probe: its expression is reached. */
function planProbe(p: Planning, probe: number, span: Span): void {
  call(p, probeName, [numberOperand(p, probe, span)], span);
}

/** Records the values of the variables of an expression and of the current body. */
function planProbeValues(p: Planning, probe: number, expr: Expr): void {
  const { e } = p;
  const span = expr.loc;
  const object = e.newLocal();
  e.emit('MakeObjectStmt', span, { target: object });
  for (const name of new Set([...e.scope.names, ...varsOf(expr, { skipOperators: true })])) {
    const value = e.scope.get(name);
    if (value !== undefined) e.emit('ObjectInsertStmt', span, { object, key: e.string(name), value });
  }
  call(p, probeValuesName, [numberOperand(p, probe, span), local(object)], span);
}

function numberOperand({ e }: Planning, value: number, span: Span): Operand {
  const target = e.newLocal();
  e.emit('MakeNumberIntStmt', span, { value, target });
  return local(target);
}

function call(p: Planning, name: string, args: readonly Operand[], span: Span): void {
  const row = p.functions.builtins.get(name);
  if (row === undefined) throw new Error(`there is no built-in ${name}`);
  p.e.statics.builtin(row);
  p.e.emit('CallStmt', span, { func: name, args, result: p.e.newLocal() });
}
