/** Nodes and paths that can be reached in a graph. */
import { objectGet, sortedMembers } from '../../../compare.js';
import { keyOf } from '../../../hash.js';
import { RegoSet } from '../../../set.js';
import { type ArrayValue, isArray, isSet, type ObjectValue, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { operandTypeError } from '../../builtin-errors.js';

type Nodes = ArrayValue | RegoSet;

export function initialOperand(operand: Value, position: number): Nodes {
  // The braces are the reference's.
  if (!isArray(operand) && !isSet(operand)) throw operandTypeError(position, operand, '{array, set}');
  return operand;
}

/** The nodes in an array or set; anything else has none. */
type NodesOf = (collection: Value) => readonly Value[];

const inOrder: NodesOf = (collection) =>
  isArray(collection) ? collection : isSet(collection) ? sortedMembers(collection) : [];

const inAnyOrder: NodesOf = (collection) =>
  isArray(collection) ? collection : isSet(collection) ? collection.members : [];

/**
 * The result without the order of sets, which takes long to find. It matters only among equal nodes
 * that print differently, such as 1 and 1.0: the first one is reached. Where nodes are other than
 * plain scalars, the search is made in order.
 */
function searched(search: (nodesOf: NodesOf) => RegoSet): RegoSet {
  const isPlain = (node: Value) => typeof node !== 'object' || node === null;
  let isAnyOrder = true;
  const found = search((collection) => {
    const nodes = isAnyOrder ? inAnyOrder(collection) : [];
    isAnyOrder &&= nodes.every(isPlain);
    return isAnyOrder ? nodes : [];
  });
  return isAnyOrder ? found : search(inOrder);
}

/** Units for a node, and for a value with its path, that is visited. */
const unitsPerNode = 20;

/**
 * The nodes that can be reached from the initial ones, these included, as far as the graph has
 * them.
 */
export function reachable(graph: ObjectValue, initial: Nodes, context: BuiltinContext): RegoSet {
  return searched((nodesOf) => {
    const queue = [...nodesOf(initial)];
    const reached = new RegoSet();
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i]!;
      const edges = reached.has(node) ? undefined : objectGet(graph, node);
      if (edges === undefined) continue;
      reached.add(node);
      const neighbors = nodesOf(edges);
      context.tick((1 + neighbors.length) * unitsPerNode);
      for (let k = 0; k < neighbors.length; k++) queue.push(neighbors[k]!);
    }
    return reached;
  });
}

/** A node on the way, and how many of its neighbors were followed. */
interface Step {
  readonly node: Value;
  readonly neighbors: readonly Value[];
  next: number;
}

/**
 * The longest paths from the initial nodes. A path ends at a node without edges, before a node that
 * is not in the graph, or before a node that it has already. Only its second node is not compared
 * with its first.
 */
export function reachablePaths(graph: ObjectValue, initial: Nodes, context: BuiltinContext): RegoSet {
  return searched((nodesOf) => {
    const paths = new RegoSet();
    for (const start of nodesOf(initial)) {
      const edges = objectGet(graph, start);
      if (edges === undefined) continue;
      const neighbors = nodesOf(edges);
      if (neighbors.length === 0) paths.add([start]);
      for (const neighbor of neighbors) follow(neighbor, { graph, start, paths, nodesOf, context });
    }
    return paths;
  });
}

interface Search {
  readonly graph: ObjectValue;
  readonly start: Value;
  readonly paths: RegoSet;
  readonly nodesOf: NodesOf;
  readonly context: BuiltinContext;
}

/**
 * The paths that begin with two nodes. A stack of its own takes the place of a recursion, which
 * long paths would overflow.
 */
function follow(second: Value, { graph, start, paths, nodesOf, context }: Search): void {
  const way: Value[] = [start];
  const passed = new Set([keyOf(start)]);
  const steps: Step[] = [];
  const end = (...last: readonly Value[]) => {
    context.tick(unitsPerNode * (5 + way.length));
    paths.add([...way, ...last]);
  };
  const enter = (node: Value) => {
    const edges = objectGet(graph, node);
    const neighbors = edges === undefined ? [] : nodesOf(edges);
    if (edges === undefined) end();
    else if (neighbors.length === 0) end(node);
    else {
      way.push(node);
      passed.add(keyOf(node));
      steps.push({ node, neighbors, next: 0 });
    }
  };
  enter(second);
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    context.tick(unitsPerNode);
    const neighbor = step.neighbors[step.next++];
    if (neighbor === undefined) {
      way.pop();
      steps.pop();
      passed.delete(keyOf(step.node));
    } else if (passed.has(keyOf(neighbor))) end();
    else enter(neighbor);
  }
}
