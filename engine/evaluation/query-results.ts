/** Captures the value of each expression of a query, as the reference's results do. */
import type { Body, Compiled, CompiledQuery, Expr, Import, Package, Term } from '../../compiler/index.js';
import { type Captured, captureMark, captureValues, varsOf } from '../../compiler/index.js';
import { type PlainObject, sortStrings, type Value } from '../../values/index.js';
import { type OnPlug, timedPlug } from '../query/plug-timer.js';
import { inOrder } from './solutions.js';

/** One solution of a query. */
export interface QuerySolution {
  readonly expressions: readonly Expression[];
  readonly bindings: PlainObject;
}

interface Expression {
  readonly value: Value;
  /** The expression's text in the query. */
  readonly text: string;
  readonly location: { readonly row: number; readonly col: number };
  /** The query's variables in it, sorted: the columns of a table. */
  readonly variables: readonly string[];
}

/** The names that a query may refer to. */
interface QueryScope {
  readonly compiled: Compiled;
  readonly package: Package | undefined;
  readonly imports: readonly Import[];
}

/** Binds the value of each expression that has one to a generated variable. */
export function captured(query: Body, scope: QueryScope): Captured {
  return captureValues(query, scope.compiled, {
    variable: (position) => `${captureMark}${position}`,
    resolve: (operator) => resolved(operator, scope),
  });
}

function resolved(terms: readonly Term[], scope: QueryScope): readonly Term[] {
  const [head, ...rest] = terms;
  if (head?.type !== 'var' || head.name === 'data') return terms;
  for (const { path, alias } of scope.imports) {
    const last = path.terms.at(-1);
    const name = alias ?? (last?.type === 'string' ? last.value : last?.type === 'var' ? last.name : '');
    if (name === head.name) return [...path.terms, ...rest];
  }
  if (scope.package === undefined) return terms;
  return [...scope.package.path, { type: 'string', loc: head.loc, value: head.name }, ...rest];
}

/** The results of a query, from the numbered bindings that its plan returns. */
export function queryResults(
  solutions: readonly Value[],
  query: Body,
  compiled: CompiledQuery,
  { values }: Captured,
  plugged?: OnPlug,
): QuerySolution[] {
  const expressions = shownExpressions(query, compiled);
  const shown = expressions.map((expr) => {
    const { row, col } = expr.loc;
    const variables = sortStrings([...varsOf(expr)]);
    return { variable: values.get(query.indexOf(expr)), text: expr.loc.text, location: { row, col }, variables };
  });
  const resultOf = (solution: PlainObject): QuerySolution => ({
    expressions: shown.map(({ variable, ...expression }): Expression => {
      const value = variable === undefined ? true : solution[variable]!;
      return { value, ...expression };
    }),
    bindings: Object.fromEntries(Object.entries(solution).filter(([name]) => !name.startsWith(captureMark))),
  });
  return inOrder(solutions).map((solution) => timedPlug(plugged, () => resultOf(solution)));
}

/** The query's own expressions in order of execution, without declarations. */
function shownExpressions(query: Body, compiled: CompiledQuery): readonly Expr[] {
  const written = new Map(query.map((expr) => [expr.loc.start, expr]));
  const shown = new Set<Expr>();
  for (const { generated, loc } of compiled.body) {
    const expr = generated ? undefined : written.get(loc.start);
    if (expr !== undefined) shown.add(expr);
  }
  return [...shown];
}
