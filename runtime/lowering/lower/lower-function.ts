/** The blocks of one function of a plan → lowered blocks. */
import { internalized, type Steps } from '../../../values/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import type { Dispatch, LoweredBlock, LoweredFunction, OutermostBlock, Register } from '../lowered.js';
import { findDispatch, type Run } from '../passes/dispatch/dispatch.js';
import { withoutKnown } from '../passes/dispatch/known.js';
import { endsWithConstant } from '../passes/early-exit.js';
import { isQuick } from '../passes/quick-functions.js';
import { lowerBlock } from './lower-block.js';
import { LowerContext } from './lower-context.js';
import { Registers } from './registers.js';
import type { Tables } from './tables.js';

/** Outermost blocks that are lowered in one step. */
const blocksOfStep = 16;

export type LoweredBody = Pick<LoweredFunction, 'params' | 'registers' | 'cleared' | 'tracker' | 'isQuick' | 'body'>;

export function* lowerBody(facts: FunctionFacts, tables: Tables): Steps<LoweredBody> {
  const { params } = facts;
  const registers = new Registers([...params, ...facts.uses.shared]);
  const tracker = facts.mutations === 'unknown' ? registers.temporaries(1) : undefined;
  const body = yield* lowerOutermost(new LowerContext(tables, facts, registers, tracker));
  const cleared = facts.areKnown ? registers.shared : registers.count;
  const func = { params: params.length, registers: registers.count, cleared, tracker, body };
  return { ...func, isQuick: isQuick(func, tables.builtins) };
}

/** The outermost blocks in order; runs of rules that differ in a constant become a dispatch. */
function* lowerOutermost(context: LowerContext): Steps<LoweredFunction['body']> {
  const { facts, registers } = context;
  const { blocks } = facts;
  const runs = facts.areKnown ? findDispatch(facts) : [];
  const placed = runs.map((run) => ({ run, iterator: registers.temporaries(3) }));
  const first = registers.next;
  const body: (OutermostBlock | Dispatch)[] = [];
  let at = 0;
  for (const { run, iterator } of placed) {
    for (const block of yield* outermostBlocks(at, run.start, first, context)) body.push({ kind: 'block', block });
    body.push(yield* lowerRun(run, iterator, first, context));
    at = run.end;
  }
  for (const block of yield* outermostBlocks(at, blocks.length, first, context)) body.push({ kind: 'block', block });
  return body;
}

/** The outermost blocks from `start` to before `end`. */
function* outermostBlocks(
  start: number,
  end: number,
  firstRegister: Register,
  context: LowerContext,
): Steps<LoweredBlock[]> {
  const { areKnown, blocks, uses } = context.facts;
  const lowered: LoweredBlock[] = [];
  for (const [i, block] of blocks.slice(start, end).entries()) {
    const at = start + i;
    context.enter(at, firstRegister);
    lowered.push(lowerBlock(block, 0, areKnown && endsWithConstant(block, uses), context));
    if ((at + 1) % blocksOfStep === 0) yield;
  }
  return lowered;
}

function* lowerRun(
  { start, part, rules: found }: Run,
  iterator: Register,
  firstRegister: Register,
  context: LowerContext,
): Steps<Dispatch> {
  const { facts, registers, tables } = context;
  // A run begins with a block that compares.
  const origin = tables.place(facts.blocks[start]!.stmts[0]!);
  const root = registers.of(part.param);
  const path = part.path.map((key) => tables.constant(typeof key === 'string' ? internalized(key) : key));
  const rules: Dispatch['rules'][number][] = [];
  for (const rule of found) {
    const blocks = yield* outermostBlocks(rule.start, rule.end, firstRegister, context);
    const known = { root, path, constant: tables.constant(rule.constant) };
    rules.push({ constant: rule.constant, blocks: withoutKnown(blocks, known, registers.shared) });
  }
  return { kind: 'dispatch', origin, iterator, root, path, rules };
}
