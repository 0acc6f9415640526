/** Which functions call which: around the chosen one, or all of them. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Links } from '../page/links.js';
import { count, type PageState } from '../page/page-state.js';
import { GraphView } from './graph-view.js';
import type { GraphEdge, GraphNode } from './layout.js';

/** More are hard to read, and slow to lay out. */
const mostShown = 60;

export function CallsView({ state }: { readonly state: PageState }) {
  const links = state.links.value;
  const { owners } = links;
  const owner = state.owner.value;
  const depth = useSignal(owners.length <= mostShown ? 0 : 2);
  // A graph of everything does not depend on the chosen function.
  const around = depth.value === 0 ? -1 : owner;
  const { nodes, edges, left } = useMemo(() => graphAround(links, around, depth.value), [links, around, depth.value]);
  const choose = ({ id }: GraphNode) => state.chooseOwner(Number(id));
  return (
    <div class="graph-view">
      <div class="bar">
        <label>
          Functions{' '}
          <select value={depth.value} onChange={({ currentTarget }) => (depth.value = Number(currentTarget.value))}>
            <option value="1">next to the chosen one</option>
            <option value="2">up to two calls away</option>
            <option value="4">up to four calls away</option>
            <option value="0">all</option>
          </select>
        </label>
        <span class="soft">{owners[owner]?.name}</span>
        {left > 0 && <span class="soft">{count(left, 'more function')}</span>}
      </div>
      <GraphView
        state={state}
        label="Calls"
        nodes={nodes}
        edges={edges}
        chosen={String(owner)}
        onChoose={choose}
        onOpen={(node) => {
          choose(node);
          state.view.value = 'code';
        }}
      />
    </div>
  );
}

/** @param owner -1 for all functions */
function graphAround({ owners, calls, addresses }: Links, owner: number, depth: number) {
  const edges = callEdges(owners, calls, addresses);
  const shown = new Set<number>(owner < 0 ? owners.keys() : [owner]);
  let reached = shown.size;
  for (const [start, end] of owner < 0
    ? []
    : ([
        ['from', 'to'],
        ['to', 'from'],
      ] as const)) {
    let border = [owner];
    const seen = new Set(border);
    for (let step = 0; step < depth; step++) {
      const next = new Set(border);
      border = edges.filter((edge) => next.has(edge[start])).map((edge) => edge[end]);
      border = border.filter((of) => !seen.has(of) && seen.add(of));
      for (const of of border) if (shown.size < mostShown) shown.add(of);
    }
    reached += seen.size - 1;
  }
  const nodes = [...shown].flatMap((of): GraphNode[] => {
    const owner = owners[of];
    if (owner === undefined) return [];
    const lines = [{ text: owner.name }, { text: count(owner.count, 'statement') }];
    return [{ id: String(of), kind: owner.kind, lines }];
  });
  const ways = edges
    .filter(({ from, to }) => shown.has(from) && shown.has(to))
    .map(({ from, to, times, isDynamic }): GraphEdge => {
      return {
        from: String(from),
        to: String(to),
        kind: isDynamic ? 'dynamic' : 'call',
        ...(times > 1 && { label: `×${times}` }),
      };
    });
  return { nodes, edges: ways, left: Math.max(0, reached - shown.size) };
}

interface CallEdge {
  readonly from: number;
  readonly to: number;
  readonly isDynamic: boolean;
  times: number;
}

/** The calls of functions, those of one by another once. */
function callEdges(
  owners: Links['owners'],
  { calls }: Links['calls'],
  addresses: Links['addresses'],
): readonly CallEdge[] {
  const numbers = new Map(addresses.owners.map((owner, i) => [owner, i]));
  const edges = new Map<number, CallEdge>();
  for (const { caller, callee, isDynamic } of calls) {
    const [from, to] = [numbers.get(caller), typeof callee === 'string' ? undefined : numbers.get(callee)];
    if (from === undefined || to === undefined) continue;
    const key = from * owners.length + to;
    const known = edges.get(key);
    if (known === undefined) edges.set(key, { from, to, isDynamic, times: 1 });
    else known.times++;
  }
  return [...edges.values()];
}
