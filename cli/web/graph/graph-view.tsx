/** A graph as SVG: nodes are reached by the arrow keys, and light their statements. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { PageState } from '../page/page-state.js';
import { type GraphEdge, type GraphNode, lineHeight, nodePadding, type PlacedNode, placedGraph } from './layout.js';

interface GraphViewProps {
  readonly state: PageState;
  readonly label: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The node that stands out. */
  readonly chosen: string | undefined;
  readonly onChoose: (node: GraphNode) => void;
  /** On Enter and a double click. */
  readonly onOpen: (node: GraphNode) => void;
  /** Whether all of the graph is shown, smaller where it has to be. */
  readonly isFit: boolean;
}

export function GraphView({ state, label, nodes, edges, chosen, onChoose, onOpen, isFit }: GraphViewProps) {
  const graph = useMemo(() => placedGraph(nodes, edges), [nodes, edges]);
  const svg = useRef<SVGSVGElement>(null);
  const focused = chosen ?? nodes[0]?.id;
  // A graph that is wider than the window begins at its chosen node, or at its first one.
  useEffect(() => {
    const holder = svg.current?.parentElement;
    const node = svg.current?.querySelector(`[data-node="${CSS.escape(focused ?? '')}"]`);
    if (node == null || holder == null || holder.scrollWidth <= holder.clientWidth) return;
    const drawn = node.getBoundingClientRect();
    const shown = holder.getBoundingClientRect();
    const isInView = drawn.left >= shown.left && drawn.right <= shown.right;
    if (!isInView) holder.scrollLeft += (drawn.left + drawn.right - shown.left - shown.right) / 2;
  }, [graph, focused]);
  const onKey = (event: KeyboardEvent, node: PlacedNode): void => {
    if (event.key === 'Enter') return onOpen(node);
    const next = nearest(graph.nodes, node, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    svg.current?.querySelector<SVGGElement>(`[data-node="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <div class={isFit ? 'graph fit' : 'graph'}>
      <svg
        ref={svg}
        width={graph.width}
        height={graph.height}
        viewBox={`0 0 ${graph.width} ${graph.height}`}
        aria-labelledby="graph-title"
      >
        <title id="graph-title">{label}</title>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0.5 L8 4 L0 7.5 z" class="arrow" />
          </marker>
        </defs>
        {graph.edges.map((edge) => (
          <g key={`${edge.from} ${edge.to} ${edge.kind}`} class={`edge edge-${edge.kind}`}>
            <path d={pathOf(edge.points)} marker-end="url(#arrow)" />
            {edge.label !== undefined && (
              <text class="edge-label" x={edge.labelAt.x} y={edge.labelAt.y + 4} text-anchor="middle">
                {edge.label}
              </text>
            )}
          </g>
        ))}
        {graph.nodes.map((node) => (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no buttons
          <g
            key={node.id}
            data-node={node.id}
            class={`node node-${node.kind}${node.id === chosen ? ' chosen' : ''}`}
            role="button"
            tabindex={node.id === focused ? 0 : -1}
            aria-pressed={node.id === chosen}
            transform={`translate(${node.x} ${node.y})`}
            onClick={() => onChoose(node)}
            onDblClick={() => onOpen(node)}
            onKeyDown={(event) => onKey(event, node)}
            onPointerLeave={() => state.hover([])}
          >
            <NodeBox state={state} node={node} />
          </g>
        ))}
      </svg>
    </div>
  );
}

/** The box of a node, its heat, and its lines. */
function NodeBox({ state, node }: { readonly state: PageState; readonly node: PlacedNode }) {
  const lit = new Set(state.lit.value);
  return (
    <>
      <rect width={node.width} height={node.height} rx="6" />
      {node.heat !== undefined && node.heat > 0 && (
        <rect
          class="heat"
          width={node.width}
          height={node.height}
          rx="6"
          opacity={(0.05 + 0.25 * node.heat).toFixed(2)}
        />
      )}
      {node.lines.map(({ text, statement }, i) => (
        <g key={`${i} ${text}`} onPointerEnter={() => state.hover(statement === undefined ? [] : [statement])}>
          {statement !== undefined && (
            <rect
              class={`line${lit.has(statement) ? ' lit' : ''}`}
              x="1"
              y={nodePadding - 3 + i * lineHeight}
              width={node.width - 2}
              height={lineHeight}
            />
          )}
          <text x={nodePadding} y={nodePadding + 9 + i * lineHeight} xml:space="preserve">
            {`${text} `}
          </text>
        </g>
      ))}
    </>
  );
}

function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const parts = [`M${first.x} ${first.y}`];
  // Curves through the middles of the segments, which have the points as their handles.
  for (const [i, { x, y }] of rest.entries()) {
    const next = rest[i + 1];
    if (next === undefined) parts.push(`L${x} ${y}`);
    else parts.push(`Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}`);
  }
  return parts.join(' ');
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The nearest node in the direction of an arrow key; sidesteps count twice. */
function nearest(nodes: readonly PlacedNode[], from: PlacedNode, key: string): PlacedNode | undefined {
  const direction = directions[key];
  if (direction === undefined) return undefined;
  const [dx, dy] = direction;
  let best: PlacedNode | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const x = node.x + node.width / 2 - from.x - from.width / 2;
    const y = node.y + node.height / 2 - from.y - from.height / 2;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (node === from || ahead <= 1) continue;
    if (ahead + 2 * aside < least) [best, least] = [node, ahead + 2 * aside];
  }
  return best;
}
