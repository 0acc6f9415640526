/** Loops: the index or the groups that a scan may use, and the rounds that it may leave out. */
import type { Block, Operand as PlanOperand, Stmt } from '../../../ir-schema/index.js';
import { pathKey } from '../../../values/index.js';
import { walksCopy } from '../facts/walked-copies.js';
import type {
  Index,
  LoweredBlock,
  LoweredOf,
  LoweredOperand,
  LoweredStmt,
  Register,
  ScanGroups,
  ScanIndex,
} from '../lowered.js';
import { anyOrder } from '../passes/any-order.js';
import { distinctRounds } from '../passes/distinct-rounds.js';
import { groupsOf } from '../passes/groups.js';
import { indexedScan } from '../passes/indexed-scan.js';
import { FirstRound } from './first-round.js';
import type { LowerContext } from './lower-context.js';
import { lowerHoisted } from './lower-lookup.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** The values on which a round depends, where rounds may be left out. */
interface Rounds {
  readonly paths: readonly (readonly string[])[];
  /** Compares the rounds, if they are long. */
  readonly register: Register | undefined;
}

const noRounds: Rounds = { paths: [], register: undefined };

/** @param lowerRound lowers the block of the scan */
export function lowerScan(
  node: Scan,
  origin: Index,
  context: LowerContext,
  lowerRound: () => LoweredBlock,
): LoweredStmt {
  const { facts, lookups, registers } = context;
  const { source, key, value, block } = node.stmt;
  const iterator = registers.temporaries(3);
  const scanned = context.register(source);
  const copied = walksCopy(node, facts);
  const parts = { kind: 'scan' as const, origin, iterator, source: scanned, copied, weight: weightOf(block) };
  if (!facts.areKnown) {
    const own = { key: context.register(key), value: context.register(value) };
    const order = { anyOrder: false, free: undefined, restarts: false };
    return { ...parts, ...own, ...order, ahead: [], index: undefined, groups: undefined, block: lowerRound() };
  }
  const ahead = context.collect(() => lowerHoisted(node, origin, context));
  lookups.follow(source, value);
  const distinct = distinctRounds(node, facts);
  const register = distinct?.areLong === true ? registers.temporaries(1) : undefined;
  const rounds = distinct === undefined ? noRounds : { paths: distinct.paths, register };
  const index = lowerIndex(node, origin, copied ? { ...rounds, paths: [] } : rounds, context);
  const own = { key: context.register(key), value: context.register(value) };
  const groups = index === undefined && !copied ? lowerGroups(source, rounds, context) : undefined;
  const { lowered, ...order } = lowerInOrder(node, origin, Object.values(own), context, lowerRound);
  const scan = { ...parts, ...own, ...order, ahead, index, groups, block: lowered };
  return register === undefined ? scan : comparingRounds(scan, register, rounds.paths, context);
}

/** The round, and whether it may run in any order. */
function lowerInOrder(
  node: Scan,
  origin: Index,
  elements: readonly Register[],
  context: LowerContext,
  lowerRound: () => LoweredBlock,
): Pick<LoweredOf<'scan'>, 'anyOrder' | 'free' | 'restarts'> & { readonly lowered: LoweredBlock } {
  const { facts, freeLoops, registers } = context;
  const around = [...new Set(freeLoops.values())];
  for (const loop of around) loop.inner++;
  // A loop that its rounds make longer has none of these effects.
  const targets = anyOrder(node, facts);
  const known = [...(targets?.keys() ?? [])].map((local) => freeLoops.get(local));
  const [outer] = known;
  let order: Pick<LoweredOf<'scan'>, 'anyOrder' | 'free' | 'restarts'>;
  const own: number[] = [];
  if (targets === undefined || known.some((loop) => loop?.register !== outer?.register))
    order = { anyOrder: false, free: undefined, restarts: false };
  else if (known.length === 0) order = { anyOrder: true, free: undefined, restarts: false };
  else if (outer !== undefined) order = { anyOrder: false, free: outer.register, restarts: false };
  else {
    const register = registers.temporaries(1);
    context.push({ kind: 'reset', origin, target: register });
    for (const [local, test] of targets) freeLoops.set(local, { register, test, elements, inner: 0 });
    own.push(...targets.keys());
    order = { anyOrder: false, free: register, restarts: true };
  }
  const lowered = lowerRound();
  for (const local of own) freeLoops.delete(local);
  for (const loop of around) loop.inner--;
  return { ...order, lowered };
}

/** A scan that leaves out the rounds of which the values at the paths repeat those of another. */
function comparingRounds(
  scan: LoweredOf<'scan'>,
  rounds: Register,
  paths: Rounds['paths'],
  { tables }: LowerContext,
): LoweredStmt {
  const { origin, source, value: element } = scan;
  const list = tables.constant(paths);
  const first: LoweredStmt = { kind: 'newRounds', origin, target: rounds, source, paths: list };
  const test: LoweredStmt = { kind: 'distinctRound', origin, rounds, element, paths: list };
  return { ...scan, ahead: [...scan.ahead, first], block: [test, ...scan.block] };
}

function weightOf(block: Block | null): number {
  return Math.max(1, block === null ? 0 : block.stmts.length >> 1);
}

/** The index that a scan may use. Elements that may change in the array are in no index. */
function lowerIndex(scan: Scan, origin: Index, rounds: Rounds, context: LowerContext): ScanIndex | undefined {
  const { facts, lookups, registers, tables } = context;
  const { source } = scan.stmt;
  if (facts.mutations !== 'unaliased' && facts.made.has(source)) return undefined;
  const indexed = indexedScan(scan, facts, lookups);
  if (indexed === undefined) return undefined;
  const { match, second, steps, reached } = indexed;
  const path = tables.path(match.path, match.above);
  const above = match.above === undefined ? undefined : tables.path(match.above);
  const paths = reached.length === 0 ? undefined : tables.constant(reached);
  const found = registers.temporaries(1);
  const values = new ValuesAhead(steps, origin, context);
  const wanted = values.of(match.wanted);
  const other = second === undefined ? undefined : { path: tables.path(second.path), wanted: values.of(second.wanted) };
  const groups = second === undefined && !match.isMany ? groupsOfFound(source, match, rounds, context) : undefined;
  const kinds = { lasting: lookups.isData(source), ofObjects: !facts.made.has(source) };
  const index = { path, above, reached: paths, ...kinds, found };
  return { ...index, wanted, isMany: match.isMany, second: other, groups, ahead: values.ahead };
}

/** The values of the first round, which are undefined if a step of it is. */
class ValuesAhead {
  readonly #origin: Index;
  readonly #context: LowerContext;
  readonly #round: FirstRound;
  readonly #steps: LoweredBlock;
  readonly #resets: LoweredStmt[] = [];
  readonly #moves: LoweredStmt[] = [];

  constructor(steps: readonly Stmt[], origin: Index, context: LowerContext) {
    this.#origin = origin;
    this.#context = context;
    this.#round = new FirstRound(origin, context);
    this.#steps = context.collect(() => {
      for (const step of steps) this.#round.lower(step);
    });
  }

  of(wanted: PlanOperand): LoweredOperand {
    const source = this.#round.operand(wanted);
    if (this.#steps.length === 0) return source;
    const target = this.#context.registers.temporaries(1);
    this.#resets.push({ kind: 'reset', origin: this.#origin, target });
    this.#moves.push({ kind: 'move', origin: this.#origin, target, source });
    return target;
  }

  /** Computes them, once each was asked for. */
  get ahead(): LoweredBlock {
    return [...this.#resets, ...this.#steps, ...this.#moves];
  }
}

/** Groups of the elements that an index finds: all of these have the wanted value. */
function groupsOfFound(
  source: number,
  match: { readonly above: readonly string[] | undefined; readonly path: readonly string[] },
  { paths, register }: Rounds,
  context: LowerContext,
): ScanGroups | undefined {
  // To find the groups takes as long as a short round.
  if (register === undefined) return undefined;
  const others = paths.filter((one) => match.above !== undefined || pathKey(one) !== pathKey(match.path));
  return lowerGroups(source, { paths: others, register }, context);
}

function lowerGroups(
  source: number,
  { paths, register }: Rounds,
  { facts, lookups, tables }: LowerContext,
): ScanGroups | undefined {
  const groups = groupsOf(source, paths, facts, lookups);
  return groups === undefined
    ? undefined
    : { path: tables.path(groups.path), lasting: groups.lasting, rounds: register };
}
