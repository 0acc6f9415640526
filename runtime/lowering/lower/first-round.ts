/** Statements of a loop's block that compute the same in each round, once before the loop. */
import type { Operand as PlanOperand, Stmt } from '../../../ir-schema/index.js';
import { numberFromText } from '../../../values/index.js';
import type { Index, LoweredOperand } from '../lowered.js';
import { protoName } from '../passes/hoisted-lookups.js';
import { callStatement } from './lower-call.js';
import type { LowerContext } from './lower-context.js';

export class FirstRound {
  readonly #origin: Index;
  readonly #context: LowerContext;
  /** Values in the first round, by local that the statements assign. */
  readonly #values = new Map<number, LoweredOperand>();

  /** @param origin of the loop */
  constructor(origin: Index, context: LowerContext) {
    this.#origin = origin;
    this.#context = context;
  }

  operand(operand: PlanOperand): LoweredOperand {
    if (operand.type !== 'local') return this.#context.operand(operand);
    return (
      this.#values.get(operand.value) ??
      this.#context.lookups.hoisted.get(operand.value) ??
      this.#context.operand(operand)
    );
  }

  lower(node: Stmt): void {
    const { lookups, tables } = this.#context;
    const { type, stmt } = node;
    switch (type) {
      case 'MakeNullStmt':
        return this.#set(stmt.target, tables.constantOperand(null));
      case 'MakeNumberIntStmt':
        return this.#set(stmt.target, tables.constantOperand(stmt.value));
      case 'MakeNumberRefStmt':
        return this.#set(stmt.target, tables.constantOperand(numberFromText(this.#context.string(stmt.index))));
      case 'MakeArrayStmt':
        this.#context.push({ kind: 'makeArray', origin: this.#origin, target: this.#target(stmt.target) });
        return;
      case 'MakeObjectStmt': {
        const target = this.#target(stmt.target);
        this.#context.push({ kind: 'makeObject', origin: this.#origin, target, anyKeys: false });
        return;
      }
      // The steps have made what these add to.
      case 'ArrayAppendStmt': {
        const array = this.operand({ type: 'local', value: stmt.array });
        this.#context.push({ kind: 'arrayAppend', origin: tables.place(node), array, value: this.operand(stmt.value) });
        return;
      }
      case 'ObjectInsertStmt': {
        const object = this.operand({ type: 'local', value: stmt.object });
        const [key, value] = [this.operand(stmt.key), this.operand(stmt.value)];
        this.#context.push({ kind: 'objectInsert', origin: tables.place(node), object, key, value, once: false });
        return;
      }
      case 'AssignVarStmt':
        return this.#set(stmt.target, this.operand(stmt.source));
      case 'DotStmt': {
        const hoisted = lookups.hoisted.get(stmt.target);
        if (hoisted === undefined) return this.#lookUp(node);
        this.#context.push({ kind: 'isDefined', origin: this.#origin, source: hoisted });
        return;
      }
      case 'CallStmt':
        return this.#call(node);
    }
  }

  #set(local: number, value: LoweredOperand): void {
    this.#values.set(local, value);
  }

  #target(local: number): number {
    const target = this.#context.registers.temporaries(1);
    this.#set(local, target);
    return target;
  }

  #lookUp(node: Stmt & { readonly type: 'DotStmt' }): void {
    const { tables } = this.#context;
    const { source: from, key, target: local } = node.stmt;
    const source = this.operand(from);
    const origin = tables.place(node);
    const name = key.type === 'string_index' ? this.#context.string(key.value) : protoName;
    const isBase = this.#context.facts.isBaseLookup(from, key);
    if (!isBase && name !== protoName)
      this.#context.push({ kind: 'dotConst', origin, source, key: tables.constant(name), target: this.#target(local) });
    else
      this.#context.push({ kind: 'dot', origin, source, key: this.operand(key), target: this.#target(local), isBase });
  }

  #call(node: Stmt & { readonly type: 'CallStmt' }): void {
    const { tables } = this.#context;
    const { func, args: operands, result } = node.stmt;
    const constant = this.#context.constantResult(func);
    if (constant !== undefined) return this.#set(result, constant);
    const args = (operands ?? []).map((operand) => this.operand(operand));
    this.#context.push(callStatement(func, this.#target(result), args, tables.place(node), tables));
  }
}
