import { parseNumber } from '../../values/index.js';
import { effectsOf } from '../effects.js';
import { type FieldKind, statementFields } from '../form/statement-fields.js';
import { mutatedForeignLocals } from '../made-locals.js';
import type { Block, Func, Operand, Policy, Stmt } from '../plan.js';

/** Compilers number locals from 0; a number beyond this is a mistake. */
const maxLocal = 2 ** 30;

function isLocal(local: number): boolean {
  return local >= 0 && local <= maxLocal;
}

function isBelow(count: number, index: number): boolean {
  return index >= 0 && index < count;
}

/** Whether the locals and strings of a statement are in range. Makes no lists of them. */
function hasKnownIndexes({ type, stmt }: Stmt, strings: number): boolean {
  const values = stmt as unknown as Readonly<Record<string, unknown>>;
  for (const [name, kind] of statementFields.get(type) ?? []) if (!isInRange(values[name], kind, strings)) return false;
  return true;
}

function isInRange(value: unknown, kind: FieldKind, strings: number): boolean {
  switch (kind) {
    case 'local':
      return isLocal(value as number);
    case 'string':
      return isBelow(strings, value as number);
    case 'operand':
      return isOperandInRange(value as Operand, strings);
    case 'locals':
      return (value as readonly number[] | null)?.every(isLocal) !== false;
    case 'strings':
      return (value as readonly number[] | null)?.every((index) => isBelow(strings, index)) !== false;
    case 'operands':
      return (value as readonly Operand[] | null)?.every((one) => isOperandInRange(one, strings)) !== false;
    default:
      return true;
  }
}

function isOperandInRange(operand: Operand, strings: number): boolean {
  if (operand.type === 'local') return isLocal(operand.value);
  return operand.type !== 'string_index' || isBelow(strings, operand.value);
}

/** The operands that a built-in takes; with `variadic`, any number of further ones. */
export interface Signature {
  readonly args: readonly unknown[];
  readonly variadic?: unknown;
}

/** Takes a fault, with a JSON pointer to it; may throw. */
export type ReportFault = (pointer: string, message: string) => void;

/** Verifies the bodies of a plan's functions and entrypoints. */
export class BodyVerifier {
  readonly #strings: number;
  readonly #policy: Policy;
  readonly #files: number;
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #builtins: ReadonlyMap<string, Signature>;
  readonly #report: ReportFault;
  /** The built-ins that are called. */
  readonly called = new Set<string>();
  #inPlan = false;
  /** The verifier's position: a JSON pointer, once the steps are joined. */
  #steps: (string | number)[] = [];

  constructor(
    policy: Policy,
    functions: ReadonlyMap<string, Func>,
    builtins: ReadonlyMap<string, Signature>,
    report: ReportFault,
  ) {
    this.#report = report;
    this.#policy = policy;
    this.#strings = policy.static?.strings?.length ?? 0;
    this.#files = policy.static?.files?.length ?? 0;
    this.#functions = functions;
    this.#builtins = builtins;
  }

  func(func: Func, pointer: string): void {
    const params = func.params ?? [];
    if (params.length < 2) this.#report(`${pointer}/params`, 'a function takes input and data at least');
    params.forEach((param, i) => {
      if (!isLocal(param)) this.#report(`${pointer}/params/${i}`, `there is no local ${param}`);
      if (params.indexOf(param) !== i) this.#report(`${pointer}/params/${i}`, `parameter ${param} is there twice`);
    });
    if (!isLocal(func.return)) this.#report(`${pointer}/return`, `there is no local ${func.return}`);
    this.body(func.blocks ?? [], `${pointer}/blocks`, false);
  }

  body(blocks: readonly Block[], pointer: string, inPlan: boolean): void {
    this.#inPlan = inPlan;
    this.#steps = [pointer];
    blocks.forEach((block, i) => {
      this.#steps.push(i);
      this.#block(block, 1);
      this.#steps.pop();
    });
    this.#mutations(blocks, pointer);
  }

  /** Reports with a pointer to the verifier's position, or below it. */
  #fail(below: string, message: string): void {
    this.#report(this.#steps.join('/') + below, message);
  }

  #block(block: Block, depth: number): void {
    const { stmts } = block;
    const steps = this.#steps;
    for (let i = 0; i < stmts.length; i++) {
      steps.push('stmts', i, 'stmt');
      this.#stmt(stmts[i]!, depth);
      steps.length -= 3;
    }
  }

  #inner(block: Block, depth: number, ...steps: (string | number)[]): void {
    this.#steps.push(...steps);
    this.#block(block, depth);
    this.#steps.length -= steps.length;
  }

  #stmt(node: Stmt, depth: number): void {
    if (!hasKnownIndexes(node, this.#strings)) this.#indexes(node);
    const { type, stmt } = node;
    if (stmt.file < 0 || (stmt.file >= this.#files && stmt.file !== 0))
      this.#fail('/file', `there is no file ${stmt.file}`);
    switch (type) {
      case 'BreakStmt':
        if (stmt.index < 0 || stmt.index >= depth)
          this.#fail('/index', `a break out of ${stmt.index + 1} blocks stands in ${depth}`);
        return;
      case 'MakeNumberRefStmt': {
        const text = this.#policy.static?.strings?.[stmt.index]?.value;
        if (text !== undefined && parseNumber(text) === undefined)
          this.#fail('/index', `${JSON.stringify(text)} is not a number`);
        return;
      }
      case 'CallStmt':
        return this.#call(stmt.func, stmt.args?.length ?? 0);
      case 'CallDynamicStmt':
        if ((stmt.args?.length ?? 0) < 2) this.#fail('/args', 'a function takes input and data at least');
        return;
      case 'ReturnLocalStmt':
        if (this.#inPlan) this.#fail('', 'only a function returns');
        return;
      case 'ResultSetAddStmt':
        if (!this.#inPlan) this.#fail('', 'only a plan has a result set');
        return;
      case 'BlockStmt':
        stmt.blocks?.forEach((block, i) => {
          this.#inner(block, depth + 1, 'blocks', i);
        });
        return;
      case 'NotStmt':
      case 'ScanStmt':
      case 'WithStmt':
        if (stmt.block !== null) this.#inner(stmt.block, depth + 1, 'block');
    }
  }

  /** Reports locals and strings that cannot be there. */
  #indexes(node: Stmt): void {
    const { reads, writes, strings } = effectsOf(node);
    for (const local of reads) if (!isLocal(local)) this.#fail('', `there is no local ${local}`);
    for (const local of writes) if (!isLocal(local)) this.#fail('', `there is no local ${local}`);
    for (const index of strings) if (!isBelow(this.#strings, index)) this.#fail('', `there is no string ${index}`);
  }

  #call(name: string, args: number): void {
    const func = this.#functions.get(name);
    if (func !== undefined) {
      const params = func.params?.length ?? 0;
      if (params !== args) this.#fail('/args', `function ${name} takes ${params} arguments, not ${args}`);
      return;
    }
    const builtin = this.#builtins.get(name);
    if (builtin === undefined) return this.#fail('/func', `there is no function or built-in ${name}`);
    this.called.add(name);
    const fixed = builtin.args.length;
    if (builtin.variadic === undefined ? args !== fixed : args < fixed) {
      this.#fail('/args', `built-in ${name} takes ${fixed} arguments, not ${args}`);
    }
  }

  /**
   * Compilers give one number to several variables in turn, so a local that may hold a value made
   * here passes. Where it holds another value after all, that is copied first
   * (`escape-analysis.ts`).
   */
  #mutations(blocks: readonly Block[], pointer: string): void {
    for (const foreign of mutatedForeignLocals(blocks)) {
      this.#report(pointer, `local ${foreign} is changed in place but holds nothing that was made here`);
    }
  }
}
