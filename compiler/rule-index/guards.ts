/**
 * Guards: expressions that decide at once that a rule's body is undefined. The reference's rule
 * index asks them of the input, base documents and arguments before it evaluates a body, so they
 * come first here: none of them fails with an error, sends a request or prints.
 */
import { varTerm } from '../ast/make.js';
import type { Body, CallExpr, Expr, RefTerm, Term } from '../ast/nodes.js';
import { varsOf } from '../ast/vars.js';
import { type IndexContext, type IndexQuestion, Questions } from './questions.js';

interface IndexedBody {
  readonly guards: readonly Expr[];
  readonly rest: Body;
}

const noGuards: readonly Expr[] = [];

/**
 * Splits the body of a rule, or of an `else`. An expression that must not be moved stays, and a
 * copy of it, with variables of its own, is among the guards. Before anything that could tell, only
 * comparisons with constants are worth moving.
 * @param args the head's parameters
 * @param inOrder leave all of the body where it is
 */
export function indexBody(context: IndexContext, body: Body, args: readonly Term[], inOrder: boolean): IndexedBody {
  const questions = new Questions(context, args);
  const asked = questions.of(body);
  if (asked === undefined) return { guards: noGuards, rest: body };
  const first: Expr[] = [];
  const others: Expr[] = [];
  const rest: Expr[] = [];
  const seen = new Set<string>();
  const params = new Set(args.flatMap((arg) => (arg.type === 'var' ? [arg.name] : [])));
  const bound = new Set(params);
  const copied = new Set<string>();
  const bindings = new LeftBindings();
  let tells = inOrder;
  for (const [i, expr] of body.entries()) {
    const questionsOfExpr = asked[i] ?? [];
    const [question] = questionsOfExpr;
    const isWhole = question?.isWhole === true;
    tells ||= !isWhole && questions.tells(expr);
    if (question !== undefined && !isWhole) {
      // Only the conditions of an `and` or an `or` are asked first: it stays where it is.
      for (const part of tells ? questionsOfExpr : []) {
        for (const guard of part.guards) {
          const vars = [...varsOf(guard, { skipOperators: true, skipRefHead: true })].filter(
            (name) => !bound.has(name),
          );
          for (const binding of bindings.take(vars)) others.push(copyOf(binding, { ...part, asksMore: false }, bound));
          others.push(copyOf(guard, part, bound));
        }
      }
    } else if (question !== undefined) {
      const own = [...varsOf(expr, { skipOperators: true, skipRefHead: true })].filter((name) => !params.has(name));
      const vars = own.filter((name) => !bound.has(name));
      if (!tells && (expr.kind === 'term' || own.length > 0 || question.wants === 'text')) {
        rest.push(expr);
        bindings.leave(
          expr,
          vars.filter((name) => !copied.has(name)),
        );
        for (const name of varsOf(expr)) seen.add(name);
        continue;
      }
      for (const binding of bindings.take(vars)) others.push(copyOf(binding, { ...question, asksMore: false }, bound));
      const stays =
        inOrder || (question.asksMore && rest.length > 0) || vars.some((name) => seen.has(name) || copied.has(name));
      for (const name of vars) (stays ? copied : bound).add(name);
      // Comparisons with constants rule out most, and the machine dispatches on them.
      const guards = question.wants === 'value' && own.length === 0 ? first : others;
      guards.push(stays ? copyOf(expr, question, bound) : expr);
      if (!stays) continue;
    }
    rest.push(expr);
    for (const name of varsOf(expr)) seen.add(name);
  }
  const guards = [...first, ...others];
  return { guards, rest: inOrder || guards.length === 0 ? body : rest };
}

/**
 * Comparisons with places that were left where they are. A copy of one binds the copy of its
 * variable, for guards that need it.
 */
class LeftBindings {
  /** The first comparison of each variable, which gives it its value. */
  readonly #left = new Map<string, { readonly expr: Expr; readonly needs: readonly string[] }>();

  leave(expr: Expr, vars: readonly string[]): void {
    const needs = vars.filter((name) => this.#left.has(name));
    for (const name of vars) if (!this.#left.has(name)) this.#left.set(name, { expr, needs });
  }

  /** The comparisons that some variables need, each after those whose variables it needs. */
  take(vars: readonly string[]): readonly Expr[] {
    const taken = new Set<Expr>();
    const take = (name: string): void => {
      const binding = this.#left.get(name);
      this.#left.delete(name);
      if (binding === undefined) return;
      binding.needs.forEach(take);
      if (binding.expr.kind === 'call') taken.add(binding.expr);
    };
    vars.forEach(take);
    return [...taken];
  }
}

/**
 * The same question without consequences: variables that are not bound yet have other names, which
 * no author can write.
 */
function copyOf(expr: Expr, { asksMore }: IndexQuestion, bound: ReadonlySet<string>): Expr {
  if (asksMore && expr.kind === 'term') return equality(expr, varTerm(expr.loc, `#${expr.loc.start}`), expr.term);
  const copy = (term: Term): Term => {
    if (term.type === 'var' && !bound.has(term.name)) return varTerm(term.loc, `#${term.name}`);
    if (term.type === 'ref') return { ...term, terms: [term.terms[0], ...term.terms.slice(1).map(copy)] };
    return term.type === 'array' ? { ...term, items: term.items.map(copy) } : term;
  };
  return expr.kind === 'call' ? { ...expr, args: expr.args.map(copy) } : expr;
}

function equality({ loc }: Expr, a: Term, b: Term): CallExpr {
  const operator: RefTerm = { type: 'ref', loc, terms: [varTerm(loc, 'eq')] };
  return { type: 'expr', kind: 'call', loc, negated: false, generated: true, with: [], operator, args: [a, b] };
}
