/** Places of a graph's nodes and edges, by dagre. */
import { Graph, layout } from '@dagrejs/dagre';

export interface GraphNode {
  readonly id: string;
  readonly lines: readonly NodeLine[];
  /** The kind as which it is drawn. */
  readonly kind: string;
  /** From 0 to 1, by a measure of a run; undefined without one. */
  readonly heat?: number | undefined;
}

interface NodeLine {
  readonly text: string;
  /** The statement that it stands for. */
  readonly statement?: number;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly label?: string;
}

export interface PlacedGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export interface PlacedNode extends GraphNode {
  /** The upper left corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PlacedEdge extends GraphEdge {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly labelAt: { readonly x: number; readonly y: number };
}

export const lineHeight = 17;
export const nodePadding = 10;
/** The width of a letter in nodes, whose font has one width. */
const letterWidth = 7;
const margin = 24;

/** Lays a graph out from above to below. */
export function placedGraph(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): PlacedGraph {
  // Without nodes dagre makes a graph of infinite size.
  if (nodes.length === 0) return { width: 0, height: 0, nodes: [], edges: [] };
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 40, marginx: margin, marginy: margin });
  for (const { id, lines } of nodes) {
    const width = Math.max(...lines.map(({ text }) => text.length), 3) * letterWidth + 2 * nodePadding;
    graph.setNode(id, { width, height: lines.length * lineHeight + 2 * nodePadding - 4 });
  }
  for (const [i, { from, to, label }] of edges.entries())
    graph.setEdge(
      from,
      to,
      { width: label === undefined ? 0 : label.length * letterWidth, height: label === undefined ? 0 : 14 },
      String(i),
    );
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node): PlacedNode => {
      const at = graph.node(node.id) as { x: number; y: number; width: number; height: number };
      return { ...node, x: at.x - at.width / 2, y: at.y - at.height / 2, width: at.width, height: at.height };
    }),
    edges: edges.map((edge, i): PlacedEdge => {
      const {
        points,
        x = 0,
        y = 0,
      } = graph.edge(edge.from, edge.to, String(i)) as {
        points: { x: number; y: number }[];
        x?: number;
        y?: number;
      };
      return { ...edge, points, labelAt: { x, y } };
    }),
  };
}
