/** The optimising passes, plan to plan. */
import type { Policy } from '../../ir-schema/plan.js';
import { simplifyBlocks } from './blocks.js';
import { countStatements } from './bodies.js';
import { foldConstants } from './constants.js';
import { propagateCopies } from './copies.js';
import { removeFunctions, removeStatics } from './functions.js';
import { hoistConstants } from './hoist.js';
import { hoistLookups } from './lookups.js';
import { removeNops } from './nops.js';
import { assignResults } from './results.js';
import { shareComputations } from './sharing.js';
import { removeUnused } from './unused.js';

export type OptimizationLevel = 0 | 1 | 2;

interface Pass {
  readonly name: string;
  /** The lowest level at which it runs. */
  readonly level: 1 | 2;
  readonly run: (policy: Policy) => Policy;
}

/**
 * In the order in which they run. Each takes any plan and returns one with the same answers and
 * errors, in time linear in its size.
 */
export const passes: readonly Pass[] = [
  { name: 'functions', level: 1, run: removeFunctions }, // first: later passes have less to read
  { name: 'nops', level: 1, run: removeNops }, // blocks that do nothing hide that others are straight lines
  { name: 'blocks', level: 1, run: simplifyBlocks }, // statements of one block run in order: later passes rely on it
  { name: 'results', level: 1, run: assignResults }, // before other passes change the statements that mark a rule
  { name: 'constants', level: 1, run: foldConstants }, // leaves copies and breaks behind
  { name: 'sharing', level: 2, run: shareComputations }, // leaves copies behind
  { name: 'copies', level: 1, run: propagateCopies }, // removes those and the planner's own
  { name: 'hoist', level: 1, run: hoistConstants }, // after copies, so that no copy ties a constant to a loop
  { name: 'lookups', level: 1, run: hoistLookups }, // with constants out of the way of loops within loops
  { name: 'dead blocks', level: 1, run: simplifyBlocks }, // behind the breaks that folding left
  { name: 'unused', level: 1, run: removeUnused }, // values that only removed statements have read
  { name: 'empty blocks', level: 1, run: removeNops },
  { name: 'dead functions', level: 1, run: removeFunctions }, // functions that only removed statements have called
  { name: 'strings', level: 1, run: removeStatics }, // last: nothing refers to a string after this that did not before
];

/**
 * A plan with the same answers in fewer steps. Level 0 returns the plan as it is; 1 removes
 * statements; 2 moves and shares computations too. The result depends on the plan and the level
 * only.
 *
 * @param onPass called for each pass with the number of statements before and after it
 * @example optimize(policy, 1, (name, before, after) => report(`${name}: ${before} → ${after}`))
 */
export function optimize(policy: Policy, level: OptimizationLevel, onPass?: (name: string, before: number, after: number) => void): Policy {
  let result = policy;
  let before = onPass ? countStatements(policy) : 0;
  for (const pass of passes) {
    if (pass.level > level) continue;
    result = pass.run(result);
    if (onPass === undefined) continue;
    const after = countStatements(result);
    onPass(pass.name, before, after);
    before = after;
  }
  return result;
}
