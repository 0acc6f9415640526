/** graph.* and walk. */
import { any, anyOf, array, object, set, tuple } from '../../type.js';
import { arg, builtin, relation } from '../builtin.js';
import { counted } from '../cost.js';
import { initialOperand, reachable, reachablePaths } from '../lib/graph/reachable.js';
import { walkValue } from '../lib/graph/walk.js';

const nodes = anyOf(array(any), set(any));

const operands = [arg('graph', object(any, nodes)), arg('initial', nodes, initialOperand)] as const;

// biome-ignore format: a table
export const graphs = [
  builtin('graph.reachable',       operands, set(any), reachable, { cost: counted }),
  builtin('graph.reachable_paths', operands, set(array(any)), reachablePaths, { cost: counted }),
  relation('walk', [arg('x', any)], tuple(array(any), any), walkValue, { cost: counted }),
];
