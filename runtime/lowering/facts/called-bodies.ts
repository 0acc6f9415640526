/**
 * Calls that are undefined where a comparison in the function fails: `owns(e) if e.user ==
 * input.user`. The statements before the comparison are read as if they were the caller's.
 */
import type { Block, Func, Operand, Stmt } from '../../../ir-schema/index.js';

type Returned = Stmt & { readonly type: 'ReturnLocalStmt' };

/** The first local that is no local of the caller: they count down from it. */
export const firstCalled = -1;

/** Gives the locals of called functions numbers of their own. */
export class CalledBodies {
  #next = firstCalled;

  /**
   * The statements on which the result of a call depends, as far as they can be statements of the
   * caller: if one ends its block, the call is undefined. Undefined where there are none.
   */
  of(args: readonly Operand[], { params, blocks }: Func): readonly Stmt[] | undefined {
    const [first, last, ...more] = blocks ?? [];
    const [returned, ...others] = last?.stmts ?? [];
    if (first === undefined || more.length > 0 || returned?.type !== 'ReturnLocalStmt' || others.length > 0)
      return undefined;
    const result = returned.stmt.source;
    if (params?.includes(result) === true || params?.length !== args.length) return undefined;
    const locals = new Map(params.map((param, i) => [param, args[i]!]));
    return this.#renamed(first, locals, returned).stmts;
  }

  /** A block of the function up to a statement that cannot be the caller's; then `returned`. */
  #renamed({ stmts }: Block, locals: Map<number, Operand>, returned: Returned): Block {
    const renamed: Stmt[] = [];
    for (const node of stmts) {
      const own = this.#statement(node, locals, returned);
      renamed.push(own ?? returned);
      if (own === undefined) break;
    }
    return { stmts: renamed };
  }

  #statement(node: Stmt, locals: Map<number, Operand>, returned: Returned): Stmt | undefined {
    const result = returned.stmt.source;
    const operand = (read: Operand): Operand =>
      read.type === 'local' ? (locals.get(read.value) ?? this.#local(read.value, locals)) : read;
    const write = (local: number): number => (this.#local(local, locals) as Operand & { type: 'local' }).value;
    const { type, stmt } = node;
    if (('target' in stmt && stmt.target === result) || ('result' in stmt && stmt.result === result)) return undefined;
    switch (type) {
      case 'DotStmt':
        return {
          type,
          stmt: { ...stmt, source: operand(stmt.source), key: operand(stmt.key), target: write(stmt.target) },
        };
      case 'AssignVarStmt':
        return { type, stmt: { ...stmt, source: operand(stmt.source), target: write(stmt.target) } };
      case 'MakeNumberIntStmt':
        return { type, stmt: { ...stmt, target: write(stmt.target) } };
      case 'MakeNumberRefStmt':
        return { type, stmt: { ...stmt, target: write(stmt.target) } };
      case 'MakeNullStmt':
        return { type, stmt: { ...stmt, target: write(stmt.target) } };
      case 'EqualStmt':
      case 'NotEqualStmt':
        return { type, stmt: { ...stmt, a: operand(stmt.a), b: operand(stmt.b) } } as Stmt;
      case 'CallStmt':
        return { type, stmt: { ...stmt, args: (stmt.args ?? []).map(operand), result: write(stmt.result) } };
      case 'ScanStmt': {
        const source = operand({ type: 'local', value: stmt.source });
        if (source.type !== 'local' || stmt.block === null || [stmt.key, stmt.value].includes(result)) return undefined;
        const [key, value] = [write(stmt.key), write(stmt.value)];
        return {
          type,
          stmt: { ...stmt, source: source.value, key, value, block: this.#renamed(stmt.block, locals, returned) },
        };
      }
      default:
        return undefined;
    }
  }

  /** A new number for a local that a statement writes, also for a parameter that it overwrites. */
  #local(local: number, locals: Map<number, Operand>): Operand {
    const renamed: Operand = { type: 'local', value: this.#next-- };
    locals.set(local, renamed);
    return renamed;
  }
}
