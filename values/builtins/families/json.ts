/** Parts of documents, patches and JSON Schema. */
import { any, anyOf, array, boolean, nullType, object, record, set, string, tuple } from '../../type.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { counted } from '../cost.js';
import { patch } from '../lib/json/patch.js';
import { pathsOperand, removed, selected } from '../lib/json/paths.js';
import { documentOperand, load, matchSchema, verifySchema } from '../lib/json-schema/check.js';
import { checked, unchecked } from '../read-operands.js';

const pathType = anyOf(string, array(any));

const objectAndPaths = [
  arg('object', object(any, any)),
  arg('paths', anyOf(array(pathType), set(pathType)), pathsOperand),
] as const;

// biome-ignore format: a table
export const jsonPaths = [
  builtin('json.filter', objectAndPaths, object(any, any), selected, { cost: counted }),
  builtin('json.remove', objectAndPaths, object(any, any), removed, { cost: counted }),
];

const patchType = record({ op: string, path: any }, { key: any, value: any });

export const jsonPatch = [
  builtin('json.patch', [arg('object', any), arg('patches', array(patchType), checked(array(any)))], any, patch, {
    cost: counted,
  }),
];

const documentType = anyOf(string, object(any, any));

const mismatch = record({ desc: string, error: string, field: string, type: string });

const options = { load, cost: counted } as const;

// biome-ignore format: a table
export const jsonSchema: readonly Builtin[] = [
  builtin('json.match_schema', [arg('document', documentType, documentOperand), arg('schema', documentType, unchecked)], tuple(boolean, array(mismatch)), matchSchema,
    options),
  builtin('json.verify_schema', [arg('schema', documentType, unchecked)], tuple(boolean, anyOf(nullType, string)), verifySchema,
    options),
];
