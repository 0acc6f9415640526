/**
 * Finds rules that differ in a constant. A rule becomes one or more blocks of its function. Where
 * these first compare a part of a parameter with a constant (`input.method == "GET"`), a rule with
 * another constant has no effect. A run of such rules is dispatched by the value: one look-up
 * instead of a comparison each.
 */

import type { Block, LocalUses } from '../../../../ir-schema/index.js';
import type { DispatchConstant } from '../../../operations/dispatch-key.js';
import type { FunctionFacts } from '../../facts/function-facts.js';
import type { PlanFacts } from '../../facts/plan-facts.js';
import { type DispatchGuard, type DispatchPart, guardsOf } from './guards.js';

/** The blocks of one rule, from `start` to before `end`, and the constant of its comparison. */
interface DispatchedRule {
  readonly start: number;
  readonly end: number;
  readonly constant: DispatchConstant;
}

/** Blocks from `start` to before `end`: rules that compare `part` with constants. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly part: DispatchPart;
  readonly rules: readonly DispatchedRule[];
}

/** Fewer rules are as fast one after the other. */
const minRules = 4;

interface Candidate {
  readonly start: number;
  readonly end: number;
  /** Guards by the key of the part, in the order of the comparisons. */
  readonly guards: ReadonlyMap<string, DispatchGuard>;
  /** Locals that the blocks write before the last of the comparisons. */
  readonly written: ReadonlySet<number>;
  /** The local that the first block resets before it compares. */
  readonly reset: number | undefined;
}

/** The runs among the outermost blocks of a function, in order. */
export function findDispatch({ blocks, params, plan, uses }: FunctionFacts): readonly Run[] {
  if (blocks.length < minRules) return [];
  const roots = new Set(params.filter((param) => uses.of(param).definitions === 0));
  const runs: Run[] = [];
  for (let at = 0; at < blocks.length; ) {
    const candidates = candidatesFrom(blocks, at, roots, plan);
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
  plan: PlanFacts,
): Candidate[] {
  const candidates: Candidate[] = [];
  let common: ReadonlySet<string> | undefined;
  for (let start = at; start < blocks.length; ) {
    const candidate = candidateAt(blocks, start, roots, plan);
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

/** A rule: a block, those of each `else` with the same comparison, one that takes the result. */
function candidateAt(
  blocks: readonly Block[],
  start: number,
  roots: ReadonlySet<number>,
  plan: PlanFacts,
): Candidate | undefined {
  const block = blocks[start];
  if (block === undefined) return undefined;
  const first = guardsOf(block, roots, plan);
  const { reset } = first;
  const written = new Set(first.written);
  let { guards } = first;
  let end = start + 1;
  for (let next = blocks[end]; next !== undefined; next = blocks[++end]) {
    if (reset === undefined || tested(next, 'IsUndefinedStmt') !== reset) break;
    const other = guardsOf(next, roots, plan);
    const same = commonGuards(guards, other.guards);
    if (same.size === 0 || other.written.has(reset)) break;
    guards = same;
    for (const local of other.written) written.add(local);
  }
  if (guards.size === 0) return undefined;
  if (reset !== undefined && tested(blocks[end], 'IsDefinedStmt') === reset) end++;
  return { start, end, guards, written, reset };
}

/** The comparisons that two blocks make both. */
function commonGuards(a: Candidate['guards'], b: Candidate['guards']): Candidate['guards'] {
  const common = new Map<string, DispatchGuard>();
  for (const [key, one] of a) {
    if (b.get(key)?.constant === one.constant) common.set(key, one);
  }
  return common;
}

/** The local that a block tests first. */
function tested(block: Block | undefined, type: 'IsDefinedStmt' | 'IsUndefinedStmt'): number | undefined {
  const test = block?.stmts[0];
  return test?.type === type ? test.stmt.source : undefined;
}

/** The run for the guard with the most different constants. */
function bestRun(candidates: readonly Candidate[]): Run | undefined {
  const [first, last] = [candidates[0], candidates.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  let best: Run | undefined;
  let most = 1;
  for (const [key, { part }] of first.guards) {
    const rules = candidates.flatMap(({ start, end, guards }) => {
      const guard = guards.get(key);
      return guard === undefined ? [] : [{ start, end, constant: guard.constant }];
    });
    if (part.path.includes('__proto__') || rules.length < candidates.length) continue;
    const constants = new Set(rules.map(({ constant }) => constant));
    if (constants.size <= most) continue;
    most = constants.size;
    best = { start: first.start, end: last.end, part, rules };
  }
  return best;
}

/** Whether no block reads a local that a skipped rule would have written before it compares. */
function skippable(
  candidates: readonly Candidate[],
  blocks: readonly Block[],
  params: readonly number[],
  uses: LocalUses,
): boolean {
  const written = new Set<number>();
  const resetBy = new Map<number, number>();
  for (const candidate of candidates) {
    const { start, end, reset } = candidate;
    // The rule of an `else` is reset where nothing has written it.
    const [first] = blocks[start]?.stmts ?? [];
    const isFirst = reset !== undefined && first && uses.of(reset).firstWrite === uses.positions.get(first);
    const idle = isFirst ? reset : undefined;
    for (const local of candidate.written) if (local !== idle || params.includes(local)) written.add(local);
    if (reset !== undefined) for (let block = start + 1; block < end; block++) resetBy.set(block, reset);
  }
  return uses.exposed.every((reads, block) => {
    for (const local of reads) if (written.has(local) && resetBy.get(block) !== local) return false;
    return true;
  });
}
