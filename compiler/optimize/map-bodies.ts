/** Plans and functions, one body at a time. */

import { type Block, blocksOf, mutatedForeignLocals, type Policy, type Stmt } from '../../ir-schema/index.js';
import { noteMember } from '../plan/emit/notes.js';

/** The blocks of a plan or a function, with its parameters. */
export interface PlanBody {
  readonly blocks: readonly Block[];
  /** Locals that have a value at the start, if the caller has one. */
  readonly params: readonly number[];
  /** The local that a function returns; undefined for a plan. */
  readonly result: number | undefined;
}

/**
 * The policy with each body's blocks transformed. Unchanged parts are shared with the policy
 * given. A body stays as it was where engines would refuse the new one, since a value that it
 * mutates is no longer made in it.
 */
export function mapBodies(policy: Policy, transform: (body: PlanBody) => readonly Block[]): Policy {
  const map = (body: PlanBody): readonly Block[] => {
    const blocks = transform(body);
    return blocks === body.blocks || mutatedForeignLocals(blocks).length === 0 ? blocks : body.blocks;
  };
  const plans = policy.plans?.plans?.map((plan) => {
    if (plan.blocks === null) return plan;
    const blocks = map({ blocks: plan.blocks, params: [0, 1], result: undefined });
    return blocks === plan.blocks ? plan : { ...plan, blocks };
  });
  const funcs = policy.funcs?.funcs?.map((func) => {
    if (func.blocks === null) return func;
    const blocks = map({ blocks: func.blocks, params: func.params ?? [], result: func.return });
    return blocks === func.blocks ? func : { ...func, blocks };
  });
  return {
    ...policy,
    ...(plans && { plans: { ...policy.plans, plans } }),
    ...(funcs && { funcs: { ...policy.funcs, funcs } }),
  };
}

/** The statement with other blocks inside, in the order of `blocksOf`. */
export function withBlocks(node: Stmt, blocks: readonly Block[]): Stmt {
  if (blocks.every((block, i) => block === blocksOf(node)[i]) && blocks.length === blocksOf(node).length) return node;
  if (node.type === 'BlockStmt') return { type: 'BlockStmt', stmt: { ...node.stmt, blocks } };
  const [block] = blocks;
  if (block === undefined) return node;
  switch (node.type) {
    case 'NotStmt':
      return { type: 'NotStmt', stmt: { ...node.stmt, block } };
    case 'ScanStmt':
      return { type: 'ScanStmt', stmt: { ...node.stmt, block } };
    case 'WithStmt':
      return { type: 'WithStmt', stmt: { ...node.stmt, block } };
    default:
      return node;
  }
}

/** The number of statements of a policy, those in blocks inside others too. */
export function countStatements(policy: Policy): number {
  let count = 0;
  const visit = (blocks: readonly Block[]): void => {
    for (const { stmts } of blocks) {
      count += stmts.length;
      for (const stmt of stmts) visit(blocksOf(stmt));
    }
  };
  for (const { blocks } of [...(policy.plans?.plans ?? []), ...(policy.funcs?.funcs ?? [])]) visit(blocks ?? []);
  return count;
}

/** The source range of a statement and its note, for the statement in its place. */
export function noteOfStatement(node: Stmt) {
  const { file, row, col, end_row, end_col } = node.stmt;
  return { file, row, col, end_row, end_col, ...noteMember(node) };
}

/** A statement that is never true, in the place of another. */
export function failing(node: Stmt): Stmt {
  return { type: 'BreakStmt', stmt: { index: 0, ...noteOfStatement(node) } };
}
