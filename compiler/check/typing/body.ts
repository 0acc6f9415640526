/** Types of variables from the expressions of bodies, and expressions that cannot be true. */

import type { Body, CallExpr, Comprehension, Expr, Node, RefTerm, Term, With } from '../../ast/nodes.js';
import { isRoot, leadingKeys } from '../../ast/paths.js';
import { printRef } from '../../ast/print.js';
import { forEachChild } from '../../ast/walk.js';
import { diagnose } from '../../diagnostics/diagnostics.js';
import { builtinName } from '../../resolve/builtin-table.js';
import { isOperator } from '../../resolve/expression-kinds.js';
import type { Span } from '../../source/location.js';
import { checkRef } from './check-ref.js';
import type { ArgumentComplaint, Doubt, TypeFinding } from './details.js';
import { argumentError, isError, matchError, writtenTerms } from './details.js';
import { type Globals, TypeScope } from './env.js';
import { unifies } from './overlap.js';
import { keyTypeOf, valuesOf } from './select.js';
import type { TypeTree } from './tree.js';
import type { FunctionType, Type } from './type.js';
import {
  anything,
  arrayType,
  bounded,
  isAnything,
  isEmpty,
  isUnknown,
  objectType,
  operandType,
  setType,
} from './type.js';
import { bindUnknown, unifyTerm, unifyTerms } from './type-unification.js';

interface CheckedBody {
  /** Knows the types of the body's variables. */
  readonly scope: TypeScope;
  readonly errors: readonly TypeFinding[];
}

const noErrors: readonly TypeFinding[] = [];

/** Checks the bodies of one rule or query. `names` are the written names of generated variables. */
export class BodyChecker {
  readonly #globals: Globals;
  readonly #names: ReadonlyMap<string, string>;
  readonly #allowUndefined: boolean;
  /** Whether an expression has modifiers: what depends on what is part of the result then. */
  replaces = false;
  /** Types of comprehensions; undefined for those with errors. */
  readonly #closures = new Map<Term, Type | undefined>();

  constructor(globals: Globals, names: ReadonlyMap<string, string>, allowUndefined = false) {
    this.#globals = globals;
    this.#names = names;
    this.#allowUndefined = allowUndefined;
  }

  /** Checks an ordered body. `documents` are the ones with schemas. */
  body(body: Body, documents?: ReadonlyMap<string, TypeTree>): CheckedBody {
    return this.#body(body, this.scope(documents));
  }

  /** The scope of an outermost body. */
  scope(documents?: ReadonlyMap<string, TypeTree>): TypeScope {
    return new TypeScope(this.#globals, (term) => this.#closures.get(term), undefined, documents);
  }

  /** The scope of the parts of an expression: with the documents that its modifiers replace. */
  scopeOf(expr: Expr, outer: TypeScope): TypeScope {
    const { replacements } = this.#globals;
    if (expr.with.length === 0 || !replacements) return outer;
    this.replaces = true;
    return outer.replacing(replacements.documents(expr));
  }

  #body(body: Body, scope: TypeScope): CheckedBody {
    let errors: TypeFinding[] | undefined;
    for (const expr of body) {
      const found = this.expr(expr, scope);
      if (found.length > 0) (errors ??= []).push(...found);
    }
    return { scope, errors: errors ?? noErrors };
  }

  /** Checks an expression behind others, and notes the types of its variables. */
  expr(expr: Expr, outer: TypeScope): readonly TypeFinding[] {
    const scope = this.scopeOf(expr, outer);
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
    const error = this.#statement(expr, scope, outer);
    // A type that is unknown because of a reported error is not reported again.
    return error && !(error.vague && errors.length > 0) ? [...errors, error] : errors;
  }

  #closure(term: Comprehension, outer: TypeScope): readonly TypeFinding[] {
    const { scope, errors } = this.#body(term.body, outer.inner());
    this.#closures.set(term, errors.some(isError) ? undefined : bounded(typeOfComprehension(term, scope)));
    return errors;
  }

  #statement(expr: Expr, scope: TypeScope, outer: TypeScope): TypeFinding | undefined {
    for (const modifier of expr.with) {
      const error = this.#modifier(modifier, outer);
      if (error) return error;
    }
    if (expr.kind !== 'call') return undefined;
    return isOperator(expr.operator, 'eq') ? this.#unification(expr, scope) : this.#call(expr, scope);
  }

  /** A unification has no result that could be used. */
  #unification({ operator, args, loc }: CallExpr, scope: TypeScope): TypeFinding | undefined {
    const [a, b, more] = args;
    if (!a || !b || more) {
      const type = this.#globals.function(operator);
      if (type === undefined) return undefined;
      const complaint = more ? 'tooManyArguments' : 'tooFewArguments';
      const have = args.map((arg) => scope.typeOf(arg));
      return argumentError(complaint, loc, { name: 'eq', have, want: type, withResult: false });
    }
    const left = scope.typeOf(a);
    const right = scope.typeOf(b);
    return unifyTerms(scope, a, left, b, right) ? undefined : matchError(loc, left, right);
  }

  #call({ operator, args, loc }: CallExpr, scope: TypeScope): TypeFinding | undefined {
    const isReplaced = scope.replaces(builtinName(operator.terms));
    const type = isReplaced ? anything : (this.#globals.function(operator) ?? scope.typeOfRef(operator));
    if (type === undefined && this.#allowUndefined) return undefined;
    // A function with an error, one that is replaced, and a rule without parameters.
    if (type?.kind === 'any') {
      for (const arg of args) bindUnknown(arg, scope);
      return undefined;
    }
    const name = (): string => printRef(writtenTerms(operator.terms, this.#names));
    if (type?.kind !== 'function')
      return { diagnostic: diagnose('undefinedFunction', loc, { name: name() }), vague: false };
    const wrong = (complaint: ArgumentComplaint): TypeFinding =>
      argumentError(complaint, loc, { name: name(), have: args.map((arg) => scope.typeOf(arg)), want: type });
    const most = type.variadic ? Number.POSITIVE_INFINITY : type.args.length + (type.result ? 1 : 0);
    if (args.length > most) return wrong('tooManyArguments');
    if (args.length < type.args.length) return wrong('tooFewArguments');
    const fits = args.every((arg, i) => unifyTerm(scope, arg, operandType(type, i)));
    return fits ? this.#membership(operator, args, loc, scope) : wrong('invalidArguments');
  }

  /** The operands of `in`: a collection has a member of their types. */
  #membership(operator: RefTerm, args: readonly Term[], loc: Span, scope: TypeScope): TypeFinding | undefined {
    const name = memberName(operator);
    if (name === undefined) return undefined;
    const [keys, values] = name === 'member_2' ? [[], args] : [args.slice(0, 1), args.slice(1)];
    const [value, container] = values;
    if (value === undefined || container === undefined) return undefined;
    const collection = scope.typeOf(container);
    const sides = [...keys.map((key) => [key, keyTypeOf(collection)] as const), [value, valuesOf(collection)] as const];
    for (const [term, side] of sides) {
      const have = scope.typeOf(term);
      if (isUnknown(have) || isAnything(have)) continue;
      if (isEmpty(collection)) return { ...matchError(loc, have, collection), doubt: this.#emptyContainer(container) };
      if (!isUnknown(side) && !unifies(have, side)) return matchError(loc, have, side);
    }
    return undefined;
  }

  #emptyContainer(container: Term): Doubt {
    const { loc } = container;
    const [head, ...keys] = container.type === 'ref' ? writtenTerms(container.terms, this.#names) : [];
    const isData = isRoot(head, 'data');
    return { span: loc, text: loc.text, path: isData ? leadingKeys(keys) : undefined };
  }

  /** A function may be replaced by one that takes the same. */
  #modifier({ target, value, loc }: With, scope: TypeScope): TypeFinding | undefined {
    const replaced = this.#typeOfFunction(target, scope);
    const replacement = replaced && this.#typeOfFunction(value, scope);
    if (!replaced || !replacement || unifies(replaced, replacement)) return undefined;
    const name = target.type === 'ref' ? printRef(target.terms) : '';
    return argumentError('builtinArity', loc, { name, have: replacement.args, want: replaced, withResult: false });
  }

  #typeOfFunction(term: Term, scope: TypeScope): FunctionType | undefined {
    const type = (term.type === 'ref' ? this.#globals.function(term) : undefined) ?? scope.typeOf(term);
    return type?.kind === 'function' ? type : undefined;
  }
}

/** `member_2` for `x in xs`, `member_3` for `k, x in xs`. */
function memberName({ terms: [head, name] }: RefTerm): 'member_2' | 'member_3' | undefined {
  if (head?.type !== 'var' || head.name !== 'internal' || name?.type !== 'string') return undefined;
  return name.value === 'member_2' || name.value === 'member_3' ? name.value : undefined;
}

/**
 * Parameters of which the body says nothing may be anything here, and are still unknown outside.
 */
function typeOfComprehension(term: Comprehension, scope: TypeScope): Type {
  for (const head of term.type === 'objectcomprehension' ? [term.key, term.value] : [term.term])
    bindUnknown(head, scope);
  switch (term.type) {
    case 'arraycomprehension':
      return arrayType([], scope.typeOf(term.term) ?? anything);
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
