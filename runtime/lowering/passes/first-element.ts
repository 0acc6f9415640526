/**
 * Arrays of which only the first element is read: `candidates := [r | …]` where all else asks for
 * `candidates[0]`. The loop that appends the elements ends with the first one.
 */
import { blocksOf, type Stmt } from '../../../ir-schema/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import { roundEffects } from '../facts/round-effects.js';

/** Statements of the rule beside its comprehension. */
const moving: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...([
    'AssignVarOnceStmt',
    'AssignVarStmt',
    'BlockStmt',
    'IsDefinedStmt',
    'MakeArrayStmt',
    'ResetLocalStmt',
    'ReturnLocalStmt',
  ] as const),
]);

/**
 * The append with which the loops of such a rule end, and how many of them it ends; undefined if
 * the rule does more than to make the array and return it, or the rounds do more than to append.
 */
export function firstAppend(facts: FunctionFacts): { readonly node: Stmt; readonly depth: number } | undefined {
  const { blocks, plan, name, uses } = facts;
  if (name === undefined) return undefined;
  const own = blocks.flatMap(({ stmts }) => stmts);
  const written = own.flatMap(({ type, stmt }) => ('target' in stmt && type !== 'ResetLocalStmt' ? [stmt.target] : []));
  const [inner, ...more] = own.flatMap(blocksOf);
  const loop = inner?.stmts.at(-1);
  if (!own.every(({ type }) => moving.has(type)) || new Set(written).size < written.length) return undefined;
  // To find the first reads takes a walk over the whole plan.
  if (more.length > 0 || loop?.type !== 'ScanStmt' || !plan.firstReads.has(name)) return undefined;
  uses.enter(0);
  let [last, depth] = [loop.stmt.block?.stmts.at(-1), 1];
  for (; last?.type === 'ScanStmt'; depth++) last = last.stmt.block?.stmts.at(-1);
  if (last?.type !== 'ArrayAppendStmt' || !uses.isAssignedOnce(last.stmt.array)) return undefined;
  const { mutations, firstRead } = uses.of(last.stmt.array);
  const effects = roundEffects(loop, facts);
  if (effects === undefined || effects.mayConflict || effects.added.size > 0) return undefined;
  const isOnly = mutations === 1 && firstRead === uses.positions.get(last) && effects.assigned === undefined;
  return isOnly && effects.extended.has(last.stmt.array) ? { node: last, depth } : undefined;
}
