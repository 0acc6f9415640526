/**
 * Loops whose rounds may run in any order, and more than once for the same element: they do
 * nothing but add to sets and assign constants. So they may run as the elements are found.
 */
import { effectsOf } from '../../../ir-schema/effects.js';
import { exposedReads } from '../../../ir-schema/local-uses.js';
import type { Block, Operand, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import { eachStatement, type Uses } from './uses.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Statements of a round, next to calls, loops and assignments of constants. */
export const inRounds: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['ArrayAppendStmt', 'AssignIntStmt', 'AssignVarStmt', 'AssignVarOnceStmt', 'BlockStmt', 'BreakStmt', 'DotStmt'] as const),
  ...(['EqualStmt', 'IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt', 'IsUndefinedStmt', 'LenStmt', 'MakeArrayStmt'] as const),
  ...(['MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt', 'MakeObjectStmt', 'MakeSetStmt', 'NopStmt', 'NotEqualStmt'] as const),
  ...(['NotStmt', 'ObjectInsertStmt', 'ResetLocalStmt', 'SetAddStmt'] as const),
]);

interface FreeRounds extends RoundCalls {
  /** The sets outside of the rounds that these add to. */
  readonly adds: ReadonlySet<number>;
  readonly size: number;
  /** The locals that nothing else uses, those of the element included. */
  readonly own: ReadonlySet<number>;
}

/** Undefined where the rounds must run in order, or once for each element, or take long. */
export function freeRounds(scan: Scan, uses: Uses, silent: SilentCalls): FreeRounds | undefined {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return undefined;
  const inside = new Set<Stmt>();
  eachStatement([block], (node) => inside.add(node));
  const calls = roundCalls(block, new Set([value]), silent);
  if (calls === undefined || !staysInPlace(key, value, inside, scan, uses)) return undefined;
  const exposed = exposedReads(block);
  const isOfRound = (local: number) => !exposed.has(local) && uses.isWithin(local, inside);
  const constants = new Map<number, Operand>();
  const own = new Set([key, value]);
  const adds = new Set<number>();
  for (const node of inside) {
    const { writes, mutates } = effectsOf(node);
    for (const local of writes) if (isOfRound(local)) own.add(local);
    for (const local of mutates) {
      if (isOfRound(local)) continue;
      if (!isOnlyAddedTo(local, node, inside, uses)) return undefined;
      adds.add(local);
    }
    const mayConflict = node.type === 'AssignVarOnceStmt';
    if (!writes.every((local) => (!mayConflict && isOfRound(local)) || isSameConstant(local, node, constants, inside, uses)))
      return undefined;
  }
  return { ...calls, adds, size: inside.size, own };
}

/** Whether the key and the value are the loop's own. */
function staysInPlace(key: number, value: number, inside: ReadonlySet<Stmt>, scan: Scan, uses: Uses): boolean {
  return [key, value].every((local) => {
    return uses.readers(local).every((node) => inside.has(node)) && uses.writers(local).every((node) => node === scan);
  });
}

/** Whether a set outside of the rounds is only added to in them. */
function isOnlyAddedTo(local: number, node: Stmt, inside: ReadonlySet<Stmt>, uses: Uses): boolean {
  return (
    node.type === 'SetAddStmt' &&
    uses
      .readers(local)
      .every(
        (reader) =>
          !inside.has(reader) ||
          (reader.type === 'SetAddStmt' && !(reader.stmt.value.type === 'local' && reader.stmt.value.value === local)),
      ) &&
    uses.writers(local).every((writer) => !inside.has(writer))
  );
}

/** Whether the rounds give a local outside of them nothing but one constant, and do not read it. */
function isSameConstant(local: number, node: Stmt, constants: Map<number, Operand>, inside: ReadonlySet<Stmt>, uses: Uses): boolean {
  if ((node.type !== 'AssignVarStmt' && node.type !== 'AssignVarOnceStmt') || node.stmt.source.type === 'local') return false;
  const { source } = node.stmt;
  const other = constants.get(local) ?? source;
  constants.set(local, source);
  const isOwn = (reader: Stmt) => reader.type === 'AssignVarOnceStmt' && reader.stmt.target === local;
  const isConstant = (writer: Stmt) =>
    writer.type === 'ResetLocalStmt' ||
    ((writer.type === 'AssignVarStmt' || writer.type === 'AssignVarOnceStmt') && writer.stmt.source.type !== 'local');
  return (
    other.type === source.type &&
    other.value === source.value &&
    uses.readers(local).every((one) => !inside.has(one) || isOwn(one)) &&
    uses.writers(local).every((one) => !inside.has(one) || isConstant(one))
  );
}

/** What is known of the calls of a round. */
interface RoundCalls {
  /** Whether built-ins in them may have errors, where these are looked for. */
  readonly mayFail: boolean;
  /** Whether they may tell equal numbers apart, as 1 and 1.0. */
  readonly showsNumbers: boolean;
}

/**
 * The calls of a block, undefined where one may be noticed or takes long, or a statement is none of
 * a round. Loops are over parts of the element alone, so that a round takes no longer than it took
 * to find the element again in a set.
 * @param parts the locals that hold parts of the element of the innermost loop
 */
function roundCalls({ stmts }: Block, parts: ReadonlySet<number>, silent: SilentCalls): RoundCalls | undefined {
  const known = new Set(parts);
  let mayFail = false;
  let showsNumbers = false;
  for (const node of stmts) {
    const { type, stmt } = node;
    let inner: ReadonlySet<number> = known;
    if (type === 'ScanStmt') {
      if (!known.has(stmt.source)) return undefined;
      inner = new Set([stmt.value]);
    } else if (type === 'CallStmt') {
      const silence = silent.of(stmt.func);
      // The result of a rule is computed once.
      if (silence === undefined || (silence.hasLoops && !isRuleCall(stmt.args ?? []))) return undefined;
      mayFail ||= silence.mayFail;
      showsNumbers ||= silence.showsNumbers;
    } else if (!inRounds.has(type)) return undefined;
    if ((type === 'DotStmt' || type === 'AssignVarStmt') && stmt.source.type === 'local' && known.has(stmt.source.value))
      known.add(stmt.target);
    for (const block of blocksOf(node)) {
      const found = roundCalls(block, inner, silent);
      if (found === undefined) return undefined;
      mayFail ||= found.mayFail;
      showsNumbers ||= found.showsNumbers;
    }
  }
  return { mayFail, showsNumbers };
}

/** Whether a call has the input and the base documents as its only operands. */
export function isRuleCall(args: readonly Operand[]): boolean {
  return args.length === 2 && args.every(({ type, value }, i) => type === 'local' && value === i);
}
