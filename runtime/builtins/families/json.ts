/** Parts of documents, patches and JSON Schema. */
import { any, anyOf, array, boolean, nullType, object, record, set, string, tuple } from '../../values/type.js';
import type { ObjectValue, Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { counted } from '../cost.js';
import { patch } from '../lib/json/patch.js';
import { pathsOperand, removed, selected, treeOf } from '../lib/json/paths.js';
import { load, matchSchema, verifySchema } from '../lib/json-schema/check.js';
import { objectOperand } from '../value-operands.js';

const own = { checksOperands: true } as const;

function filter(operand: Value, paths: Value): ObjectValue {
  return selected(objectOperand(operand, 1), treeOf(pathsOperand(paths)));
}

function remove(operand: Value, paths: Value): ObjectValue {
  return removed(objectOperand(operand, 1), treeOf(pathsOperand(paths)));
}

const pathType = anyOf(string, array(any));

const objectAndPaths = [arg('object', object(any, any)), arg('paths', anyOf(array(pathType), set(pathType)))] as const;

// biome-ignore format: a table
export const jsonPaths = [
  builtin('json.filter', objectAndPaths, object(any, any), filter, { ...own, cost: counted }),
  builtin('json.remove', objectAndPaths, object(any, any), remove, { ...own, cost: counted }),
];

const patchType = record({ op: string, path: any }, { key: any, value: any });

export const jsonPatch = [
  builtin('json.patch', [arg('object', any), arg('patches', array(patchType))], any, patch, { checksOperands: true, cost: counted }),
];

const documentType = anyOf(string, object(any, any));

const mismatch = record({ desc: string, error: string, field: string, type: string });

const options = { load, checksOperands: true, cost: counted } as const;

// biome-ignore format: a table
export const jsonSchema: readonly Builtin[] = [
  builtin('json.match_schema', [arg('document', documentType), arg('schema', documentType)], tuple(boolean, array(mismatch)), matchSchema,
    { ...options, description: 'Whether a document matches a JSON Schema, and what does not.' }),
  builtin('json.verify_schema', [arg('schema', documentType)], tuple(boolean, anyOf(nullType, string)), verifySchema,
    { ...options, description: 'Whether a document is a JSON Schema, and if not why.' }),
];
