/** The values and types that are known of the locals of a body. */
import { type Operand, type Stmt, scalarConstant } from '../../ir-schema/index.js';
import { type TypeName, typeName, type Value } from '../../values/index.js';
import type { Definition, LocalFlow } from './flow.js';

/** The constants of a policy. */
export interface PolicyConstants {
  readonly strings: readonly string[];
  readonly functions: ReadonlySet<string>;
  readonly literals: ReadonlyMap<string, Value>;
}

export class KnownValues {
  readonly #flow: LocalFlow;
  readonly #policy: PolicyConstants;
  readonly #values = new Map<Definition, Value>();
  readonly #types = new Map<Definition, TypeName>();
  /** Definitions that always give a value. */
  readonly #defined = new Set<Definition>();

  constructor(flow: LocalFlow, policy: PolicyConstants) {
    this.#flow = flow;
    this.#policy = policy;
  }

  #definition(operand: Operand | number, position: number): Definition | undefined {
    const local = typeof operand === 'number' ? operand : operand.type === 'local' ? operand.value : undefined;
    return local === undefined ? undefined : this.#flow.definition(local, position);
  }

  /** The constant that an operand holds. */
  value(operand: Operand, position: number): Value | undefined {
    if (operand.type === 'bool') return operand.value;
    if (operand.type === 'string_index') return this.#policy.strings[operand.value];
    const definition = this.#definition(operand, position);
    return definition && this.#values.get(definition);
  }

  /** The type of an operand's value. */
  type(operand: Operand, position: number): TypeName | undefined {
    const value = this.value(operand, position);
    if (value !== undefined) return typeName(value);
    const definition = this.#definition(operand, position);
    return definition && this.#types.get(definition);
  }

  /** Notes the values that a statement assigns. */
  learn(node: Stmt, position: number): void {
    const scalar = scalarConstant(node, (index) => this.#policy.strings[index]!);
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
        return this.#gives(stmt.result, position, literalType(stmt.func, this.#policy.literals));
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
    const value = this.value(source, position);
    if (value !== undefined) this.#values.set(target, value);
    const original = this.#definition(source, position);
    if (value !== undefined || (original && this.#defined.has(original)))
      this.#isType(target, this.type(source, position));
  }

  /** The definition gives a value, of a type if it is known. */
  #isType(definition: Definition | undefined, type: TypeName | undefined): void {
    if (definition === undefined) return;
    this.#defined.add(definition);
    if (type !== undefined) this.#types.set(definition, type);
  }

  /** Whether a local has a value; undefined where that is not known. */
  isDefined(local: number, position: number): boolean | undefined {
    const definition = this.#flow.definition(local, position);
    if (definition === undefined) return undefined;
    if (definition.node?.type === 'ResetLocalStmt') return false;
    return this.#defined.has(definition) ? true : undefined;
  }
}

function literalType(func: string, literals: ReadonlyMap<string, Value>): TypeName | undefined {
  const literal = literals.get(func);
  return literal === undefined ? undefined : typeName(literal);
}
