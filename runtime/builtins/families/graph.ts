/** graph.* and walk. */
import { any, anyOf, array, object, set, tuple } from '../../values/type.js';
import { arg, builtin, relation } from '../builtin.js';
import { counted } from '../cost.js';
import { reachable, reachablePaths } from '../lib/graph/reachable.js';
import { walk } from '../lib/graph/walk.js';

const own = { checksOperands: true } as const;

const nodes = anyOf(array(any), set(any));

const operands = [arg('graph', object(any, nodes)), arg('initial', nodes)] as const;

// biome-ignore format: a table
export const graphs = [
  builtin('graph.reachable',       operands, set(any), reachable, { ...own, cost: counted }),
  builtin('graph.reachable_paths', operands, set(array(any)), reachablePaths, { ...own, cost: counted }),
  relation('walk', [arg('x', any)], tuple(array(any), any), walk, { cost: counted }),
];
