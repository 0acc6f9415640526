/** Queries that keep the value of each of their expressions, as the reference's do. */
import { callExpr, exprBase, operatorRef, varTerm } from '../compiler/ast/make.js';
import type { Body, CallExpr, Expr, Import, Package, RefTerm, Term } from '../compiler/ast/nodes.js';
import { walk } from '../compiler/ast/walk.js';
import { builtinName } from '../compiler/resolve/builtin-table.js';
import type { Compiled, CompiledQuery } from '../compiler/resolve/compiled.js';
import { isOperator } from '../compiler/resolve/declared.js';
import { rulesAt } from '../compiler/resolve/tree.js';
import type { Builtin } from '../runtime/builtins/builtin.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import type { Expression, Result } from './output.js';

/** What a name in a query may stand for. */
export interface QueryPlace {
  readonly compiled: Compiled;
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly package: Package | undefined;
  readonly imports: readonly Import[];
}

export interface CapturedQuery {
  readonly body: Body;
  /** The variable that has an expression's value, by where the expression begins; absent for those that are just true. */
  readonly variables: ReadonlyMap<number, string>;
}

/** The variable that numbers solutions. No author can write the names of ours. */
const order = '#order';
export const orderName = 'internal.order';

/** Has each expression that has a value leave it in a variable. */
export function captured(query: Body, place: QueryPlace): CapturedQuery {
  const variables = new Map<number, string>();
  const tests: Expr[] = [];
  const mustTest = query.length > 1 || iterates(query, place.builtins);
  const body = query.map((expr, i): Expr => {
    const variable = varTerm(expr.loc, `#${i}`);
    const kept = withCapture(expr, variable, place);
    if (kept === undefined) return expr;
    variables.set(expr.loc.start, variable.name);
    if (mustTest) tests.push({ ...exprBase(expr.loc), generated: true, kind: 'term', term: variable });
    return kept;
  });
  return { body: [...body, ...tests], variables };
}

function withCapture(expr: Expr, variable: Term, place: QueryPlace): Expr | undefined {
  if (expr.negated) return undefined;
  if (expr.kind === 'term') {
    if (expr.term.type === 'call') return undefined;
    const { with: modifiers } = expr;
    return { ...callExpr(expr.loc, operatorRef(expr.loc, 'eq'), [expr.term, variable]), with: modifiers };
  }
  if (expr.kind !== 'call' || isOperator(expr.operator, 'eq') || isOperator(expr.operator, 'assign')) return undefined;
  return arityOf(expr.operator, place) === expr.args.length ? { ...expr, args: [...expr.args, variable] } : undefined;
}

/** How many arguments a function takes; undefined for one that is unknown or has no result. */
function arityOf(operator: RefTerm, place: QueryPlace): number | undefined {
  const name = builtinName(operator.terms);
  const row = name === undefined ? undefined : place.builtins.get(name);
  if (row !== undefined) return row.result === undefined ? undefined : row.args.length;
  const rule = rulesAt(place.compiled.ruleTree, resolved(operator.terms, place))[0];
  return rule?.rule.head.args?.length;
}

function resolved(terms: readonly Term[], place: QueryPlace): readonly Term[] {
  const [head, ...rest] = terms;
  if (head?.type !== 'var' || head.name === 'data') return terms;
  for (const { path, alias } of place.imports) {
    const last = path.terms.at(-1)!;
    const name = alias ?? (last.type === 'string' ? last.value : last.type === 'var' ? last.name : '');
    if (name === head.name) return [...path.terms, ...rest];
  }
  if (place.package === undefined) return terms;
  return [...place.package.path, { type: 'string', loc: head.loc, value: head.name }, ...rest];
}

/** Whether a query may have several solutions: by a variable in a ref, or a relation. */
function iterates(query: Body, builtins: ReadonlyMap<string, Builtin>): boolean {
  let found = false;
  for (const expr of query) {
    walk(expr, (node) => {
      if (node.type.endsWith('comprehension')) return false;
      if (node.type !== 'ref') return;
      const name = builtinName(node.terms);
      if (name !== undefined && builtins.get(name)?.relation === true) found = true;
      if (node.terms.some((term, i) => i > 0 && term.type === 'var')) found = true;
    });
  }
  return found;
}

/** Numbers the solutions of a compiled query: a plan's results are a set, those of a query a list. */
export function ordered(query: CompiledQuery): CompiledQuery {
  const { loc } = query.body[0]!;
  const number: CallExpr = { ...callExpr(loc, operatorRef(loc, orderName), [varTerm(loc, order)]), generated: true };
  return { ...query, body: [...query.body, number] };
}

/** The results of a query, from the bindings that its plan answers. */
export function resultsOf(solutions: readonly Value[], query: Body, compiled: CompiledQuery, { variables }: CapturedQuery): Result[] {
  const expressions = shownExpressions(query, compiled);
  const list = solutions as readonly PlainObject[];
  return list
    .toSorted((a, b) => (a[order] as number) - (b[order] as number))
    .map((solution) => ({
      expressions: expressions.map((expr): Expression => {
        const variable = variables.get(expr.loc.start);
        const { row, col } = expr.loc;
        return { value: variable === undefined ? true : solution[variable]!, text: expr.loc.text, location: { row, col } };
      }),
      bindings: Object.fromEntries(Object.entries(solution).filter(([name]) => !name.startsWith('#'))),
    }));
}

/** The query's own expressions in the order in which they run; declarations are none. */
function shownExpressions(query: Body, compiled: CompiledQuery): readonly Expr[] {
  const written = new Map(query.map((expr) => [expr.loc.start, expr]));
  const shown = new Set<Expr>();
  for (const { generated, loc } of compiled.body) {
    const expr = generated ? undefined : written.get(loc.start);
    if (expr !== undefined) shown.add(expr);
  }
  return [...shown];
}
