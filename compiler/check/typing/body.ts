/** Types of variables from the expressions of bodies, and expressions that cannot be true. */

import type { Body, CallExpr, Comprehension, Expr, Node, RefTerm, Term, With } from '../../ast/nodes.js';
import { printRef } from '../../ast/print.js';
import { forEachChild } from '../../ast/walk.js';
import { diagnose } from '../../diagnostics/diagnostics.js';
import { isOperator } from '../../resolve/declared.js';
import { argumentError, type Finding, matchError, writtenTerms } from './details.js';
import { type Globals, Scope } from './env.js';
import { unifies } from './overlap.js';
import { checkRef } from './refs.js';
import type { TypeTree } from './tree.js';
import { arrayType, bounded, type FunctionType, objectType, operandType, setType, type Type } from './type.js';
import { bindUnknown, unifyTerm, unifyTerms } from './unify.js';

interface CheckedBody {
  /** Knows the types of the body's variables. */
  readonly scope: Scope;
  readonly errors: readonly Finding[];
}

const noErrors: readonly Finding[] = [];

/** Checks the bodies of one rule or query. `names` are the written names of generated variables. */
export class BodyChecker {
  readonly #globals: Globals;
  readonly #names: ReadonlyMap<string, string>;
  readonly #allowUndefined: boolean;
  /** Types of comprehensions; undefined for those with errors. */
  readonly #closures = new Map<Term, Type | undefined>();

  constructor(globals: Globals, names: ReadonlyMap<string, string>, allowUndefined = false) {
    this.#globals = globals;
    this.#names = names;
    this.#allowUndefined = allowUndefined;
  }

  /** Checks an ordered body. `documents` are the ones with schemas. */
  body(body: Body, documents?: ReadonlyMap<string, TypeTree>): CheckedBody {
    return this.#body(body, new Scope(this.#globals, (term) => this.#closures.get(term), undefined, documents));
  }

  #body(body: Body, scope: Scope): CheckedBody {
    let errors: Finding[] | undefined;
    for (const expr of body) {
      const found = this.#expr(expr, scope);
      if (found.length > 0) (errors ??= []).push(...found);
    }
    return { scope, errors: errors ?? noErrors };
  }

  #expr(expr: Expr, scope: Scope): readonly Finding[] {
    if (expr.kind === 'not') return this.#body(expr.body, scope.inner()).errors;
    if (expr.kind === 'and' || expr.kind === 'or') {
      return [...this.#body(expr.lhs, scope.inner()).errors, ...this.#body(expr.rhs, scope.inner()).errors];
    }
    const { closures, refs } = partsOf(expr);
    let errors = noErrors;
    for (const closure of closures) {
      const found = this.#closure(closure, scope);
      if (found.length > 0) errors = found;
    }
    for (const ref of refs) {
      const error = checkRef(scope, ref, this.#names);
      if (error) errors = [...errors, error];
    }
    const error = this.#statement(expr, scope);
    // A type that is unknown because of a reported error is not reported again.
    return error && !(error.vague && errors.length > 0) ? [...errors, error] : errors;
  }

  #closure(term: Comprehension, outer: Scope): readonly Finding[] {
    const { scope, errors } = this.#body(term.body, outer.inner());
    this.#closures.set(term, errors.length > 0 ? undefined : bounded(typeOfComprehension(term, scope)));
    return errors;
  }

  #statement(expr: Expr, scope: Scope): Finding | undefined {
    for (const modifier of expr.with) {
      const error = this.#modifier(modifier, scope);
      if (error) return error;
    }
    if (expr.kind !== 'call') return undefined;
    return isOperator(expr.operator, 'eq') ? this.#unification(expr, scope) : this.#call(expr, scope);
  }

  /** A unification has no result that could be used. */
  #unification({ operator, args, loc }: CallExpr, scope: Scope): Finding | undefined {
    const [a, b, more] = args;
    const type = this.#globals.function(operator);
    if (type && (!a || !b || more)) {
      const complaint = more ? 'tooManyArguments' : 'tooFewArguments';
      return argumentError(
        complaint,
        loc,
        'eq',
        args.map((arg) => scope.typeOf(arg)),
        type,
        false,
      );
    }
    const left = scope.typeOf(a!);
    const right = scope.typeOf(b!);
    return unifyTerms(scope, a!, left, b!, right) ? undefined : matchError(loc, left, right);
  }

  #call({ operator, args, loc }: CallExpr, scope: Scope): Finding | undefined {
    const type = this.#globals.function(operator) ?? scope.typeOfRef(operator);
    if (type === undefined && this.#allowUndefined) return undefined;
    // A function with an error may be anything.
    if (type?.kind === 'any') return undefined;
    const name = (): string => printRef(writtenTerms(operator.terms, this.#names));
    if (type?.kind !== 'function') return { diagnostic: diagnose('undefinedFunction', loc, { name: name() }), vague: false };
    const have = (): readonly (Type | undefined)[] => args.map((arg) => scope.typeOf(arg));
    const most = type.variadic ? Number.POSITIVE_INFINITY : type.args.length + (type.result ? 1 : 0);
    if (args.length > most) return argumentError('tooManyArguments', loc, name(), have(), type);
    if (args.length < type.args.length) return argumentError('tooFewArguments', loc, name(), have(), type);
    const fits = args.every((arg, i) => unifyTerm(scope, arg, operandType(type, i), false));
    return fits ? undefined : argumentError('invalidArguments', loc, name(), have(), type);
  }

  /** A function may be replaced by one that takes the same. */
  #modifier({ target, value, loc }: With, scope: Scope): Finding | undefined {
    const replaced = this.#typeOfFunction(target, scope);
    const replacement = replaced && this.#typeOfFunction(value, scope);
    if (!replaced || !replacement || unifies(replaced, replacement)) return undefined;
    const name = target.type === 'ref' ? printRef(target.terms) : '';
    return argumentError('builtinArity', loc, name, replacement.args, replaced, false);
  }

  #typeOfFunction(term: Term, scope: Scope): FunctionType | undefined {
    const type = (term.type === 'ref' ? this.#globals.function(term) : undefined) ?? scope.typeOf(term);
    return type?.kind === 'function' ? type : undefined;
  }
}

/**
 * Parameters of which the body says nothing may be anything here, and are still unknown outside.
 */
function typeOfComprehension(term: Comprehension, scope: Scope): Type {
  for (const head of term.type === 'objectcomprehension' ? [term.key, term.value] : [term.term]) bindUnknown(head, scope);
  switch (term.type) {
    case 'arraycomprehension':
      return arrayType([], scope.typeOf(term.term));
    case 'setcomprehension':
      return setType(scope.typeOf(term.term));
    case 'objectcomprehension':
      return objectType([], { key: scope.typeOf(term.key), value: scope.typeOf(term.value) });
  }
}

interface Parts {
  readonly closures: Comprehension[];
  readonly refs: RefTerm[];
}

const noParts: Parts = { closures: [], refs: [] };

/**
 * The outermost comprehensions of an expression, and the refs outside of them; operators of calls
 * and modifiers are none.
 */
function partsOf(expr: Expr): Parts {
  if (expr.kind === 'call' ? expr.args.every(isPlain) : expr.kind === 'term' && isPlain(expr.term)) return noParts;
  const parts: Parts = { closures: [], refs: [] };
  const add = (node: Node): void => {
    switch (node.type) {
      case 'null':
      case 'boolean':
      case 'number':
      case 'string':
      case 'var':
      case 'with':
        return;
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        parts.closures.push(node);
        return;
      case 'ref':
        parts.refs.push(node);
        if (node.terms.every(isPlain)) return;
        break;
      case 'expr':
        if (node.kind !== 'call') break;
        node.args.forEach(add);
        return;
    }
    forEachChild(node, add);
  };
  add(expr);
  return parts;
}

function isPlain({ type }: Node): boolean {
  return type === 'var' || type === 'string' || type === 'number' || type === 'boolean' || type === 'null';
}
