/** Values and tests that are known before the plan runs. */
import { constantFunctions } from '../../ir-schema/constant-functions.js';
import type { Block, Operand, Policy, Stmt } from '../../ir-schema/plan.js';
import { scalarConstant } from '../../ir-schema/scalar-constant.js';
import { compare, equal } from '../../runtime/values/compare.js';
import { type TypeName, typeName, type Value } from '../../runtime/values/value.js';
import { type Body, failing, mapBodies, placeOf } from './bodies.js';
import { isPlain } from './copies.js';
import { type Definition, LocalFlow } from './flow.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Decides tests and computes built-ins where the operands are constants or of a known type: a
 * test that holds is removed, one that does not becomes a break. A number that exists already is
 * copied, not made again.
 */
export function foldConstants(policy: Policy): Policy {
  const known = {
    strings: (policy.static?.strings ?? []).map(({ value }) => value),
    functions: new Set((policy.funcs?.funcs ?? []).map(({ name }) => name)),
    literals: constantFunctions(policy),
  };
  return mapBodies(policy, (body) => new Folder(body, known).blocks());
}

interface Known {
  readonly strings: readonly string[];
  readonly functions: ReadonlySet<string>;
  readonly literals: ReadonlyMap<string, Value>;
}

class Folder {
  readonly #body: Body;
  readonly #known: Known;
  readonly #flow: LocalFlow;
  readonly #values = new Map<Definition, Value>();
  readonly #types = new Map<Definition, TypeName>();
  readonly #defined = new Set<Definition>();
  /** Definitions of scalars by a text for the scalar; the last one is the innermost. */
  readonly #scalars = new Map<string, Definition[]>();

  constructor(body: Body, known: Known) {
    this.#body = body;
    this.#known = known;
    this.#flow = new LocalFlow(body);
  }

  blocks(): readonly Block[] {
    return rewriteBlocks(this.#body.blocks, (node, position) => {
      const folded = this.#fold(node, position);
      for (const one of folded ?? [node]) this.#learn(one, position);
      return folded ?? this.#shared(node, position);
    });
  }

  #definition(operand: Operand | number, position: number): Definition | undefined {
    const local = typeof operand === 'number' ? operand : operand.type === 'local' ? operand.value : undefined;
    return local === undefined ? undefined : this.#flow.definition(local, position);
  }

  #value(operand: Operand, position: number): Value | undefined {
    if (operand.type === 'bool') return operand.value;
    if (operand.type === 'string_index') return this.#known.strings[operand.value];
    const definition = this.#definition(operand, position);
    return definition && this.#values.get(definition);
  }

  #type(operand: Operand, position: number): TypeName | undefined {
    const value = this.#value(operand, position);
    if (value !== undefined) return typeName(value);
    const definition = this.#definition(operand, position);
    return definition && this.#types.get(definition);
  }

  /** Notes the values that a statement assigns. */
  #learn(node: Stmt, position: number): void {
    const scalar = scalarConstant(node, (index) => this.#known.strings[index]!);
    if (scalar !== undefined) return this.#isValue(scalar.target, position, scalar.value);
    const { type, stmt } = node;
    switch (type) {
      case 'AssignVarStmt':
        return this.#learnCopy(stmt.source, this.#flow.definitionAt(stmt.target, position), position);
      case 'MakeArrayStmt':
        return this.#gives(stmt.target, position, 'array');
      case 'MakeObjectStmt':
      case 'ObjectMergeStmt':
        return this.#gives(stmt.target, position, 'object');
      case 'MakeSetStmt':
        return this.#gives(stmt.target, position, 'set');
      case 'LenStmt':
        return this.#gives(stmt.target, position, 'number');
      case 'CallStmt':
        return this.#gives(stmt.result, position, literalType(stmt.func, this.#known.literals));
      case 'CallDynamicStmt':
        return this.#gives(stmt.result, position, undefined);
      case 'DotStmt':
        return this.#gives(stmt.target, position, undefined);
      case 'ScanStmt':
        this.#gives(stmt.key, position, undefined);
        this.#gives(stmt.value, position, undefined);
    }
  }

  #isValue(local: number, position: number, value: Value): void {
    const definition = this.#flow.definitionAt(local, position);
    if (definition === undefined) return;
    this.#values.set(definition, value);
    this.#isType(definition, typeName(value));
  }

  #gives(local: number, position: number, type: TypeName | undefined): void {
    this.#isType(this.#flow.definitionAt(local, position), type);
  }

  #learnCopy(source: Operand, target: Definition | undefined, position: number): void {
    if (target === undefined) return;
    const value = this.#value(source, position);
    if (value !== undefined) this.#values.set(target, value);
    const original = this.#definition(source, position);
    if (value !== undefined || (original && this.#defined.has(original))) this.#isType(target, this.#type(source, position));
  }

  /** The definition gives a value, of a type if it is known. */
  #isType(definition: Definition | undefined, type: TypeName | undefined): void {
    if (definition === undefined) return;
    this.#defined.add(definition);
    if (type !== undefined) this.#types.set(definition, type);
  }

  /** The statements in place of one; undefined where it stays. */
  #fold(node: Stmt, position: number): readonly Stmt[] | undefined {
    const { type, stmt } = node;
    switch (type) {
      case 'EqualStmt':
        return decided(node, this.#equal(stmt.a, stmt.b, position));
      case 'NotEqualStmt': {
        const same = this.#equal(stmt.a, stmt.b, position);
        return decided(node, same === undefined ? undefined : !same);
      }
      case 'IsArrayStmt':
        return this.#testedType(node, stmt.source, 'array', position);
      case 'IsObjectStmt':
        return this.#testedType(node, stmt.source, 'object', position);
      case 'IsSetStmt':
        return this.#testedType(node, stmt.source, 'set', position);
      case 'IsDefinedStmt':
        return decided(node, this.#isDefined(stmt.source, position));
      case 'IsUndefinedStmt': {
        const defined = this.#isDefined(stmt.source, position);
        return decided(node, defined === undefined ? undefined : !defined);
      }
      case 'DotStmt':
        return isScalar(this.#type(stmt.source, position)) ? [failing(node)] : undefined;
      case 'ScanStmt':
        return isScalar(this.#type({ type: 'local', value: stmt.source }, position)) ? [failing(node)] : undefined;
      case 'LenStmt': {
        const value = this.#value(stmt.source, position);
        if (typeof value === 'string') return [assignment(node, stmt.target, [...value].length)];
        const found = this.#type(stmt.source, position);
        return found !== 'string' && isScalar(found) ? [failing(node)] : undefined;
      }
      case 'CallStmt': {
        if (this.#known.functions.has(stmt.func)) return undefined;
        const values = (stmt.args ?? []).map((operand) => this.#value(operand, position));
        const answer = values.every((value) => value !== undefined) ? computed(stmt.func, values) : undefined;
        return answer === undefined ? undefined : [assignment(node, stmt.result, answer)];
      }
      default:
        return undefined;
    }
  }

  #testedType(node: Stmt, operand: Operand, wanted: TypeName, position: number): readonly Stmt[] | undefined {
    const found = this.#type(operand, position);
    return found === undefined ? undefined : decided(node, found === wanted);
  }

  /** Whether operands are equal, where that and both values are certain. */
  #equal(a: Operand, b: Operand, position: number): boolean | undefined {
    const [first, second] = [this.#value(a, position), this.#value(b, position)];
    if (first !== undefined && second !== undefined) return equal(first, second);
    const [left, right] = [this.#type(a, position), this.#type(b, position)];
    return left !== undefined && right !== undefined && left !== right ? false : undefined;
  }

  #isDefined(local: number, position: number): boolean | undefined {
    const definition = this.#flow.definition(local, position);
    if (definition === undefined) return undefined;
    if (definition.node?.type === 'ResetLocalStmt') return false;
    return this.#defined.has(definition) ? true : undefined;
  }

  /** A copy of an earlier scalar, in place of the statement that makes it again. */
  #shared(node: Stmt, position: number): readonly Stmt[] | undefined {
    const scalar = scalarOf(node);
    const definition = scalar && this.#flow.definitionAt(scalar.target, position);
    if (scalar === undefined || definition === undefined) return undefined;
    const { key, target } = scalar;
    const made = this.#scalars.get(key) ?? [];
    while (made.length > 0 && made.at(-1)!.end <= position) made.pop();
    const before = made.at(-1);
    if (before === undefined) {
      made.push(definition);
      this.#scalars.set(key, made);
      return undefined;
    }
    if (!isPlain(definition, this.#flow)) return undefined;
    return [{ type: 'AssignVarStmt', stmt: { source: { type: 'local', value: before.local }, target, ...placeOf(node) } }];
  }
}

/**
 * A text for the scalar that a statement makes. Equal numbers may be written in different ways,
 * which shows in results.
 */
function scalarOf({ type, stmt }: Stmt): { readonly key: string; readonly target: number } | undefined {
  switch (type) {
    case 'MakeNullStmt':
      return { key: 'null', target: stmt.target };
    case 'MakeNumberIntStmt':
    case 'AssignIntStmt':
      return { key: String(stmt.value), target: stmt.target };
    case 'MakeNumberRefStmt':
      return { key: `#${stmt.index}`, target: stmt.target };
    default:
      return undefined;
  }
}

function literalType(func: string, literals: ReadonlyMap<string, Value>): TypeName | undefined {
  const literal = literals.get(func);
  return literal === undefined ? undefined : typeName(literal);
}

/** The statements in place of a test; undefined where its outcome is not known. */
function decided(node: Stmt, holds: boolean | undefined): readonly Stmt[] | undefined {
  return holds === undefined ? undefined : holds ? [] : [failing(node)];
}

function isScalar(type: TypeName | undefined): boolean {
  return type === 'null' || type === 'boolean' || type === 'number' || type === 'string';
}

function assignment(node: Stmt, target: number, value: number | boolean): Stmt {
  if (typeof value === 'number') return { type: 'MakeNumberIntStmt', stmt: { target, value, ...placeOf(node) } };
  return { type: 'AssignVarStmt', stmt: { source: { type: 'bool', value }, target, ...placeOf(node) } };
}

/**
 * The result of a built-in for constants, where it is certain: orders of any scalars, sums and
 * products of small integers.
 */
function computed(name: string, values: readonly Value[]): number | boolean | undefined {
  const [a, b] = values;
  if (values.length !== 2 || a === undefined || b === undefined) return undefined;
  switch (name) {
    case 'equal':
      return equal(a, b);
    case 'neq':
      return !equal(a, b);
    case 'lt':
      return compare(a, b) < 0;
    case 'lte':
      return compare(a, b) <= 0;
    case 'gt':
      return compare(a, b) > 0;
    case 'gte':
      return compare(a, b) >= 0;
    case 'plus':
      return integer(a, b, (x, y) => x + y);
    case 'minus':
      return integer(a, b, (x, y) => x - y);
    case 'mul':
      return integer(a, b, (x, y) => x * y);
    default:
      return undefined;
  }
}

function integer(a: Value, b: Value, operate: (a: number, b: number) => number): number | undefined {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return undefined;
  const result = operate(a as number, b as number);
  // There is one zero.
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}
