/** Events as the API shows them to programs. */

import { bodyToJson, exprToJson, type Json, ruleToJson, termToJson } from '../../compiler/ast/json.js';
import { nowhere } from '../../compiler/source/location.js';
import type { Source } from '../../compiler/source/source.js';
import type { Value } from '../../runtime/values/value.js';
import { termOfValue } from '../trace/value-term.js';
import type { TracedNode } from '../tracer.js';
import type { RecordedEvent } from './recorder.js';
import { Renaming } from './renaming.js';
import type { VariableNames } from './variable-names.js';

/** Each node is converted once: the same JSON value stands in all of its events. */
export function eventsToJson(events: readonly RecordedEvent[], names: VariableNames): Value {
  const nodes = new Map<object, Json>();
  const nodeOf = (node: TracedNode, source: Source): Json => {
    const tree = node.type === 'expr' ? node.expr : node.type === 'body' ? node.body : node.rule;
    let json = nodes.get(tree);
    if (json === undefined) nodes.set(tree, (json = nodeToJson(node, names.uniqueIn(source))));
    return json;
  };
  const values = new Map<Value, Json>();
  const list = events.map(({ op, query, node, message, locals, at }) => {
    const rename = names.uniqueIn(at.source);
    const binding = ([name, value]: readonly [string, Value]): Json => ({
      key: { type: 'var', value: rename?.(name) ?? name },
      value: cachedTerm(value, values),
    });
    return {
      op,
      query_id: query.id,
      parent_id: query.parent,
      type: node?.type ?? '',
      node: node === undefined ? null : nodeOf(node, at.source),
      locals: [...locals].map(binding),
      ...(message !== undefined && { message }),
    };
  });
  return list as unknown as Value;
}

function nodeToJson(node: TracedNode, rename: ((name: string) => string) | undefined): Json {
  const renamed = rename && new Renaming(rename);
  switch (node.type) {
    case 'expr':
      return exprToJson(renamed?.expr(node.expr) ?? node.expr, node.index);
    case 'body':
      return bodyToJson(renamed?.body(node.body) ?? node.body);
    case 'rule':
      return ruleToJson(renamed?.rule(node.rule) ?? node.rule);
  }
}

/** Collections that many events have are converted once. */
function cachedTerm(value: Value, known: Map<Value, Json>): Json {
  if (typeof value !== 'object' || value === null) return termToJson(termOfValue(value, nowhere));
  let json = known.get(value);
  if (json === undefined) known.set(value, (json = termToJson(termOfValue(value, nowhere))));
  return json;
}
