/** Events as the API shows them to programs. */

import { bodyToJson, exprToJson, type Json, ruleToJson } from '../../compiler/ast/json.js';
import type { Source } from '../../compiler/source/source.js';
import { toJson } from '../../runtime/values/json/json.js';
import type { Value } from '../../runtime/values/value.js';
import type { TracedNode } from '../tracer.js';
import type { RecordedEvent } from './recorder.js';
import { Renaming } from './renaming.js';
import { TermTexts } from './term-texts.js';
import type { VariableNames } from './variable-names.js';

/** The texts of nodes whose variables have the names of their module. */
const asCompiled = new WeakMap<object, string>();

/**
 * The text of an array of events. Nodes and values stand in many events: the text of each is made
 * once.
 */
export function eventsJson(events: readonly RecordedEvent[], names: VariableNames): string {
  const renamed = new Map<object, string>();
  const nodeText = (node: TracedNode, source: Source): string => {
    const rename = names.uniqueIn(source);
    const texts = rename === undefined ? asCompiled : renamed;
    const tree = node.type === 'expr' ? node.expr : node.type === 'body' ? node.body : node.rule;
    let text = texts.get(tree);
    if (text === undefined) texts.set(tree, (text = textOf(nodeToJson(node, rename))));
    return text;
  };
  const values = new TermTexts();
  // Few large texts in many places: one join copies each once.
  const parts: string[] = [];
  for (const { op, query, node, message, locals, at } of events) {
    const rename = names.uniqueIn(at.source);
    const subject = node === undefined ? '"type":"","node":null' : `"type":"${node.type}","node":`;
    parts.push(parts.length === 0 ? '[' : ',', `{"op":"${op}","query_id":${query.id},"parent_id":${query.parent},${subject}`);
    if (node !== undefined) parts.push(nodeText(node, at.source));
    let before = ',"locals":[{"key":{"type":"var","value":"';
    for (const [name, value] of locals) {
      parts.push(before, rename?.(name) ?? name, '"},"value":', values.of(value));
      before = '},{"key":{"type":"var","value":"';
    }
    parts.push(locals.size === 0 ? ',"locals":[]' : '}]', message === undefined ? '}' : `,"message":${JSON.stringify(message)}}`);
  }
  parts.push(events.length === 0 ? '[]' : ']');
  return parts.join('');
}

function textOf(json: Json): string {
  return toJson(json as Value);
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
