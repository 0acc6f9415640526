/** The calls between functions: around the chosen one, or all of them. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Links } from '../page/links.js';
import { count, type PageState } from '../page/page-state.js';
import type { RunState } from '../run/run-state.js';
import { type CallEdge, type CallUnits, callGraph, callUnitOf } from './call-units.js';
import { FitButton } from './fit-button.js';
import { GraphView } from './graph-view.js';
import type { GraphNode } from './layout.js';

/** The most functions of a graph that is easy to read and quick to lay out. */
const mostShown = 60;

export function CallsView({ state, run }: { readonly state: PageState; readonly run: RunState }) {
  const links = state.links.value;
  const { owners } = links;
  const owner = state.owner.value;
  const depth = useSignal(owners.length <= mostShown ? 0 : 2);
  const isFit = useSignal(false);
  const isFolded = useSignal(false);
  /** Packages that are not folded, and the folded one that stands out. */
  const opened = useSignal<ReadonlySet<string>>(new Set());
  const chosenPackage = useSignal<string | undefined>(undefined);
  // A graph of everything does not depend on the chosen function.
  const around = depth.value === 0 ? -1 : owner;
  const heat = useMemo(() => heatOf(run, links), [run.counts.value, run.measure.value, links]);
  const { nodes, edges, left } = useMemo(
    () => graphAround(links, around, depth.value, { isFolded: isFolded.value, opened: opened.value, heat }),
    [links, around, depth.value, isFolded.value, opened.value, heat],
  );
  const choose = ({ id, kind }: GraphNode) => {
    chosenPackage.value = kind === 'package' ? id : undefined;
    if (kind !== 'package') state.chooseOwner(Number(id));
  };
  const open = (node: GraphNode) => {
    choose(node);
    if (node.kind === 'package') opened.value = new Set([...opened.value, node.id.slice('package '.length)]);
    else state.view.value = 'code';
  };
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
        <FitButton isFit={isFit} />
        <label class="check">
          <input
            type="checkbox"
            checked={isFolded.value}
            onChange={({ currentTarget }) => {
              opened.value = new Set();
              isFolded.value = currentTarget.checked;
            }}
          />{' '}
          fold packages
        </label>
        <span class="soft">{owners[owner]?.name}</span>
        {left > 0 && <span class="soft">{count(left, 'more function')}</span>}
      </div>
      <GraphView
        state={state}
        label="Calls"
        nodes={nodes}
        edges={edges}
        chosen={
          chosenPackage.value ?? callUnitOf(links, owner, { isFolded: isFolded.value, opened: opened.value, heat })
        }
        onChoose={choose}
        onOpen={open}
        isFit={isFit.value}
      />
    </div>
  );
}

/** The measure of each function's own statements, from 0 to 1; undefined without a run. */
function heatOf(run: RunState, { owners }: Links): readonly number[] | undefined {
  const counts = run.counts.value;
  const measure = run.measure.value;
  if (counts === undefined || measure === 'none') return undefined;
  const numbers = measure === 'time' ? counts.times : counts.evaluations;
  const sums = owners.map(({ first, count: size }) => numbers.slice(first, first + size).reduce((a, b) => a + b, 0));
  const most = Math.max(...sums);
  return most === 0 ? undefined : sums.map((sum) => sum / most);
}

/** @param owner -1 for all functions */
function graphAround(links: Links, owner: number, depth: number, units: CallUnits) {
  const { owners, calls, addresses } = links;
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
  return { ...callGraph(links, shown, edges, units), left: Math.max(0, reached - shown.size) };
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
