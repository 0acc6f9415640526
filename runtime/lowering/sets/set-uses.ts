/** The uses of the set or array that a rule makes, and those that need no collection. */
import type { Block, Func, Operand, Plan, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import { freeRounds, isRuleCall } from './free-rounds.js';
import type { SetMaker } from './set-makers.js';
import { eachStatement, Uses } from './uses.js';

type Of<T extends Stmt['type']> = Stmt & { readonly type: T };

/** A plan, or a function. */
export type Owner = Plan | Func;

/** A call of a maker whose result is only walked by one loop, or only asked for one member. */
export interface SetUse {
  readonly maker: SetMaker;
  readonly call: Of<'CallStmt'>;
  /** The loop, or the call that asks for the member. */
  readonly node: Of<'ScanStmt'> | Of<'CallStmt'>;
  /** The test of that call's result, which follows it. */
  readonly test: Stmt | undefined;
  /** Tests of the collection's type. */
  readonly typeTests: ReadonlySet<Stmt>;
  /** Whether built-ins may have errors in it, where these are looked for. */
  readonly mayFail: boolean;
  /** Sets to which the loop adds what depends on the order of the members. */
  readonly adds: ReadonlySet<number>;
  /** The number of statements in place of each one that adds a member. */
  readonly size: number;
  /** The locals of the loop alone. */
  readonly own: ReadonlySet<number>;
}

const none: ReadonlySet<number> = new Set();

/** About the statements that compare a member with the wanted one. */
const sizeOfTest = 6;

/** The uses of a body by the calls, undefined for calls whose collection is used in another way. */
export function setUses(owner: Owner, makers: ReadonlyMap<string, SetMaker>, silent: SilentCalls): ReadonlyMap<Stmt, SetUse | undefined> {
  const found = new Map<Stmt, SetUse | undefined>();
  const blocks = owner.blocks ?? [];
  let hasWith = false;
  eachStatement(blocks, (node) => {
    if (node.type === 'CallStmt' && makers.has(node.stmt.func)) found.set(node, undefined);
    if (node.type === 'WithStmt') hasWith = true;
  });
  // A function may be called often; its calls of a maker are one, since the result is remembered.
  const isOnce = !('params' in owner) || (owner.params?.length === 2 && owner.params.every((param, i) => param === i));
  if (found.size === 0 || hasWith || !isOnce) return found;
  const uses = new Uses(blocks);
  if (uses.writers(0).length > 0 || uses.writers(1).length > 0) return found;
  const followers = new Map<Stmt, Stmt | undefined>();
  for (const block of blocks) noteFollowers(block, followers);
  for (const call of found.keys()) found.set(call, useOf(call as Of<'CallStmt'>, makers, uses, followers, silent));
  return found;
}

/** Notes the statements that run at most once in a body, and what follows them in their block. */
function noteFollowers({ stmts }: Block, followers: Map<Stmt, Stmt | undefined>): void {
  for (const [i, node] of stmts.entries()) {
    followers.set(node, stmts[i + 1]);
    if (node.type !== 'ScanStmt') for (const block of blocksOf(node)) noteFollowers(block, followers);
  }
}

function useOf(
  call: Of<'CallStmt'>,
  makers: ReadonlyMap<string, SetMaker>,
  uses: Uses,
  followers: ReadonlyMap<Stmt, Stmt | undefined>,
  silent: SilentCalls,
): SetUse | undefined {
  const { args, result, func } = call.stmt;
  const maker = makers.get(func)!;
  const silence = silent.of(func);
  const isSimple = isRuleCall(args ?? []) && followers.has(call) && silence !== undefined && uses.writers(result).length === 1;
  if (!isSimple) return undefined;
  const readers = uses.readers(result);
  const [node, ...more] = readers.filter((reader) => !isTypeTest(reader));
  if (node === undefined || more.length > 0 || !followers.has(node)) return undefined;
  const typeTests = new Set(readers.filter(isTypeTest));
  if (node.type === 'ScanStmt') {
    const rounds = freeRounds(node, uses, silent);
    if (rounds === undefined || (maker.type === 'array' && uses.readers(node.stmt.key).length > 0)) return undefined;
    const parts = { maker, call, node, test: undefined, typeTests, ...rounds, mayFail: silence.mayFail || rounds.mayFail };
    // An array is walked in its order. Of 1 and 1.0, a set has one and a search both.
    if (maker.type === 'array') return { ...parts, adds: none };
    return rounds.showsNumbers ? undefined : parts;
  }
  const test = followers.get(node);
  if (node.type !== 'CallStmt' || node.stmt.func !== 'internal.member_2' || !isTested(node, test, result, uses)) return undefined;
  return { maker, call, node, test, typeTests, mayFail: silence.mayFail, adds: none, size: sizeOfTest, own: none };
}

function isTypeTest({ type }: Stmt): boolean {
  return type === 'IsSetStmt' || type === 'IsArrayStmt' || type === 'IsObjectStmt';
}

/** Whether a call asks for a member, and the next statement tests that this is not false. */
function isTested({ stmt: { args, result } }: Of<'CallStmt'>, test: Stmt | undefined, collection: number, uses: Uses): boolean {
  const isLocal = (operand: Operand | undefined, local: number) => operand?.type === 'local' && operand.value === local;
  if (args?.length !== 2 || isLocal(args[0], collection) || !isLocal(args[1], collection) || test?.type !== 'NotEqualStmt') return false;
  const { a, b } = test.stmt;
  if (!isLocal(a, result) || b.type !== 'bool' || b.value) return false;
  return uses.writers(result).length === 1 && uses.readers(result).every((reader) => reader === test);
}
