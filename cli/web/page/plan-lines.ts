/**
 * The lines of the plan's pane: as `inspect --listing`, but with the addresses beside them and
 * authors' names of locals behind them.
 */

import type { AddressedStatement, Addresses, Block, DebugIndex, Func, Plan, Policy } from '../../../ir-schema/index.js';
import { blocksOf, StatementText } from '../../../ir-schema/index.js';
import { namesText } from '../../../views/index.js';
import type { CodeLines } from '../data/page-data.js';

const deepestIndent = 40;

export function planLines(policy: Policy, addresses: Addresses, debug?: DebugIndex): CodeLines {
  const text = new StatementText(policy);
  const lines: string[] = [];
  const statements: number[] = [];
  let next = 0;
  const push = (line: string, statement = -1): void => {
    lines.push(line);
    statements.push(statement);
  };
  const pushBlock = (block: Block, level: number): void => {
    for (const stmt of block.stmts) {
      // In the order of the addresses.
      push(`${indent(level)}${text.statement(stmt)}${namesOf(addresses.get(next), debug)}`, next++);
      blocksOf(stmt).forEach((inner, i) => {
        // Only a BlockStmt can have several, which run in turn.
        const isNumbered = stmt.type === 'BlockStmt';
        if (isNumbered) push(`${indent(level + 1)}block ${i}`);
        pushBlock(inner, level + (isNumbered ? 2 : 1));
      });
    }
  };
  addresses.owners.forEach(({ name, body }, i) => {
    if (i > 0) push('');
    push(titleOf(name, body, text));
    (body.blocks ?? []).forEach((block, j) => {
      push(`${indent(1)}block ${j}`);
      pushBlock(block, 2);
    });
  });
  return { text: lines.join('\n'), statements };
}

/** `  l8 = grant` for each local of a statement that an author named. */
function namesOf(statement: AddressedStatement | undefined, debug: DebugIndex | undefined): string {
  if (statement === undefined || debug === undefined) return '';
  const names = namesText(statement, debug);
  return names === '' ? '' : `  ${names}`;
}

function titleOf(name: string, body: Plan | Func, text: StatementText): string {
  if (!('params' in body)) return `plan ${JSON.stringify(name)}`;
  return `func ${name}(${text.locals(body.params)}) returns ${text.local(body.return)}`;
}

function indent(level: number): string {
  return '  '.repeat(Math.min(level, deepestIndent));
}
