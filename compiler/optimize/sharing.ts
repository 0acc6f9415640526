/** Computations that were done before. */

import type { Block, Operand, Policy, Stmt } from '../../ir-schema/index.js';
import { BaseLookups, madeLocals, walkStatements } from '../../ir-schema/index.js';
import { builtins } from '../../values/index.js';
import { withReason } from '../plan/emit/notes.js';
import { isPlainCopy } from './copies.js';
import { type Definition, LocalFlow } from './flow.js';
import { mapBodies, noteOfStatement, type PlanBody } from './map-bodies.js';
import { rewriteBlocks } from './rewrite.js';

/**
 * Copies the result of an earlier look-up or call with the same operands that always comes first:
 * it succeeded, so it would again, with the same result. `propagateCopies` removes the copy.
 */
export function shareComputations(policy: Policy): Policy {
  const functions = new Set((policy.funcs?.funcs ?? []).map(({ name }) => name));
  let speaks = false;
  walkStatements(policy, ({ type, stmt }) => {
    if (type === 'CallStmt' && !functions.has(stmt.func) && !isSilent(stmt.func)) speaks = true;
  });
  const mayShare = (name: string) => (functions.has(name) ? !speaks : isSilent(name));
  const { strings } = policy.static ?? {};
  return mapBodies(policy, (body) => share(body, mayShare, (index) => strings?.[index]?.value ?? ''));
}

/** Built-ins without side effects. Non-deterministic ones return the same within one evaluation. */
function isSilent(name: string): boolean {
  return builtins.get(name)?.result !== undefined && name !== 'trace';
}

function share(
  body: PlanBody,
  mayShare: (name: string) => boolean,
  stringAt: (index: number) => string,
): readonly Block[] {
  const lookups = new BaseLookups(body.blocks, body.params[1], stringAt);
  const flow = new LocalFlow(body);
  const made = madeLocals(body.blocks, { scanned: true });
  const known = new Map<string, Definition[]>();
  /** The originals of copies: reads of a copy count as reads of its original. */
  const originals = new Map<Definition, Definition>();
  const textOf = (operand: Operand, position: number): string | undefined => {
    if (operand.type !== 'local') return `${operand.type}${String(operand.value)}`;
    const definition = flow.definition(operand.value, position);
    if (definition === undefined || made.has(operand.value)) return undefined;
    const { local, position: at } = originals.get(definition) ?? definition;
    return `${local}@${at}`;
  };
  return rewriteBlocks(body.blocks, (node, position) => {
    const computation = computationOf(node, mayShare);
    const definition = computation && flow.definitionAt(computation.target, position);
    if (
      computation === undefined ||
      definition === undefined ||
      flow.isMutated(definition.local, definition.start, definition.end)
    )
      return undefined;
    const operands = computation.operands.map((operand) => textOf(operand, position));
    if (operands.includes(undefined)) return undefined;
    const key = [computation.name, ...operands].join(' ');
    const found = known.get(key) ?? [];
    while (found.length > 0 && found.at(-1)!.end <= position) found.pop();
    const before = found.at(-1);
    if (before === undefined) {
      found.push(definition);
      known.set(key, found);
      return undefined;
    }
    if (!isPlainCopy(definition, flow)) return undefined;
    // A copy of a base document is a value, see `propagateCopies`.
    if (lookups.has(definition.local) && lookups.leadTo(definition.local)) return undefined;
    originals.set(definition, before);
    const place = noteOfStatement(withReason(node, 'shared'));
    return [
      {
        type: 'AssignVarStmt',
        stmt: { source: { type: 'local', value: before.local }, target: computation.target, ...place },
      },
    ];
  });
}

interface Computation {
  readonly name: string;
  readonly operands: readonly Operand[];
  readonly target: number;
}

function computationOf({ type, stmt }: Stmt, mayShare: (name: string) => boolean): Computation | undefined {
  switch (type) {
    case 'DotStmt':
      return { name: '.', operands: [stmt.source, stmt.key], target: stmt.target };
    case 'LenStmt':
      return { name: '#', operands: [stmt.source], target: stmt.target };
    case 'CallStmt':
      return mayShare(stmt.func) ? { name: stmt.func, operands: stmt.args ?? [], target: stmt.result } : undefined;
    default:
      return undefined;
  }
}
