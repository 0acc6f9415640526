/** The nodes of the graph of calls: functions, or packages that are folded. */
import { documentText } from '../../../compiler/index.js';
import type { Links } from '../page/links.js';
import { count } from '../page/page-state.js';
import type { GraphEdge, GraphNode } from './layout.js';

export interface CallEdge {
  readonly from: number;
  readonly to: number;
  readonly isDynamic: boolean;
  times: number;
}

/** How functions become nodes. */
export interface CallUnits {
  /** Whether packages are one node each, but for those that were opened. */
  readonly isFolded: boolean;
  readonly opened: ReadonlySet<string>;
  /** The heat of each function, from 0 to 1; undefined without a run. */
  readonly heat: readonly number[] | undefined;
}

/** The package of a function; undefined for plans. Literals have none of their own. */
function packageOf({ addresses }: Links, owner: number): string | undefined {
  const body = addresses.owners[owner]?.body;
  if (body === undefined || !('params' in body)) return undefined;
  const path = body.path ?? [];
  return path.length < 2 ? 'literals' : documentText(path.slice(1, -1));
}

/** The node of a function. */
export function callUnitOf(links: Links, owner: number, { isFolded, opened }: CallUnits): string {
  const name = isFolded ? packageOf(links, owner) : undefined;
  return name === undefined || opened.has(name) ? String(owner) : `package ${name}`;
}

/** The nodes of some functions, and the ways between them. */
export function callGraph(
  links: Links,
  shown: ReadonlySet<number>,
  edges: readonly CallEdge[],
  units: CallUnits,
): { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] } {
  const byUnit = Map.groupBy(shown, (owner) => callUnitOf(links, owner, units));
  const nodes = [...byUnit].map(([id, owners]) => nodeOf(links, id, owners, units));
  const ways = new Map<string, { from: string; to: string; isDynamic: boolean; times: number }>();
  for (const { from, to, isDynamic, times } of edges) {
    if (!shown.has(from) || !shown.has(to)) continue;
    const [start, end] = [callUnitOf(links, from, units), callUnitOf(links, to, units)];
    // Calls inside of a folded package.
    if (start === end && from !== to) continue;
    const known = ways.get(`${start}>${end}`);
    if (known === undefined) ways.set(`${start}>${end}`, { from: start, to: end, isDynamic, times });
    else known.times += times;
  }
  return {
    nodes,
    edges: [...ways.values()].map(({ from, to, isDynamic, times }): GraphEdge => {
      return { from, to, kind: isDynamic ? 'dynamic' : 'call', ...(times > 1 && { label: `×${times}` }) };
    }),
  };
}

function nodeOf({ owners }: Links, id: string, members: readonly number[], { heat }: CallUnits): GraphNode {
  const statements = members.reduce((sum, owner) => sum + (owners[owner]?.count ?? 0), 0);
  const hottest = heat && Math.max(...members.map((owner) => heat[owner] ?? 0));
  const [first] = members;
  if (id.startsWith('package ')) {
    const lines = [
      { text: id.slice('package '.length) },
      { text: `${count(members.length, 'function')}, ${count(statements, 'statement')}` },
    ];
    return { id, kind: 'package', lines, heat: hottest };
  }
  const owner = owners[first ?? -1];
  return {
    id,
    kind: owner?.kind ?? 'func',
    lines: [{ text: owner?.name ?? '' }, { text: count(statements, 'statement') }],
    heat: hottest,
  };
}
