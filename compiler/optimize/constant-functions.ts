import { effectsOf } from '../../ir-schema/effects.js';
import type { Func, Policy, Stmt } from '../../ir-schema/plan.js';

/**
 * Functions that do nothing but build a value of constants and answer it, as compilers write for literals: a call of one cannot fail and answers the
 * same whatever it is given. By name, with the statement that makes the value.
 */
export function constantFunctions(policy: Policy): ReadonlyMap<string, Stmt> {
  const found = new Map<string, Stmt>();
  for (const func of policy.funcs?.funcs ?? []) {
    const maker = makerOf(func);
    if (maker !== undefined) found.set(func.name, maker);
  }
  return found;
}

/** Statements that extend a collection; they go on where the collection is of their kind and what they add has a value. */
const extended: { readonly [type in Stmt['type']]?: Stmt['type'] } = {
  ArrayAppendStmt: 'MakeArrayStmt',
  SetAddStmt: 'MakeSetStmt',
  ObjectInsertStmt: 'MakeObjectStmt',
};

function makerOf({ params, blocks }: Func): Stmt | undefined {
  const [block] = blocks ?? [];
  const last = block?.stmts.at(-1);
  if (block === undefined || blocks?.length !== 1 || params?.length !== 2 || last?.type !== 'ReturnLocalStmt') return undefined;
  const made = new Map<number, Stmt>();
  for (const node of block.stmts.slice(0, -1)) {
    const { reads, writes, mutates } = effectsOf(node);
    if (!reads.every((local) => made.has(local)) || params.some((param) => writes.includes(param))) return undefined;
    const [collection] = mutates;
    if (collection !== undefined) {
      if (made.get(collection)?.type !== extended[node.type]) return undefined;
    } else if (node.type.startsWith('Make') || node.type === 'AssignIntStmt') made.set(writes[0]!, node);
    else return undefined;
  }
  return made.get(last.stmt.source);
}
