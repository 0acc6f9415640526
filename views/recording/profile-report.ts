/** The profile of a run as JSON: docs/recordings.md specifies it. */

import type { AddressedOwner, AddressedStatement, Addresses } from '../../ir-schema/index.js';
import { blocksOf, StatementText } from '../../ir-schema/index.js';
import type { ObservedPolicy } from './observed-run.js';
import type { CallNode, StatementCounts, StatementProfile } from './statement-profile.js';
import { slowestOf, spreadOf, statementSpreads, type TimeSpread } from './time-spread.js';

/** Counts and times of the statement machine. Times are in nanoseconds. */
export interface PlanProfileReport {
  /** How many statements were evaluated: the sum of their counts. */
  readonly count: number;
  readonly time_ns: number;
  /** The evaluations of which times are medians; those of `calls` are of the one in the middle. */
  readonly runs: number;
  /** The spread of times over several evaluations. */
  readonly spread?: TimeSpread;
  /** The address of the statement that takes longest; left out where times do not tell it. */
  readonly slowest?: string;
  /** The statements that were evaluated, in the order of the listing. */
  readonly statements: readonly ProfiledStatement[];
  /** Plans and functions that were called, the longest first. */
  readonly functions: readonly ProfiledFunction[];
  /** Calls by the way to them, callers before what they call. */
  readonly calls: readonly ProfiledCall[];
}

interface ProfiledStatement {
  readonly address: string;
  readonly type: string;
  /** The statement as a listing shows it. */
  readonly text: string;
  /** Left out where the plan has no position. */
  readonly location?: { readonly file: string; readonly row: number; readonly col: number };
  readonly count: number;
  /** How often its block went on after it. */
  readonly passed: number;
  /** How often it ended its block by failing; the rest left the block. */
  readonly failed: number;
  /** The rounds of a loop, and those whose block passed to its end. */
  readonly rows_in?: number;
  readonly rows_out?: number;
  /** The runs of a called function; the other calls had a remembered or constant result. */
  readonly entered?: number;
  /** The time without the statements and calls inside. */
  readonly time_ns: number;
  readonly total_time_ns: number;
  /** The spread over several evaluations; `time_ns` and `total_time_ns` are medians then. */
  readonly spread?: TimeSpread;
}

interface ProfiledFunction {
  readonly name: string;
  readonly kind: 'plan' | 'func';
  readonly calls: number;
  readonly time_ns: number;
  /** The time with the functions that it calls. */
  readonly total_time_ns: number;
}

interface ProfiledCall {
  readonly name: string;
  /** The index of the call around it; -1 for none. */
  readonly parent: number;
  /** The address of the statement that calls; left out for plans. */
  readonly caller?: string;
  readonly count: number;
  readonly time_ns: number;
  readonly total_time_ns: number;
}

interface ReportTables {
  readonly addresses: Addresses;
  readonly text: StatementText;
  readonly files: readonly string[];
  /** Names. */
  readonly functions: ReadonlySet<string>;
}

/** @param all several evaluations of the same, of which the profile is one: times are medians */
export function profileReport(
  profile: StatementProfile,
  { policy, addresses }: ObservedPolicy,
  all?: readonly StatementProfile[],
): PlanProfileReport {
  const text = new StatementText(policy);
  const files = (policy.static?.files ?? []).map(({ value }) => value);
  const functions = new Set((policy.funcs?.funcs ?? []).map(({ name }) => name));
  const tables = { addresses, text, files, functions };
  const spreads = all && statementSpreads(all);
  const slowest = spreads && slowestOf(spreads);
  const statements = [...addresses].flatMap((statement) => {
    const counts = profile.counts.get(statement);
    if (counts === undefined) return [];
    const one = profiledStatement(statement, counts, profile, tables);
    const spread = spreads?.get(statement);
    if (all === undefined || spread === undefined) return [one];
    const total = spreadOf(all.map((other) => other.counts.get(statement)?.totalTime ?? 0));
    return [{ ...one, time_ns: spread.median_ns, total_time_ns: total.median_ns, spread }];
  });
  const calls = visitedCalls(profile.roots);
  return {
    count: statements.reduce((sum, { count }) => sum + count, 0),
    time_ns: nanoseconds(profile.time),
    runs: all?.length ?? 1,
    ...(all && { spread: spreadOf(all.map(({ time }) => time)) }),
    ...(slowest && { slowest: slowest.address }),
    statements,
    functions: functionTimes(all?.map(({ roots }) => visitedCalls(roots)) ?? [calls]),
    calls: calls.map(profiledCall),
  };
}

function profiledStatement(
  statement: AddressedStatement,
  counts: StatementCounts,
  profile: StatementProfile,
  { addresses, text, files, functions }: ReportTables,
): ProfiledStatement {
  const { address, stmt } = statement;
  const { file, row, col } = stmt.stmt;
  const name = files[file];
  const isCall = stmt.type === 'CallDynamicStmt' || (stmt.type === 'CallStmt' && functions.has(stmt.stmt.func));
  return {
    address,
    type: stmt.type,
    text: text.statement(stmt),
    ...(name !== undefined && row > 0 && { location: { file: name, row, col } }),
    count: counts.count,
    passed: counts.passed,
    failed: counts.failed,
    ...(stmt.type === 'ScanStmt' && rowsOf(statement, counts, profile, addresses)),
    ...(isCall && { entered: counts.entered }),
    time_ns: nanoseconds(counts.time),
    total_time_ns: nanoseconds(counts.totalTime),
  };
}

/** A round begins with the first statement of the loop's block, and passes if its last one does. */
function rowsOf(
  { stmt }: AddressedStatement,
  { elements }: StatementCounts,
  profile: StatementProfile,
  addresses: Addresses,
): Pick<ProfiledStatement, 'rows_in' | 'rows_out'> {
  const stmts = blocksOf(stmt)[0]?.stmts ?? [];
  const [first, last] = [stmts[0], stmts.at(-1)].map((inner) => inner && addresses.find(inner));
  if (first === undefined || last === undefined) return { rows_in: elements, rows_out: elements };
  return { rows_in: profile.counts.get(first)?.count ?? 0, rows_out: profile.counts.get(last)?.passed ?? 0 };
}

interface VisitedCall {
  readonly node: CallNode;
  /** The place in the order of the visit, and that of the call around it. */
  readonly index: number;
  readonly parent: number;
  /** Whether no call around it is of the same function. */
  readonly isOutermost: boolean;
}

/** All nodes, callers first. Calls of plans may nest deeper than the stack of this. */
function visitedCalls(roots: readonly CallNode[]): readonly VisitedCall[] {
  const visited: VisitedCall[] = [];
  const depths = new Map<AddressedOwner, number>();
  // Calls to visit, and how deep a function is again behind the calls inside of one.
  type Waiting =
    | { readonly node: CallNode; readonly parent: number }
    | { readonly left: AddressedOwner; readonly depth: number };
  const waiting: Waiting[] = [];
  const wait = (nodes: readonly CallNode[], parent: number): void => {
    for (const node of nodes.toReversed()) waiting.push({ node, parent });
  };
  wait(roots, -1);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ('left' in next) {
      depths.set(next.left, next.depth);
      continue;
    }
    const { node, parent } = next;
    const depth = depths.get(node.owner) ?? 0;
    const index = visited.push({ node, index: visited.length, parent, isOutermost: depth === 0 }) - 1;
    depths.set(node.owner, depth + 1);
    waiting.push({ left: node.owner, depth });
    wait(node.calls, index);
  }
  return visited;
}

interface FunctionSums {
  calls: number;
  time: number;
  totalTime: number;
}

/** The medians of evaluations that call the same functions, the longest first. */
function functionTimes(evaluations: readonly (readonly VisitedCall[])[]): readonly ProfiledFunction[] {
  const all = evaluations.map(functionSums);
  const medianOf = (owner: AddressedOwner, time: 'time' | 'totalTime') =>
    spreadOf(all.map((sums) => sums.get(owner)?.[time] ?? 0)).median_ns;
  return [...(all[0] ?? [])]
    .map(([owner, { calls }]) => ({
      name: owner.name,
      kind: owner.kind,
      calls,
      time_ns: medianOf(owner, 'time'),
      total_time_ns: medianOf(owner, 'totalTime'),
    }))
    .sort((a, b) => b.time_ns - a.time_ns);
}

function functionSums(calls: readonly VisitedCall[]): ReadonlyMap<AddressedOwner, FunctionSums> {
  const found = new Map<AddressedOwner, FunctionSums>();
  for (const { node, isOutermost } of calls) {
    const sums = found.get(node.owner) ?? { calls: 0, time: 0, totalTime: 0 };
    found.set(node.owner, sums);
    sums.calls += node.count;
    sums.time += node.time;
    if (isOutermost) sums.totalTime += node.totalTime;
  }
  return found;
}

function profiledCall({ node, parent }: VisitedCall): ProfiledCall {
  const { owner, caller, count, time, totalTime } = node;
  return {
    name: owner.name,
    parent,
    ...(caller && { caller: caller.address }),
    count,
    time_ns: nanoseconds(time),
    total_time_ns: nanoseconds(totalTime),
  };
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}
