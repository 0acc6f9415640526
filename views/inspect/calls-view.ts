/** Calls as lists: who is called, and by whom. */
import { type AddressedOwner, type PlaceText, type Policy, StatementText } from '../../ir-schema/index.js';
import type { CallGraph, PlanCall } from './call-graph.js';
import { columnWidths, rowText } from './columns.js';

export interface ListedCall {
  readonly caller: string;
  readonly callee: string;
  /** A dynamic call may reach the function. */
  readonly kind: 'function' | 'dynamic' | 'builtin';
  /** The address of the statement. */
  readonly at: string;
  readonly location?: PlaceText;
}

/** The calls of plans and functions, in order. */
export function listCalls(policy: Policy, graph: CallGraph, owners: readonly AddressedOwner[]): ListedCall[] {
  return list(
    policy,
    owners.flatMap((owner) => graph.from(owner)),
  );
}

/** The calls of functions and built-ins, grouped by them. */
export function listCallers(
  policy: Policy,
  graph: CallGraph,
  callees: readonly (AddressedOwner | string)[],
): ListedCall[] {
  return list(
    policy,
    callees.flatMap((callee) => graph.to(callee)),
  );
}

function list(policy: Policy, calls: readonly PlanCall[]): ListedCall[] {
  const text = new StatementText(policy);
  return calls.map(({ caller, callee, isDynamic, stmt }) => {
    const location = text.place(stmt.stmt);
    const [name, kind] =
      typeof callee === 'string' ? ([callee, 'builtin'] as const) : ([callee.name, 'function'] as const);
    return {
      caller: caller.name,
      callee: name,
      kind: isDynamic ? 'dynamic' : kind,
      at: stmt.address,
      ...(location && { location }),
    };
  });
}

/**
 * The calls below their callers.
 * @example
 * g0.data.authz.allow
 *   0.2.2.5  g0.data.authz.matches                 policy.rego:18:2
 */
export function callsText(calls: readonly ListedCall[]): string {
  return groupedText(calls, 'caller', ({ caller, callee, kind, at }) => [
    at.slice(caller.length + 1),
    `${callee}${note(kind)}`,
  ]);
}

/** The calls below the functions and built-ins that they call. */
export function callersText(calls: readonly ListedCall[]): string {
  return groupedText(calls, 'callee', ({ kind, at }) => [`${at}${kind === 'dynamic' ? note(kind) : ''}`]);
}

function note(kind: ListedCall['kind']): string {
  return { function: '', dynamic: '  (dynamic)', builtin: '  (built-in)' }[kind];
}

function groupedText(
  calls: readonly ListedCall[],
  by: 'caller' | 'callee',
  cellsOf: (call: ListedCall) => readonly string[],
): string {
  const rows = calls.map((call) => ({ call, cells: [...cellsOf(call), placeText(call.location)] }));
  const widths = columnWidths(rows.map(({ cells }) => cells));
  const groups = Map.groupBy(rows, ({ call }) => call[by]);
  return [...groups]
    .map(([name, lines]) => {
      const texts = lines.map(({ cells }) => `  ${rowText(cells, widths)}`);
      return [name, ...texts].map((line) => `${line}\n`).join('');
    })
    .join('');
}

function placeText(place: PlaceText | undefined): string {
  return place === undefined ? 'no position' : `${place.file}:${place.row}:${place.col}`;
}
