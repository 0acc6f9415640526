/**
 * Finds rules that differ in a constant. A rule becomes one or two blocks of its function. Where
 * these first compare a part of a parameter with a constant (`input.method == "GET"`), a block
 * with another constant has no effect. A run of such blocks is dispatched by the value: one
 * look-up instead of a comparison each.
 */

import type { LocalUses } from '../../ir-schema/local-uses.js';
import type { Block } from '../../ir-schema/plan.js';
import type { DispatchConstant } from '../operations/dispatch-key.js';
import { type Guard, guardsOf } from './dispatch-guards.js';

/** The blocks of one rule, from `start` to before `end`, and the constant that it compares with. */
interface DispatchedRule {
  readonly start: number;
  readonly end: number;
  readonly constant: DispatchConstant;
}

/**
 * Blocks from `start` to before `end`: rules that compare the value at `path` below the parameter
 * `root`.
 */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly root: number;
  readonly path: Guard['path'];
  readonly rules: readonly DispatchedRule[];
}

/** Fewer rules are as fast one after the other. */
const minRules = 4;

interface Candidate {
  readonly start: number;
  readonly end: number;
  /** By a text for root and path, in the order of the comparisons. */
  readonly guards: ReadonlyMap<string, Guard>;
  /** Locals that the blocks write before the last of the comparisons. */
  readonly written: ReadonlySet<number>;
  /** The local that the first block resets before it compares. */
  readonly reset: number | undefined;
  /** That local where the second block tests it. */
  readonly shared: number | undefined;
}

/** The runs among the outermost blocks of a function, in order. */
export function findDispatch(
  blocks: readonly Block[],
  params: readonly number[],
  uses: LocalUses,
  stringAt: (index: number) => string,
): readonly Run[] {
  if (blocks.length < minRules) return [];
  const roots = new Set(params.filter((param) => uses.of(param).definitions === 0));
  const runs: Run[] = [];
  for (let at = 0; at < blocks.length; ) {
    const candidates = candidatesFrom(blocks, at, roots, stringAt);
    if (candidates.length >= minRules) {
      const run = bestRun(candidates);
      if (run !== undefined && skippable(candidates, blocks, params, uses)) runs.push(run);
    }
    at = candidates.at(-1)?.end ?? at + 1;
  }
  return runs;
}

/** Successive rules that share a guard, from `at` on. */
function candidatesFrom(
  blocks: readonly Block[],
  at: number,
  roots: ReadonlySet<number>,
  stringAt: (index: number) => string,
): Candidate[] {
  const candidates: Candidate[] = [];
  let common: ReadonlySet<string> | undefined;
  for (let start = at; start < blocks.length; ) {
    const candidate = candidateAt(blocks, start, roots, stringAt);
    if (candidate === undefined) break;
    const keys: ReadonlySet<string> = new Set(candidate.guards.keys());
    const shared: ReadonlySet<string> = common === undefined ? keys : common.intersection(keys);
    if (shared.size === 0) break;
    common = shared;
    candidates.push(candidate);
    start = candidate.end;
  }
  return candidates;
}

function candidateAt(
  blocks: readonly Block[],
  start: number,
  roots: ReadonlySet<number>,
  stringAt: (index: number) => string,
): Candidate | undefined {
  const { guards, written, reset } = guardsOf(blocks[start]!, roots, stringAt);
  if (guards.size === 0) return undefined;
  const test = blocks[start + 1]?.stmts[0];
  const shared = test?.type === 'IsDefinedStmt' && test.stmt.source === reset ? reset : undefined;
  return { start, end: start + (shared === undefined ? 1 : 2), guards, written, reset, shared };
}

/** The run for the guard with the most different constants. */
function bestRun(candidates: readonly Candidate[]): Run | undefined {
  const first = candidates[0]!;
  let best: Run | undefined;
  let most = 0;
  for (const [key, { root, path }] of first.guards) {
    if (path.includes('__proto__') || !candidates.every(({ guards }) => guards.has(key))) continue;
    const constants = new Set(candidates.map(({ guards }) => guards.get(key)!.constant));
    if (constants.size <= most) continue;
    most = constants.size;
    const rules = candidates.map(({ start, end, guards }) => ({ start, end, constant: guards.get(key)!.constant }));
    best = { start: first.start, end: candidates.at(-1)!.end, root, path, rules };
  }
  return most > 1 ? best : undefined;
}

/** Whether no block reads a local that a skipped rule would have written before it compares. */
function skippable(candidates: readonly Candidate[], blocks: readonly Block[], params: readonly number[], uses: LocalUses): boolean {
  const written = new Set<number>();
  const sharedBy = new Map<number, number>();
  for (const candidate of candidates) {
    // The rule of an `else` is reset where nothing has written it.
    const first = blocks[candidate.start]!.stmts[0]!;
    const idle =
      candidate.reset !== undefined && uses.of(candidate.reset).firstWrite === uses.positions.get(first) ? candidate.reset : undefined;
    for (const local of candidate.written) if (local !== idle || params.includes(local)) written.add(local);
    if (candidate.shared !== undefined) sharedBy.set(candidate.start + 1, candidate.shared);
  }
  return uses.exposed.every((reads, block) => {
    for (const local of reads) if (written.has(local) && sharedBy.get(block) !== local) return false;
    return true;
  });
}
