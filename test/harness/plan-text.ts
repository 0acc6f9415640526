/** Plans as text for tests of passes: without addresses and positions. */
import type { Block, Policy } from '../../ir-schema/plan.js';
import { StatementText } from '../../ir-schema/statement-text.js';
import { blocksOf } from '../../ir-schema/walk.js';

/** Each plan and function with its statements, nested by indentation, blocks without numbers. */
export function planText(policy: Policy): string {
  const text = new StatementText(policy);
  const lines: string[] = [];
  const push = (block: Block, level: number): void => {
    lines.push(`${'  '.repeat(level)}block`);
    pushStatements(block, level + 1);
  };
  const pushStatements = (block: Block, level: number): void => {
    for (const stmt of block.stmts) {
      lines.push(`${'  '.repeat(level)}${text.statement(stmt)}`);
      for (const inner of blocksOf(stmt)) {
        if (stmt.type === 'BlockStmt') push(inner, level + 1);
        else pushStatements(inner, level + 1);
      }
    }
  };
  for (const { name, blocks } of policy.plans?.plans ?? []) {
    lines.push(`plan ${JSON.stringify(name)}`);
    for (const block of blocks ?? []) push(block, 1);
  }
  for (const { name, params, return: result, path, blocks } of policy.funcs?.funcs ?? []) {
    lines.push(`func ${name}(${text.locals(params)}) returns ${text.local(result)}${path ? ` path ${path.join('/')}` : ''}`);
    for (const block of blocks ?? []) push(block, 1);
  }
  return lines.join('\n');
}
