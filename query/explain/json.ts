/** Events as the API shows them to programs. */

import { bodyToJson, exprToJson, type Json, ruleToJson } from '../../compiler/ast/json.js';
import { sortedEntries, sortedMembers } from '../../runtime/values/compare.js';
import { isArray, isObject, isSet, type Value } from '../../runtime/values/value.js';
import type { TracedNode } from '../tracer.js';
import type { RecordedEvent } from './recorder.js';

/** Each node is converted once: the same JSON value stands in all of its events. */
export function eventsToJson(events: readonly RecordedEvent[]): Value {
  const nodes = new Map<object, Json>();
  const nodeOf = (node: TracedNode): Json => {
    const tree = node.type === 'expr' ? node.expr : node.type === 'body' ? node.body : node.rule;
    let json = nodes.get(tree);
    if (json === undefined) nodes.set(tree, (json = nodeToJson(node)));
    return json;
  };
  const values = new Map<Value, Json>();
  const list = events.map(({ op, query, node, message, locals }) => ({
    op,
    query_id: query.id,
    parent_id: query.parent,
    type: node?.type ?? '',
    node: node === undefined ? null : nodeOf(node),
    locals: [...locals].map(([name, value]) => ({ key: { type: 'var', value: name }, value: cachedTerm(value, values) })),
    ...(message !== undefined && { message }),
  }));
  return list as unknown as Value;
}

function nodeToJson(node: TracedNode): Json {
  switch (node.type) {
    case 'expr':
      return exprToJson(node.expr, node.index);
    case 'body':
      return bodyToJson(node.body);
    case 'rule':
      return ruleToJson(node.rule);
  }
}

/** Collections that many events have are converted once. */
function cachedTerm(value: Value, known: Map<Value, Json>): Json {
  if (typeof value !== 'object' || value === null) return termOf(value);
  let json = known.get(value);
  if (json === undefined) known.set(value, (json = termOf(value)));
  return json;
}

/** A value as a term of the syntax tree. */
function termOf(value: Value): Json {
  switch (typeof value) {
    case 'string':
      return { type: 'string', value };
    case 'boolean':
      return { type: 'boolean', value };
    case 'number':
      return { type: 'number', value };
  }
  if (value === null) return { type: 'null', value: {} };
  if (isArray(value)) return { type: 'array', value: value.map(termOf) };
  if (isSet(value)) return { type: 'set', value: sortedMembers(value).map(termOf) };
  if (isObject(value)) return { type: 'object', value: [...sortedEntries(value)].map(([key, inner]) => [termOf(key), termOf(inner)]) };
  return { type: 'number', value };
}
