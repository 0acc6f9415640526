/**
 * Arrays of which only the first element is read: `candidates := [r | …]` where all else asks for
 * `candidates[0]`. The loop that appends the elements ends with the first one.
 */
import { LocalUses } from '../../../ir-schema/local-uses.js';
import type { Block, Policy, Stmt } from '../../../ir-schema/plan.js';
import { scalarConstant } from '../../../ir-schema/scalar-constant.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { Steps } from '../../../values/steps.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import type { FunctionFacts } from '../facts.js';
import { roundEffects } from './round-effects.js';

type Call = Stmt & { readonly type: 'CallStmt' };

/** The functions that make an array, if each call of them reads its element 0 alone. */
export function* firstElementRules(policy: Policy, stringAt: (index: number) => string): Steps<ReadonlySet<string>> {
  const functions = policy.funcs?.funcs ?? [];
  const makers = functions.filter(({ blocks }) => blocks?.[0]?.stmts.some(({ type }) => type === 'MakeArrayStmt'));
  const names = new Set(makers.map(({ name }) => name));
  const plans = (policy.plans?.plans ?? []).map(({ blocks }) => ({ blocks, params: [0, 1] }));
  for (const { blocks, params } of [...functions, ...plans]) {
    if (names.size === 0) return names;
    let uses: LocalUses | undefined;
    const visit = (block: Block, outermost: number): void => {
      for (const node of block.stmts) {
        if (node.type === 'CallDynamicStmt') names.clear();
        if (node.type === 'CallStmt' && names.has(node.stmt.func)) {
          uses ??= new LocalUses(blocks ?? [], params ?? []);
          uses.enter(outermost);
          if (!readsFirst(node, block, uses, stringAt)) names.delete(node.stmt.func);
        }
        for (const inner of blocksOf(node)) visit(inner, outermost);
      }
    };
    blocks?.forEach(visit);
    yield;
  }
  return names;
}

/** Whether the block of a call reads element 0 of the result, and nothing else reads the result. */
function readsFirst({ stmt: { result } }: Call, { stmts }: Block, uses: LocalUses, stringAt: (index: number) => string): boolean {
  const { firstRead, lastRead } = uses.of(result);
  const read = stmts.find((node) => uses.positions.get(node) === firstRead);
  if (firstRead !== lastRead || read?.type !== 'DotStmt' || !uses.isAssignedOnce(result)) return false;
  const { source, key } = read.stmt;
  if (source.type !== 'local' || source.value !== result || key.type !== 'local' || !uses.isAssignedOnce(key.value)) return false;
  return stmts.some((node) => {
    const constant = scalarConstant(node, stringAt);
    return constant?.target === key.value && constant.value === 0;
  });
}

/** Statements of the rule beside its comprehension. */
const moving: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['AssignVarOnceStmt', 'AssignVarStmt', 'BlockStmt', 'IsDefinedStmt', 'MakeArrayStmt', 'ResetLocalStmt', 'ReturnLocalStmt'] as const),
]);

/**
 * The append with which the loops of such a rule end, and how many of them it ends; undefined if
 * the rule does more than to make the array and return it, or the rounds do more than to append.
 */
export function firstAppend(
  { blocks, uses }: FunctionFacts,
  silent: SilentCalls,
): { readonly node: Stmt; readonly depth: number } | undefined {
  uses.enter(0);
  const own = blocks.flatMap(({ stmts }) => stmts);
  const written = own.flatMap(({ type, stmt }) => ('target' in stmt && type !== 'ResetLocalStmt' ? [stmt.target] : []));
  const [inner, ...more] = own.flatMap(blocksOf);
  const loop = inner?.stmts.at(-1);
  if (!own.every(({ type }) => moving.has(type)) || new Set(written).size < written.length) return undefined;
  if (more.length > 0 || loop?.type !== 'ScanStmt') return undefined;
  let [last, depth] = [loop.stmt.block?.stmts.at(-1), 1];
  for (; last?.type === 'ScanStmt'; depth++) last = last.stmt.block?.stmts.at(-1);
  if (last?.type !== 'ArrayAppendStmt' || !uses.isAssignedOnce(last.stmt.array)) return undefined;
  const { mutations, firstRead } = uses.of(last.stmt.array);
  const effects = roundEffects(loop, uses, silent);
  const isOnly = mutations === 1 && firstRead === uses.positions.get(last) && effects?.assigned === undefined;
  return isOnly && effects?.extended.has(last.stmt.array) === true ? { node: last, depth } : undefined;
}
