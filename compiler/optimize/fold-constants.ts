/** Values and tests that are known before the plan runs. */
import { type Block, constantFunctions, type Operand, type Policy, type Stmt } from '../../ir-schema/index.js';
import { compare, equal, type TypeName, type Value } from '../../values/index.js';
import { isPlainCopy } from './copies.js';
import { type Definition, LocalFlow } from './flow.js';
import { KnownValues, type PolicyConstants } from './known-values.js';
import { failing, mapBodies, noteOfStatement, type PlanBody } from './map-bodies.js';
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

class Folder {
  readonly #body: PlanBody;
  readonly #policy: PolicyConstants;
  readonly #flow: LocalFlow;
  readonly #known: KnownValues;
  /** Definitions of scalars by a text for the scalar; the last one is the innermost. */
  readonly #scalars = new Map<string, Definition[]>();

  constructor(body: PlanBody, policy: PolicyConstants) {
    this.#body = body;
    this.#policy = policy;
    this.#flow = new LocalFlow(body);
    this.#known = new KnownValues(this.#flow, policy);
  }

  blocks(): readonly Block[] {
    return rewriteBlocks(this.#body.blocks, (node, position) => {
      const folded = this.#fold(node, position);
      for (const one of folded ?? [node]) this.#known.learn(one, position);
      return folded ?? this.#shared(node, position);
    });
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
        return decided(node, this.#known.isDefined(stmt.source, position));
      case 'IsUndefinedStmt': {
        const defined = this.#known.isDefined(stmt.source, position);
        return decided(node, defined === undefined ? undefined : !defined);
      }
      case 'DotStmt':
        return isScalar(this.#known.type(stmt.source, position)) ? [failing(node)] : undefined;
      case 'ScanStmt':
        return isScalar(this.#known.type({ type: 'local', value: stmt.source }, position))
          ? [failing(node)]
          : undefined;
      case 'LenStmt': {
        const value = this.#known.value(stmt.source, position);
        if (typeof value === 'string') return [assignment(node, stmt.target, [...value].length)];
        const found = this.#known.type(stmt.source, position);
        return found !== 'string' && isScalar(found) ? [failing(node)] : undefined;
      }
      case 'CallStmt': {
        if (this.#policy.functions.has(stmt.func)) return undefined;
        const values = (stmt.args ?? []).map((operand) => this.#known.value(operand, position));
        const answer = values.every((value) => value !== undefined) ? computed(stmt.func, values) : undefined;
        return answer === undefined ? undefined : [assignment(node, stmt.result, answer)];
      }
      default:
        return undefined;
    }
  }

  #testedType(node: Stmt, operand: Operand, wanted: TypeName, position: number): readonly Stmt[] | undefined {
    const found = this.#known.type(operand, position);
    return found === undefined ? undefined : decided(node, found === wanted);
  }

  /** Whether operands are equal, where that and both values are certain. */
  #equal(a: Operand, b: Operand, position: number): boolean | undefined {
    const [first, second] = [this.#known.value(a, position), this.#known.value(b, position)];
    if (first !== undefined && second !== undefined) return equal(first, second);
    const [left, right] = [this.#known.type(a, position), this.#known.type(b, position)];
    return left !== undefined && right !== undefined && left !== right ? false : undefined;
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
    if (!isPlainCopy(definition, this.#flow)) return undefined;
    return [
      {
        type: 'AssignVarStmt',
        stmt: { source: { type: 'local', value: before.local }, target, ...noteOfStatement(node) },
      },
    ];
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

/** The statements in place of a test; undefined where its outcome is not known. */
function decided(node: Stmt, holds: boolean | undefined): readonly Stmt[] | undefined {
  return holds === undefined ? undefined : holds ? [] : [failing(node)];
}

function isScalar(type: TypeName | undefined): boolean {
  return type === 'null' || type === 'boolean' || type === 'number' || type === 'string';
}

function assignment(node: Stmt, target: number, value: number | boolean): Stmt {
  if (typeof value === 'number')
    return { type: 'MakeNumberIntStmt', stmt: { target, value, ...noteOfStatement(node) } };
  return { type: 'AssignVarStmt', stmt: { source: { type: 'bool', value }, target, ...noteOfStatement(node) } };
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
