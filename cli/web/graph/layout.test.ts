import { expect, test } from 'vitest';
import { type GraphNode, placedGraph } from './layout.js';

function node(id: string): GraphNode {
  return { id, kind: 'block', lines: [{ text: `block ${id}` }, { text: 'Dot l4 := input["user"]', statement: 0 }] };
}

test('a graph without nodes has no size', () => {
  expect(placedGraph([], [])).toEqual({ width: 0, height: 0, nodes: [], edges: [] });
});

test('nodes do not overlap, and edges lead from above to below, two of one pair and loops too', () => {
  const ways = [
    ['a', 'b', 'next'],
    ['a', 'b', 'undefined'],
    ['a', 'c', 'break'],
    ['b', 'b', 'loop'],
    ['b', 'a', 'loop'],
  ] as const;
  const edges = ways.map(([from, to, kind]) => ({ from, to, kind, label: kind }));
  const graph = placedGraph(['a', 'b', 'c'].map(node), edges);
  const [a, b, c] = graph.nodes;
  expect(b!.y).toBeGreaterThanOrEqual(a!.y + a!.height);
  expect(c!.x >= b!.x + b!.width || b!.x >= c!.x + c!.width || c!.y >= b!.y + b!.height).toBe(true);
  expect(graph.edges.map(({ points }) => points.length > 1)).toEqual(ways.map(() => true));
  for (const { x, y, width, height } of graph.nodes) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(graph.width);
    expect(y + height).toBeLessThanOrEqual(graph.height);
  }
});
