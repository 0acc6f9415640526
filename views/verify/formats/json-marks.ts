/** The places of a JSON text's parts, comments allowed. */
import { type Node, parseTree } from 'jsonc-parser';
import type { Value } from '../../../values/index.js';
import type { Marks } from './marks.js';

/** Marks the parts of a value that was read from the text. */
export function markJson(text: string, value: Value, marks: Marks): void {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root !== undefined) mark(root, value, marks);
}

function mark(node: Node, value: unknown, marks: Marks): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [i, child] of (node.children ?? []).entries()) {
    const [name, content] = child.type === 'property' ? (child.children ?? []) : [undefined, child];
    if (content === undefined) continue;
    const key = name === undefined ? i : String(name.value);
    marks.at(value, key, child.offset, child.offset + child.length);
    mark(content, (value as Record<string, unknown>)[key], marks);
  }
}
