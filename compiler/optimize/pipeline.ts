/** The optimising passes, plan to plan. */
import type { Policy } from '../../ir-schema/index.js';
import { simplifyBlocks } from './blocks.js';
import { propagateCopies } from './copies.js';
import { foldConstants } from './fold-constants.js';
import { hoistConstants } from './hoist.js';
import { withHoistedLookups } from './lookups.js';
import { removeNops } from './nops.js';
import { assignResults } from './results.js';
import { shareComputations } from './sharing.js';
import { removeUnused } from './unused.js';
import { removeFunctions, removeStatics } from './unused-functions.js';

export type OptimizationLevel = 0 | 1 | 2;

interface Pass {
  readonly name: string;
  /** For people: what it does to a plan. */
  readonly does: string;
  /** The lowest level at which it runs. */
  readonly level: 1 | 2;
  readonly run: (policy: Policy) => Policy;
}

/**
 * In the order in which they run. Each takes any plan and returns one with the same answers and
 * errors, in time linear in its size.
 */
export const optimizations: readonly Pass[] = [
  { name: 'functions', does: 'removes functions that nothing calls', level: 1, run: removeFunctions }, // first: later passes have less to read
  { name: 'nops', does: 'removes statements that do nothing', level: 1, run: removeNops }, // blocks that do nothing hide that others are straight lines
  { name: 'blocks', does: 'takes blocks out of blocks where nothing leaves them', level: 1, run: simplifyBlocks }, // statements of one block run in order: later passes rely on it
  { name: 'results', does: 'assigns results where they are found', level: 1, run: assignResults }, // before other passes change the statements that mark a rule
  { name: 'constants', does: 'computes with constants', level: 1, run: foldConstants }, // leaves copies and breaks behind
  { name: 'sharing', does: 'computes equal values once', level: 2, run: shareComputations }, // leaves copies behind
  { name: 'copies', does: 'reads originals instead of their copies', level: 1, run: propagateCopies }, // removes those and the planner's own
  { name: 'hoist', does: 'makes constants before loops', level: 1, run: hoistConstants }, // after copies, so that no copy ties a constant to a loop
  { name: 'lookups', does: 'looks up before loops what is the same in each round', level: 1, run: withHoistedLookups }, // with constants out of the way of loops within loops
  { name: 'dead blocks', does: 'removes what no way leads to', level: 1, run: simplifyBlocks }, // behind the breaks that folding left
  { name: 'unused', does: 'removes values that nothing reads', level: 1, run: removeUnused }, // values that only removed statements have read
  { name: 'empty blocks', does: 'removes blocks that have become empty', level: 1, run: removeNops },
  { name: 'dead functions', does: 'removes functions that nothing calls any more', level: 1, run: removeFunctions }, // functions that only removed statements have called
  { name: 'strings', does: 'removes strings that nothing uses any more', level: 1, run: removeStatics }, // last: nothing refers to a string after this that did not before
];

/**
 * A plan with the same answers in fewer steps. Level 0 returns the plan as it is; 1 removes
 * statements; 2 moves and shares computations too. The result depends on the plan and the level
 * only.
 *
 * @param onPass called for each pass with the plan before and after it
 * @example optimize(policy, 1, ({ name }, before, after) => report(name, diffPlans(before, after)))
 */
export function optimize(policy: Policy, level: OptimizationLevel, onPass?: OnPass): Policy {
  let result = policy;
  for (const pass of optimizations) {
    if (pass.level > level) continue;
    const before = result;
    result = pass.run(before);
    onPass?.(pass, before, result);
  }
  return result;
}

/** Called after a step of optimizing. */
export type OnPass = (pass: Pick<Pass, 'name' | 'does'>, before: Policy, after: Policy) => void;
