/**
 * Shortens a body of the residual: variables that only name something else are replaced by it.
 *
 * Equalities of variables with each other and with constants go first. Then, in order, refs and
 * calls that have a variable for their value stand for it where it is used. A ref or call that is
 * left out this way is added again at the end if its variable is still used, or if nothing else
 * tests that it is defined.
 */
import type { Body, CallExpr, Expr, Span, Term } from '../../../../compiler/index.js';
import {
  callTerm,
  compareTerms,
  equalityExpr,
  FromInside,
  isLiteral,
  nowhere,
  replacedPath,
  varsOf,
  varTerm,
  walk,
} from '../../../../compiler/index.js';
import { countWork } from '../../../../values/index.js';
import type { AuthorVariables } from './author-variables.js';
import { Classes } from './classes.js';
import { DefinedTerms } from './defined-terms.js';
import { canBeEqual, type Equality, isResidualEquality } from './shapes.js';
import { Substitution } from './substitute.js';
import { checkDepth } from './term-depth.js';

interface Facts {
  /** Whether a call has an operand for its value, which is the only one. */
  hasOutput(call: CallExpr): boolean;
  /** Whether a term is defined for all values of the unknowns. */
  isDefined(term: Term): boolean;
  /** A body without what its types rule out; undefined if it can never hold. */
  possible(body: Body): Body | undefined;
  /**
   * Takes each variable that is replaced, and the expression that replaces it. Without it,
   * equalities that are added again have no place: errors of filters have none in the reference.
   */
  readonly variables: Pick<AuthorVariables, 'replace'> | undefined;
}

/**
 * @param live variables that the residual must keep: of the query, or of a rule's head
 * @returns undefined if the body never holds
 */
export function propagate(body: Body, live: ReadonlySet<string>, facts: Facts): Body | undefined {
  countWork(body.length);
  const classes = new Classes(live);
  const rest: Expr[] = [];
  for (const expr of body) {
    const outcome = classes.add(expr);
    if (outcome === 'never') return undefined;
    if (outcome === 'other') rest.push(expr);
  }
  const { variables } = facts;
  if (variables !== undefined) classes.each((name, term) => variables.replace(name, term, nowhere));
  const substitution = new Substitution((name) => classes.termOf(name));
  const same: Expr[] = [];
  for (const expr of rest) {
    const next = substitution.expr(expr);
    const holds = decided(next);
    if (holds === false) return undefined;
    if (holds === undefined) same.push(next);
  }
  const possible = facts.possible(same);
  return possible && new Shortening(facts, live, possible).body(classes.equalities());
}

/** Whether a constant alone holds, or false for an equality that cannot; undefined for the rest. */
function decided(expr: Expr): boolean | undefined {
  // Where no document can be replaced, the expression has no value at all.
  if (expr.with.some(({ target }) => target.type === 'ref' && replacedPath(target) === undefined)) return undefined;
  if (isResidualEquality(expr)) return expr.negated || canBeEqual(...expr.args) ? undefined : false;
  if (expr.kind !== 'term' || !isLiteral(expr.term)) return undefined;
  return (expr.term.type === 'boolean' && !expr.term.value) === expr.negated;
}

/** A ref or a call that stands for its variable. */
interface Named {
  readonly term: Term;
  /** The expression that gives the variable its value. */
  readonly expr: Expr;
}

class Shortening {
  readonly #facts: Facts;
  readonly #live: ReadonlySet<string>;
  readonly #exprs: Body;
  readonly #named = new Map<string, Named>();
  /** Variables whose parts are looked up: a call cannot replace them. */
  readonly #heads: ReadonlySet<string>;

  constructor(facts: Facts, live: ReadonlySet<string>, exprs: Body) {
    this.#facts = facts;
    this.#live = live;
    this.#exprs = exprs;
    this.#heads = headsOf(exprs);
  }

  body(equalities: Body): Body {
    const result: Expr[] = [];
    const same: Equality[] = [];
    for (const expr of this.#exprs) {
      const next = this.#substituted(expr);
      if (this.#name(next)) continue;
      if (!isSame(next)) result.push(next);
      else if (!this.#facts.isDefined(next.args[0])) same.push(next);
    }
    result.push(...equalities);
    return withTests(this.#complete(result), same);
  }

  /** Adds the other expressions that the body needs. */
  #complete(result: Expr[]): Body {
    const used = new Set(result.flatMap((expr) => [...varsOf(expr)]));
    const defined = new DefinedTerms();
    for (const expr of result) defined.add(expr);
    const left = new Map(this.#named);
    // One that is added may use another one.
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [name, { term, expr }] of left) {
        if (!used.has(name) && (defined.has(term) || this.#facts.isDefined(term))) continue;
        left.delete(name);
        result.push(expr);
        defined.add(expr);
        for (const one of varsOf(expr)) used.add(one);
        isChanged = true;
      }
    }
    return result;
  }

  /** Takes an expression that gives a variable its value. */
  #name(expr: Expr): boolean {
    if (expr.kind !== 'call' || expr.negated || expr.with.length > 0) return false;
    if (isResidualEquality(expr)) {
      const [a, b] = expr.args;
      return this.#nameRef(a, b, expr.loc) || this.#nameRef(b, a, expr.loc);
    }
    return this.#nameCall(expr);
  }

  #nameRef(variable: Term, term: Term, loc: Span): boolean {
    if (variable.type !== 'var' || term.type !== 'ref' || !this.#canName(variable.name)) return false;
    // A variable whose parts are looked up is not bound by a ref inside of the same ref.
    const keys = varsOf(term, { skipRefHead: true });
    if (varsOf(term).has(variable.name) || [...keys].some((name) => this.#heads.has(name))) return false;
    checkDepth(term);
    const expr = {
      ...equalityExpr([varTerm(nowhere, variable.name), term]),
      loc: this.#facts.variables ? loc : nowhere,
    };
    this.#add(variable.name, { term, expr });
    return true;
  }

  #nameCall(expr: CallExpr): boolean {
    const output = expr.args.at(-1);
    if (output?.type !== 'var' || !this.#canName(output.name) || this.#heads.has(output.name)) return false;
    if (!this.#facts.hasOutput(expr)) return false;
    const args = expr.args.slice(0, -1);
    if (args.some((arg) => knownVars(arg).has(output.name))) return false;
    const term = callTerm(nowhere, expr.operator, args);
    checkDepth(term);
    this.#add(output.name, { term, expr });
    return true;
  }

  #add(name: string, named: Named): void {
    this.#named.set(name, named);
    this.#facts.variables?.replace(name, named.term, named.expr.loc);
  }

  #canName(name: string): boolean {
    return !this.#live.has(name) && !this.#named.has(name);
  }

  #substituted(expr: Expr): Expr {
    // Modifiers may replace the refs that would be written into the expression.
    if (expr.with.length > 0) return new Substitution((name) => this.#term(name, false)).modifiers(expr);
    const isInside = expr.negated || expr.kind === 'not';
    const substitution = new Substitution(
      (name) => this.#term(name, isInside),
      (name) => this.#term(name, true),
    );
    return substitution.expr(expr);
  }

  /** @param isInside in a scope where the term's own variables would be other ones */
  #term(name: string, isInside: boolean): Term | undefined {
    const named = this.#named.get(name);
    if (named === undefined || (isInside && !hasNoVariables(named.term))) return undefined;
    return named.term;
  }
}

/** The body with those equalities of a term with itself that alone say that it is defined. */
function withTests(body: readonly Expr[], same: readonly Equality[]): Body {
  const defined = new DefinedTerms();
  for (const expr of body) defined.add(expr);
  const tests = same.filter((expr) => {
    const isNew = !defined.has(expr.args[0]);
    if (isNew) defined.add(expr);
    return isNew;
  });
  return [...body, ...tests];
}

/** An equality of a ref or a call with itself. */
function isSame(expr: Expr): expr is Equality {
  return isResidualEquality(expr) && !expr.negated && expr.with.length === 0 && compareTerms(...expr.args) === 0;
}

function hasNoVariables(term: Term): boolean {
  return [...varsOf(term, { skipOperators: true })].every((name) => name === 'data' || name === 'input');
}

function headsOf(exprs: Body): ReadonlySet<string> {
  const heads = new Set<string>();
  for (const expr of exprs) {
    walk(expr, (node) => {
      const head = node.type === 'ref' && node.terms.length > 1 ? node.terms[0] : undefined;
      if (head?.type === 'var') heads.add(head.name);
    });
  }
  return heads;
}

const known = new WeakMap<Term | Expr, ReadonlySet<string>>();
const sets = new FromInside<ReadonlySet<string>>(makeVars);

/** As `varsOf`, in time that does not grow with the depth of a term whose parts were asked for. */
function knownVars(term: Term): ReadonlySet<string> {
  let vars = known.get(term);
  if (vars === undefined) known.set(term, (vars = sets.of(term)));
  return vars;
}

function makeVars(node: Term | Expr): ReadonlySet<string> {
  switch (node.type) {
    case 'call':
      return union([node.operator, ...node.args]);
    case 'ref':
      return union(node.terms);
    case 'array':
    case 'set':
      return union(node.items);
    case 'object':
      return union(node.entries.flatMap(({ key, value }) => [key, value]));
    default:
      return varsOf(node);
  }
}

/** Terms with the same variables share a set. */
function union(terms: readonly Term[]): ReadonlySet<string> {
  const parts = terms.map(knownVars).sort((a, b) => b.size - a.size);
  const [largest = new Set<string>()] = parts;
  if (parts.every((part) => [...part].every((name) => largest.has(name)))) return largest;
  return new Set(parts.flatMap((part) => [...part]));
}
