/** Nodes and paths that can be reached in a graph. */
import { objectGet, sortedMembers } from '../../../compare.js';
import { keyOf } from '../../../hash.js';
import { RegoSet } from '../../../set.js';
import { isArray, isSet, type ObjectValue, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { operandTypeError } from '../../builtin-errors.js';

/** The nodes in an array or set; anything else has none. */
function nodesOf(collection: Value): readonly Value[] {
  return isArray(collection) ? collection : isSet(collection) ? sortedMembers(collection) : [];
}

export function initialOperand(operand: Value, position: number): readonly Value[] {
  // The braces are the reference's.
  if (!isArray(operand) && !isSet(operand)) throw operandTypeError(position, operand, '{array, set}');
  return nodesOf(operand);
}

/** Units for a node, and for a value with its path, that is visited. */
const unitsPerNode = 20;

/**
 * The nodes that can be reached from the initial ones, these included, as far as the graph has
 * them.
 */
export function reachable(graph: ObjectValue, initial: readonly Value[], context: BuiltinContext): RegoSet {
  const queue = [...initial];
  const reached = new RegoSet();
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    const edges = reached.has(node) ? undefined : objectGet(graph, node);
    if (edges === undefined) continue;
    reached.add(node);
    const neighbors = nodesOf(edges);
    context.tick((1 + neighbors.length) * unitsPerNode);
    for (const neighbor of neighbors) if (!reached.has(neighbor)) queue.push(neighbor);
  }
  return reached;
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
export function reachablePaths(graph: ObjectValue, initial: readonly Value[], context: BuiltinContext): RegoSet {
  const paths = new RegoSet();
  for (const start of initial) {
    const edges = objectGet(graph, start);
    if (edges === undefined) continue;
    const neighbors = nodesOf(edges);
    if (neighbors.length === 0) paths.add([start]);
    for (const neighbor of neighbors) follow(graph, start, neighbor, paths, context);
  }
  return paths;
}

/**
 * The paths that begin with two nodes. A stack of its own takes the place of a recursion, which
 * long paths would overflow.
 */
function follow(graph: ObjectValue, start: Value, second: Value, paths: RegoSet, context: BuiltinContext): void {
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
