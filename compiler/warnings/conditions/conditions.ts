/** The conditions of a body: tests of values, which a key tells apart. */

import type { TypeName, Value } from '../../../values/index.js';
import { isRootName, isScalar } from '../../ast/names.js';
import type { Body, CallExpr, Expr, RefTerm, Term } from '../../ast/nodes.js';
import { printTerm } from '../../ast/print.js';
import { walk } from '../../ast/walk.js';
import { isConstant, jsonOfTerm } from '../../check/typing/constant-terms.js';
import { type BuiltinTable, builtinName } from '../../resolve/builtin-table.js';
import { isEquality } from '../../resolve/expression-kinds.js';
import { type Form, formOf } from './known-forms.js';
import type { ValueTest } from './value-tests.js';

/** A condition that tests one value. */
export interface Condition {
  /** The value: a ref, a call or a variable by its text. Equal keys of a body have one value. */
  readonly key: string;
  readonly test: ValueTest;
  /** Under `not`: it holds for an undefined value too. */
  readonly isNegated: boolean;
  readonly expr: Expr;
}

/** A condition that is more than a test of one value. */
interface OtherCondition {
  /** Its text; equal texts of a body are one condition. */
  readonly text: string;
  readonly expr: Expr;
}

export interface Conditions {
  readonly tests: readonly Condition[];
  readonly others: readonly OtherCondition[];
  /** Refs whose values must be defined. */
  readonly defined: readonly Condition[];
  /** The forms of values, by key. */
  readonly forms: ReadonlyMap<string, Form>;
  /** A term for each tested value, by key. */
  readonly terms: ReadonlyMap<string, Term>;
  /** The keys of variables. */
  readonly keys: ReadonlyMap<string, string>;
}

/** It stands before names in keys that mean something in one body only. */
const localMark = '\u0001';

/** Whether a key, or a text, means the same in other bodies. */
export function isShared(key: string): boolean {
  return !key.includes(localMark);
}

/** A value as a condition has it: a constant, or a key. */
interface Operand {
  readonly value?: Value;
  readonly key: string;
  readonly term?: Term;
}

const comparisons: Readonly<Record<string, 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte'>> = {
  eq: 'eq',
  equal: 'eq',
  neq: 'neq',
  lt: 'lt',
  lte: 'lte',
  gt: 'gt',
  gte: 'gte',
};

const mirrored = { eq: 'eq', neq: 'neq', lt: 'gt', lte: 'gte', gt: 'lt', gte: 'lte' } as const;

const typeTests: Readonly<Record<string, TypeName>> = {
  is_string: 'string',
  is_number: 'number',
  is_boolean: 'boolean',
  is_array: 'array',
  is_object: 'object',
  is_set: 'set',
  is_null: 'null',
};

const textTests: Readonly<Record<string, 'prefix' | 'suffix' | 'substring'>> = {
  startswith: 'prefix',
  endswith: 'suffix',
  contains: 'substring',
};

/**
 * The conditions of a compiled body.
 * @param given keys of variables that stand outside of the body: parameters of a function
 */
export function conditionsOf(
  body: Body,
  builtins: BuiltinTable,
  given: ReadonlyMap<string, string> = new Map(),
): Conditions {
  return new BodyReader(builtins, given).read(body);
}

class BodyReader {
  readonly #builtins: BuiltinTable;
  readonly #keys: Map<string, string>;
  readonly #tests: Condition[] = [];
  readonly #others: OtherCondition[] = [];
  readonly #defined: Condition[] = [];
  readonly #forms = new Map<string, Form>();
  readonly #terms = new Map<string, Term>();

  constructor(builtins: BuiltinTable, given: ReadonlyMap<string, string>) {
    this.#builtins = builtins;
    this.#keys = new Map(given);
  }

  read(body: Body): Conditions {
    for (const expr of body) {
      if (expr.with.length > 0) this.#other(expr);
      else if (expr.kind === 'term') this.#term(expr, expr.term);
      else if (expr.kind === 'call') this.#call(expr);
      else this.#other(expr);
    }
    return {
      tests: this.#tests,
      others: this.#others,
      defined: this.#defined,
      forms: this.#forms,
      terms: this.#terms,
      keys: this.#keys,
    };
  }

  #term(expr: Expr, term: Term): void {
    if (!expr.negated && term.type === 'boolean' && term.value) return;
    const operand = this.#operand(term);
    if (operand === undefined || operand.value !== undefined) this.#other(expr);
    else this.#test(operand, { op: 'not false' }, expr);
  }

  #call(expr: CallExpr): void {
    const { operator, args } = expr;
    const name = builtinName(operator.terms);
    const [a, b, output] = args;
    if (!expr.negated && isEquality(expr) && this.#isDefinition(expr, expr.args)) return;
    const op = name === undefined ? undefined : comparisons[name];
    if (op !== undefined && a && b && !output) return this.#comparison(expr, op, a, b);
    if (!expr.negated && name !== undefined && this.#isCallWithOutput(name, expr)) return;
    const operand = a && this.#operand(a);
    if (name === undefined || operand === undefined || operand.value !== undefined) return this.#other(expr);
    const type = typeTests[name];
    if (type !== undefined && !b) return this.#test(operand, { op: 'type', types: [type] }, expr);
    const text = textTests[name];
    if (text !== undefined && b?.type === 'string' && !output)
      return this.#test(operand, { op: text, value: b.value }, expr);
    const values = name === 'internal.member_2' && b && !output ? membersOf(b) : undefined;
    if (values !== undefined) return this.#test(operand, { op: 'in', values }, expr);
    this.#other(expr);
  }

  /** `x := ref` gives a variable the key of the ref, unless it has one. */
  #isDefinition(expr: CallExpr, [a, b]: readonly [Term, Term]): boolean {
    for (const [variable, term] of [
      [a, b],
      [b, a],
    ] as const) {
      if (variable.type !== 'var' || this.#keys.has(variable.name)) continue;
      const operand = this.#operand(term);
      if (operand === undefined || operand.value !== undefined) continue;
      this.#keys.set(variable.name, operand.key);
      this.#defined.push({ key: operand.key, test: { op: 'defined' }, isNegated: false, expr });
      return true;
    }
    return false;
  }

  /** A call of a built-in gives its output a key. */
  #isCallWithOutput(name: string, expr: CallExpr): boolean {
    const { args } = expr;
    const builtin = this.#builtins.get(name);
    const output = args.at(-1);
    if (builtin === undefined || builtin.relation || args.length !== builtin.args.length + 1) return false;
    if (output?.type !== 'var' || this.#keys.has(output.name)) return false;
    const operands = args.slice(0, -1).map((term) => this.#operand(term));
    if (operands.some((operand) => operand === undefined)) return false;
    const key = `${name}(${operands.map((operand) => operand!.key).join(', ')})`;
    this.#keys.set(output.name, key);
    this.#defined.push({ key, test: { op: 'defined' }, isNegated: false, expr });
    const form = formOf(name);
    if (form) this.#forms.set(key, form);
    return true;
  }

  #comparison(expr: CallExpr, op: keyof typeof mirrored, a: Term, b: Term): void {
    const [left, right] = [this.#operand(a), this.#operand(b)];
    if (left === undefined || right === undefined) return this.#other(expr);
    if (left.value === undefined && right.value !== undefined)
      return this.#test(left, { op, value: right.value }, expr);
    if (left.value !== undefined && right.value === undefined)
      return this.#test(right, { op: mirrored[op], value: left.value }, expr);
    this.#other(expr);
  }

  #test({ key, term }: Operand, test: ValueTest, expr: Expr): void {
    if (term && !this.#terms.has(key)) this.#terms.set(key, term);
    this.#tests.push({ key, test, isNegated: expr.negated, expr });
  }

  #other(expr: Expr): void {
    this.#others.push(new LateText(expr, (each) => this.#textOf(each)));
  }

  /** The text of an expression, with keys in the place of variables. */
  #textOf(expr: Expr): string {
    const names = new Map<string, string>();
    walk(expr, (node) => {
      if (node.type === 'var') names.set(node.name, this.#keyOf(node.name));
    });
    const { text } = expr.loc;
    return `${text} ${[...names.values()].join(' ')}`;
  }

  /** Names of documents and built-ins are the same everywhere, others in one body. */
  #keyOf(name: string): string {
    const isGlobal = isRootName(name) || this.#builtins.get(name) !== undefined;
    return this.#keys.get(name) ?? (isGlobal ? name : `${localMark}${name}`);
  }

  /** A constant, or a term that has a key; undefined for others. */
  #operand(term: Term): Operand | undefined {
    if (isConstant(term)) {
      const value = hasSet(term) ? undefined : jsonOfTerm(term);
      return value === undefined ? undefined : { value, key: printTerm(term) };
    }
    if (term.type === 'var') return { key: this.#keyOf(term.name), term };
    return term.type === 'ref' ? this.#ref(term) : undefined;
  }

  #ref(term: RefTerm): Operand | undefined {
    const [head, ...keys] = term.terms;
    if (head.type !== 'var') return undefined;
    let text = isRootName(head.name) ? head.name : this.#keyOf(head.name);
    for (const key of keys) {
      if (key.type === 'var') text += `[${this.#keyOf(key.name)}]`;
      else if (isScalar(key)) text += `[${printTerm(key)}]`;
      else return undefined;
    }
    return { key: text, term };
  }
}

/** A condition whose text is made when it is asked for: few are compared. */
class LateText implements OtherCondition {
  readonly expr: Expr;
  readonly #textOf: (expr: Expr) => string;

  constructor(expr: Expr, textOf: (expr: Expr) => string) {
    this.expr = expr;
    this.#textOf = textOf;
  }

  get text(): string {
    return this.#textOf(this.expr);
  }
}

/** Sets as JSON look like arrays. */
function hasSet(term: Term): boolean {
  let found = false;
  walk(term, ({ type }) => {
    found ||= type === 'set';
  });
  return found;
}

function membersOf(term: Term): readonly Value[] | undefined {
  if (term.type !== 'array' && term.type !== 'set') return undefined;
  const values = term.items.map((item) => (hasSet(item) ? undefined : jsonOfTerm(item)));
  return values.length > 0 && values.every((value) => value !== undefined) ? values : undefined;
}
