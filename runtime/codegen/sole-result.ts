/** Plans that bind one value to `result`: a decision needs no result set of them. */
import {
  innerBlocks,
  type LoweredBlock,
  type LoweredFunction,
  type LoweredOf,
  type LoweredStmt,
} from '../lowering/lowered.js';

/**
 * The plan as a function that returns the value which its one result binds to `result`; undefined
 * where it may have other results.
 */
export function asDecision(
  plan: LoweredFunction,
  isResultKey: (constant: number) => boolean,
): LoweredFunction | undefined {
  const [only] = plan.body;
  if (plan.body.length !== 1 || only?.kind !== 'block' || plan.tracker !== undefined) return undefined;
  const { block } = only;
  const [made, bound, added] = block.slice(-3);
  if (made?.kind !== 'makeObject' || bound?.kind !== 'objectInsert' || added?.kind !== 'resultAdd') return undefined;
  if (bound.object !== made.target || added.value !== made.target || bound.value === made.target) return undefined;
  if (bound.key >= 0 || !isResultKey(-1 - bound.key) || block.slice(0, -1).some(addsResult)) return undefined;
  return { ...plan, body: [{ kind: 'block', block: [...block.slice(0, -3), ...returning(made.target, bound)] }] };
}

/** The register of the object is free for the value. */
function returning(target: number, { origin, value }: LoweredOf<'objectInsert'>): LoweredBlock {
  return [
    { kind: 'move', origin, target, source: value },
    { kind: 'return', origin, source: target, withs: 0 },
  ];
}

function addsResult(stmt: LoweredStmt): boolean {
  if (stmt.kind === 'resultAdd') return true;
  return innerBlocks(stmt).some((block) => block.some(addsResult));
}
