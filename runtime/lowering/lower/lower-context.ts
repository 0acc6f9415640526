import type { Operand as PlanOperand, Stmt } from '../../../ir-schema/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import type { LoweredBlock, LoweredOperand, LoweredStmt, Register } from '../lowered.js';
import type { OrderTest } from '../passes/any-order.js';
import { firstAppend } from '../passes/first-element.js';
import { Lookups } from '../passes/hoisted-lookups.js';
import type { Registers } from './registers.js';
import type { Tables } from './tables.js';

/** A loop whose rounds run in any order until a value comes that must not. */
export interface FreeLoop {
  readonly register: Register;
  readonly test: OrderTest;
  /** Its elements, which are all different. */
  readonly elements: readonly Register[];
  /** How many loops are open inside of it. */
  inner: number;
}

/** The state while the blocks of a function are lowered. */
export class LowerContext {
  readonly tables: Tables;
  readonly facts: FunctionFacts;
  readonly registers: Registers;
  readonly tracker: Register | undefined;
  /** The statement behind which loops end, and their number, see `passes/first-element.ts`. */
  readonly loopEnd: { readonly node: Stmt; readonly depth: number } | undefined;
  /** Operands of the current outermost block's locals that hold constants. */
  readonly constants = new Map<number, LoweredOperand>();
  readonly lookups: Lookups;
  /** Free loops by the local to which their rounds add. */
  readonly freeLoops = new Map<number, FreeLoop>();
  /** The statements of the block that is being lowered. */
  #out: LoweredStmt[] = [];
  /** How many `with` are open around each enclosing block, the innermost last. */
  readonly #withs: number[] = [];

  constructor(tables: Tables, facts: FunctionFacts, registers: Registers, tracker: Register | undefined) {
    this.tables = tables;
    this.facts = facts;
    this.registers = registers;
    this.tracker = tracker;
    this.loopEnd = firstAppend(facts);
    this.lookups = new Lookups(facts);
  }

  /** A string of the plan. */
  get string(): (index: number) => string {
    return this.facts.plan.string;
  }

  /** The constant that a function returns and does no more. */
  constantResult(name: string): LoweredOperand | undefined {
    const constant = this.facts.plan.constantOf(name);
    return constant === undefined ? undefined : this.tables.constantOperand(constant);
  }

  /** Begins an outermost block. */
  enter(index: number, firstRegister: Register): void {
    this.facts.uses.enter(index);
    // Locals that pass values from block to block are known of analysed functions only.
    if (this.facts.areKnown) this.registers.enter(firstRegister);
    if (this.constants.size > 0) this.constants.clear();
    this.lookups.enter();
  }

  push(stmt: LoweredStmt): void {
    this.#out.push(stmt);
  }

  /** The statements that `lower` pushes. */
  collect(lower: () => void): LoweredBlock {
    const outer = this.#out;
    const block: LoweredStmt[] = [];
    this.#out = block;
    lower();
    this.#out = outer;
    return block;
  }

  /** Begins a block with `with` open this often; answers the enclosing block, for `close`. */
  open(withs: number): LoweredStmt[] {
    const outer = this.#out;
    this.#out = [];
    this.#withs.push(withs);
    return outer;
  }

  /** Ends a block, and answers its statements. */
  close(outer: LoweredStmt[]): LoweredBlock {
    const block = this.#out;
    this.#out = outer;
    this.#withs.pop();
    return block;
  }

  /** How many `with` are open around the enclosing block at a depth, 0 is the innermost. */
  withs(depth = 0): number {
    return this.#withs[this.#withs.length - 1 - depth]!;
  }

  /** The register of a local, also of one that holds a constant. */
  register(local: number): Register {
    const constant = this.constants.get(local);
    if (constant === undefined || this.registers.hasOwn(local)) return this.registers.of(local);
    const target = this.registers.temporaries(1);
    this.push({ kind: 'move', origin: 0, target, source: constant });
    return target;
  }

  operand(operand: PlanOperand): LoweredOperand {
    switch (operand.type) {
      case 'local':
        return this.constants.get(operand.value) ?? this.register(operand.value);
      case 'bool':
        return this.tables.constantOperand(operand.value);
      case 'string_index':
        return this.tables.constantOperand(this.string(operand.value));
    }
  }
}
