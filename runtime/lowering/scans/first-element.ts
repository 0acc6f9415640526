/**
 * Arrays of which only the first element is read: `candidates := [r | …]` where all else asks for
 * `candidates[0]`. The loop that appends the elements ends with the first one.
 */
import { effectsOf } from '../../../ir-schema/effects.js';
import type { Block, Operand, Policy, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { Steps } from '../../../values/steps.js';

type Of<T extends Stmt['type']> = Stmt & { readonly type: T };

/** Built-ins that only compute a value: to leave out the calls of later rounds has no effect. */
const computing: ReadonlySet<string> = new Set([
  ...['equal', 'neq', 'lt', 'lte', 'gt', 'gte', 'plus', 'minus', 'mul', 'div', 'rem', 'internal.member_2', 'internal.member_3'],
  ...['count', 'object.get', 'split', 'concat', 'lower', 'upper', 'startswith', 'endswith', 'contains', 'indexof', 'substring'],
  ...['trim', 'trim_left', 'trim_right', 'trim_prefix', 'trim_suffix', 'trim_space', 'to_number', 'glob.match', 'regex.match'],
  ...['net.cidr_contains', 'type_name', 'is_array', 'is_boolean', 'is_null', 'is_number', 'is_object', 'is_set', 'is_string'],
]);

/** Statements of a round that leave nothing behind it, if the locals they write are the round's. */
const inRounds: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['ArrayAppendStmt', 'AssignIntStmt', 'AssignVarStmt', 'BlockStmt', 'BreakStmt', 'CallStmt', 'DotStmt', 'EqualStmt'] as const),
  ...(['IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt', 'IsUndefinedStmt', 'LenStmt', 'MakeArrayStmt'] as const),
  ...(['MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt', 'NopStmt', 'NotEqualStmt', 'NotStmt', 'ResetLocalStmt'] as const),
  'ScanStmt',
]);

/** The loops that may end with their first element: the append, and how many blocks it leaves. */
export function* firstElements(policy: Policy, stringAt: (index: number) => string): Steps<ReadonlyMap<Stmt, number>> {
  const found = new Map<Stmt, number>();
  const functions = policy.funcs?.funcs ?? [];
  const bodies = [...functions, ...(policy.plans?.plans ?? [])].map(({ blocks }) => blocks ?? []);
  const makers = functions.filter(({ blocks }) => blocks?.[0]?.stmts.some((node) => node.type === 'MakeArrayStmt'));
  const names = new Set(makers.map(({ name }) => name));
  const called = new Set<string>();
  for (const blocks of bodies) {
    if (names.size === 0) return found;
    dropOthers(blocks, names, called, stringAt);
    yield;
  }
  for (const { name, blocks } of makers) {
    const append = names.has(name) && called.has(name) ? appendOf(blocks ?? []) : undefined;
    if (append !== undefined) found.set(append.node, append.depth);
  }
  return found;
}

/** Removes the functions whose results a body uses for more than their first element. */
function dropOthers(blocks: readonly Block[], names: Set<string>, called: Set<string>, stringAt: (index: number) => string): void {
  const calls: Of<'CallStmt'>[] = [];
  let isDynamic = false;
  each(blocks, (node) => {
    if (node.type === 'CallStmt' && names.has(node.stmt.func)) calls.push(node);
    if (node.type === 'CallDynamicStmt') isDynamic = true;
  });
  if (isDynamic) return names.clear();
  if (calls.length === 0) return;
  const uses = new Uses(blocks);
  for (const { stmt } of calls) {
    called.add(stmt.func);
    if (!uses.readsFirst(stmt.result, stringAt)) names.delete(stmt.func);
  }
}

/** Reads and writes of the locals of a body. */
class Uses {
  readonly #readers = new Map<number, Stmt[]>();
  readonly #writers = new Map<number, Stmt[]>();

  constructor(blocks: readonly Block[]) {
    each(blocks, (node) => {
      const { reads, writes } = effectsOf(node);
      for (const local of new Set(reads)) add(this.#readers, local, node);
      for (const local of new Set(writes)) add(this.#writers, local, node);
    });
  }

  readers(local: number): readonly Stmt[] {
    return this.#readers.get(local) ?? [];
  }

  writers(local: number): readonly Stmt[] {
    return this.#writers.get(local) ?? [];
  }

  /** Whether a local is written once, and only its element 0 is read, at one place. */
  readsFirst(local: number, stringAt: (index: number) => string): boolean {
    const [only, ...others] = this.readers(local);
    if (only?.type !== 'DotStmt' || others.length > 0 || this.writers(local).length !== 1) return false;
    const { source, key } = only.stmt;
    if (!isLocal(source, local) || key.type !== 'local' || key.value === local) return false;
    const [made, ...more] = this.writers(key.value);
    if (made === undefined || more.length > 0) return false;
    if (made.type === 'MakeNumberRefStmt') return stringAt(made.stmt.index) === '0';
    return made.type === 'MakeNumberIntStmt' && made.stmt.value === 0;
  }

  /** Whether an array is only appended to, and returned by the names that it gets later. */
  isOnlyReturned(array: number): boolean {
    const names = new Set([array]);
    // Names that are added here are visited too.
    for (const name of names) {
      const isOnly = this.readers(name).every((node) => {
        const { type, stmt } = node;
        if (type === 'ArrayAppendStmt') return stmt.array === array && name === array && !isLocal(stmt.value, array);
        if (type === 'AssignVarStmt' || type === 'AssignVarOnceStmt') {
          if (this.writers(stmt.target).filter((writer) => writer.type !== 'ResetLocalStmt').length !== 1) return false;
          names.add(stmt.target);
          return true;
        }
        return type === 'IsDefinedStmt' || type === 'ReturnLocalStmt';
      });
      if (!isOnly) return false;
    }
    return this.writers(array).length === 1;
  }
}

/** The one append of the array that a body returns, if its loop may end there. */
function appendOf(blocks: readonly Block[]): { readonly node: Stmt; readonly depth: number } | undefined {
  const made = blocks[0]!.stmts.find((node) => node.type === 'MakeArrayStmt');
  if (made?.type !== 'MakeArrayStmt') return undefined;
  const array = made.stmt.target;
  const uses = new Uses(blocks);
  if (!uses.isOnlyReturned(array)) return undefined;
  for (const node of blocks[0]!.stmts) {
    if (node.type !== 'BlockStmt' || node.stmt.blocks?.length !== 1) continue;
    const loop = node.stmt.blocks[0]!.stmts.at(-1);
    const append = loop?.type === 'ScanStmt' ? lastAppend(loop, array, 1) : undefined;
    const appends = uses.readers(array).filter((reader) => reader.type === 'ArrayAppendStmt');
    if (append !== undefined && appends.length === 1 && leavesNothing(loop as Of<'ScanStmt'>, array, uses)) return append;
  }
  return undefined;
}

/** The append to an array at the end of a loop, or of the loops at its end. */
function lastAppend({ stmt }: Of<'ScanStmt'>, array: number, depth: number): { readonly node: Stmt; readonly depth: number } | undefined {
  const last = stmt.block?.stmts.at(-1);
  if (last?.type === 'ArrayAppendStmt' && last.stmt.array === array) return { node: last, depth };
  return last?.type === 'ScanStmt' ? lastAppend(last, array, depth + 1) : undefined;
}

/** Whether rounds of a loop do nothing but append to an array. */
function leavesNothing(loop: Of<'ScanStmt'>, array: number, uses: Uses): boolean {
  const inside = new Set<Stmt>([loop]);
  each(blocksOf(loop), (node) => inside.add(node));
  const isOfRound = (local: number) => [...uses.readers(local), ...uses.writers(local)].every((node) => inside.has(node));
  const isHarmless = (node: Stmt): boolean => {
    const { type, stmt } = node;
    if (!inRounds.has(type) || (type === 'CallStmt' && !computing.has(stmt.func))) return false;
    // Another array is one that the round has made.
    if (type === 'ArrayAppendStmt' && stmt.array !== array && uses.writers(stmt.array).some((writer) => writer.type !== 'MakeArrayStmt'))
      return false;
    const { writes, mutates } = effectsOf(node);
    return writes.every(isOfRound) && mutates.every((local) => local === array || isOfRound(local));
  };
  return [...inside].every(isHarmless) && staysInside(blocksOf(loop), 0);
}

/** Whether no statement cuts a block short that is further out than the given ones. */
function staysInside(blocks: readonly Block[], depth: number): boolean {
  return blocks.every(({ stmts }) =>
    stmts.every((node) => (node.type === 'BreakStmt' ? node.stmt.index <= depth : staysInside(blocksOf(node), depth + 1))),
  );
}

function each(blocks: readonly Block[], visit: (node: Stmt) => void): void {
  for (const { stmts } of blocks)
    for (const node of stmts) {
      visit(node);
      each(blocksOf(node), visit);
    }
}

function add(map: Map<number, Stmt[]>, local: number, node: Stmt): void {
  const list = map.get(local);
  if (list === undefined) map.set(local, [node]);
  else list.push(node);
}

function isLocal(operand: Operand, local: number): boolean {
  return operand.type === 'local' && operand.value === local;
}
