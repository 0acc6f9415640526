import { numberFromText, type Value } from '../values/index.js';
import type { Stmt } from './plan.js';

/** The number or null that a statement gives a local. */
interface ScalarConstant {
  readonly target: number;
  readonly value: Value;
}

/** Undefined for a statement that does anything else. */
export function scalarConstant({ type, stmt }: Stmt, stringAt: (index: number) => string): ScalarConstant | undefined {
  switch (type) {
    case 'MakeNullStmt':
      return { target: stmt.target, value: null };
    case 'MakeNumberIntStmt':
    case 'AssignIntStmt':
      return { target: stmt.target, value: stmt.value };
    case 'MakeNumberRefStmt':
      return { target: stmt.target, value: numberFromText(stringAt(stmt.index)) };
    default:
      return undefined;
  }
}
