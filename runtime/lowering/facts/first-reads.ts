/** Functions that make an array, if each call of them reads its element 0 alone. */

import type { Block, Policy, Stmt } from '../../../ir-schema/index.js';
import { blocksOf, LocalUses, scalarConstant } from '../../../ir-schema/index.js';
import type { Steps } from '../../../values/index.js';

type Call = Stmt & { readonly type: 'CallStmt' };

/** The names of these functions. In steps. */
export function* firstReads(policy: Policy, stringAt: (index: number) => string): Steps<ReadonlySet<string>> {
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
function readsFirst(
  { stmt: { result } }: Call,
  { stmts }: Block,
  uses: LocalUses,
  stringAt: (index: number) => string,
): boolean {
  const { firstRead, lastRead } = uses.of(result);
  const read = stmts.find((node) => uses.positions.get(node) === firstRead);
  if (firstRead !== lastRead || read?.type !== 'DotStmt' || !uses.isAssignedOnce(result)) return false;
  const { source, key } = read.stmt;
  if (source.type !== 'local' || source.value !== result || key.type !== 'local' || !uses.isAssignedOnce(key.value))
    return false;
  return stmts.some((node) => {
    const constant = scalarConstant(node, stringAt);
    return constant?.target === key.value && constant.value === 0;
  });
}
