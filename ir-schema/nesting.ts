import { PlanError, pointTo } from './plan-error.js';

/**
 * How deep blocks may be nested. Compilers nest a block for each iteration, negation,
 * comprehension and `with` inside another; the deepest plan of the conformance cases has 13.
 * Walks over a plan recurse once or more a level and rely on this bound.
 */
export const maxBlockDepth = 500;

/** A JSON object of which nothing else is known. */
export type JsonMembers = { readonly [key: string]: unknown };

export function isJson(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The elements of an array; none of another value. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Something that holds blocks: a plan, a function or a statement, and the way to it. */
interface Holder {
  readonly holder: JsonMembers;
  readonly steps: readonly (string | number)[];
  readonly parent: Holder | undefined;
  /** How many blocks are around it. */
  readonly depth: number;
}

/**
 * The number of levels of blocks in a document that has not been checked yet: it may have any
 * depth.
 */
export function blockDepth(policy: unknown): number {
  let deepest = 0;
  const waiting: Holder[] = topHolders(policy);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const { block, steps } of innerBlocks(next.holder)) {
      if (next.depth === maxBlockDepth) {
        throw new PlanError(
          pointTo(pointerOf(next), ...steps),
          `blocks are nested more than ${maxBlockDepth} levels deep`,
        );
      }
      deepest = Math.max(deepest, next.depth + 1);
      pushHolders(waiting, block, steps, next);
    }
  }
  return deepest;
}

function topHolders(policy: unknown): Holder[] {
  if (!isJson(policy)) return [];
  return ['plans', 'funcs'].flatMap((key) => {
    const list = policy[key];
    const bodies = isJson(list) ? elements(list[key]) : [];
    return bodies.flatMap((holder, i) =>
      isJson(holder) ? [{ holder, steps: [key, key, i], parent: undefined, depth: 0 }] : [],
    );
  });
}

function pushHolders(waiting: Holder[], block: unknown, steps: readonly (string | number)[], parent: Holder): void {
  if (!isJson(block) || !Array.isArray(block.stmts)) return;
  for (let i = 0; i < block.stmts.length; i++) {
    const envelope: unknown = block.stmts[i];
    if (!isJson(envelope) || !hasBlocks(envelope.stmt)) continue;
    waiting.push({ holder: envelope.stmt, steps: [...steps, 'stmts', i, 'stmt'], parent, depth: parent.depth + 1 });
  }
}

/** Whether something that has not been checked yet would hold blocks if it were a statement. */
export function hasBlocks(stmt: unknown): stmt is JsonMembers {
  return isJson(stmt) && (stmt.block !== undefined || stmt.blocks !== undefined);
}

function innerBlocks(holder: JsonMembers): { readonly block: unknown; readonly steps: readonly (string | number)[] }[] {
  const inner: { block: unknown; steps: (string | number)[] }[] = elements(holder.blocks).map((block, i) => ({
    block,
    steps: ['blocks', i],
  }));
  if (holder.block) inner.push({ block: holder.block, steps: ['block'] });
  return inner;
}

function pointerOf(holder: Holder): string {
  const steps: (string | number)[] = [];
  for (let at: Holder | undefined = holder; at; at = at.parent) steps.unshift(...at.steps);
  return pointTo('', ...steps);
}
