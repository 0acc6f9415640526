/**
 * Sets and arrays of a few values that are only asked for a member: `x in {"any", input.kind}`. The
 * member is compared with each value, so that no round of a loop makes a set.
 */

import { type Block, effectsOf, isLocalOperand, mutatedBy, type Operand, type Stmt } from '../../../ir-schema/index.js';
import { RegoSet, type Value } from '../../../values/index.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import { membership } from '../facts/round-statements.js';

type Call = Stmt & { readonly type: 'CallStmt' };

/** More values are found sooner in a set, which takes the same time for any number. */
const mostValues = 8;

interface LiteralMembers {
  /** The values of the literal, by the call that asks. */
  readonly values: ReadonlyMap<Stmt, readonly Operand[]>;
  /** The statements that make a literal: these values need only be defined. */
  readonly makers: ReadonlySet<Stmt>;
}

/** The literals that statements of a block make, and that nothing but one later test reads. */
export function literalMembers({ stmts }: Block, facts: FunctionFacts): LiteralMembers | undefined {
  if (facts.mutations === 'unknown' || !facts.areKnown || facts.plan.functions.has(membership)) return undefined;
  let found: { values: Map<Stmt, readonly Operand[]>; makers: Set<Stmt> } | undefined;
  for (const [end, node] of stmts.entries()) {
    if (
      node.type !== 'CallStmt' ||
      node.stmt.func !== membership ||
      !facts.isOnlyTested(node.stmt.result, stmts[end + 1])
    )
      continue;
    const makers = makersOf(node, stmts, end, facts);
    if (makers === undefined) continue;
    found ??= { values: new Map(), makers: new Set() };
    found.values.set(node, makers.flatMap(addedBy));
    for (const maker of makers) found.makers.add(maker);
  }
  return found;
}

/** The statements that make the literal of a call, if these and the call alone read its local. */
function makersOf(call: Call, stmts: readonly Stmt[], end: number, facts: FunctionFacts): readonly Stmt[] | undefined {
  const { uses } = facts;
  const [element, collection] = call.stmt.args ?? [];
  if (collection?.type !== 'local') return undefined;
  const local = collection.value;
  const isAskedOnce = !isLocalOperand(element, local) && uses.of(local).lastRead === uses.positions.get(call);
  if (!isAskedOnce || !uses.isAssignedOnce(local)) return undefined;
  const start = stmts.findIndex(
    ({ type, stmt }) => (type === 'MakeSetStmt' || type === 'MakeArrayStmt') && stmt.target === local,
  );
  if (start < 0 || start > end) return undefined;
  const makers = [stmts[start]!];
  for (let i = start + 1; i < end; i++) {
    const node = stmts[i]!;
    if (mutatedBy(node) === local && addedBy(node).every((value) => isKept(value, local, facts))) makers.push(node);
    else if (reads(node, local)) return undefined;
  }
  const size = makers.length - 1;
  return size > 0 && size <= mostValues && size === uses.of(local).mutations ? makers : undefined;
}

/** The value that a statement adds. */
function addedBy({ type, stmt }: Stmt): readonly Operand[] {
  return type === 'SetAddStmt' || type === 'ArrayAppendStmt' ? [stmt.value] : [];
}

/** Whether a value that is put into the literal is the same where the literal is read. */
function isKept(value: Operand, literal: number, facts: FunctionFacts): boolean {
  return (
    value.type !== 'local' || (value.value !== literal && (facts.roots.has(value.value) || facts.isFixed(value.value)))
  );
}

function reads(node: Stmt, local: number): boolean {
  const effects = effectsOf(node);
  return (
    effects.reads.includes(local) || effects.blocks.some(({ stmts }) => stmts.some((inner) => reads(inner, local)))
  );
}

/** The members of a constant set or array of a few scalars, undefined for any other value. */
export function constantMembers(collection: Value | undefined): readonly Value[] | undefined {
  if (!Array.isArray(collection) && !(collection instanceof RegoSet)) return undefined;
  const members: readonly Value[] = [...collection];
  const isFew = members.length > 0 && members.length <= mostValues;
  return isFew && members.every((member) => typeof member !== 'object') ? members : undefined;
}
