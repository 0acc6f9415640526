/** The innermost node of a module at an offset. */
import type { Module, Node } from '../../compiler/index.js';
import { forEachChild } from '../../compiler/index.js';

/** A node with the nodes around it, the innermost last. */
export interface NodeAt {
  readonly node: Node;
  readonly around: readonly Node[];
}

export function nodeAt(module: Module, offset: number): NodeAt | undefined {
  const around: Node[] = [];
  let found: NodeAt | undefined;
  // Not only below nodes that contain the offset: a node in parentheses may begin after its parts.
  const enter = (node: Node): void => {
    if (contains(node, offset) && (found === undefined || lengthOf(node) <= lengthOf(found.node)))
      found = { node, around: [...around] };
    around.push(node);
    forEachChild(node, enter);
    around.pop();
  };
  enter(module);
  return found;
}

/** Offsets just behind a name count too: a cursor stands between characters. */
function contains(node: Node, offset: number): boolean {
  return (
    node.type !== 'module' &&
    node.loc.start <= offset &&
    (offset < node.loc.end || (offset === node.loc.end && isName(node)))
  );
}

function isName({ type }: Node): boolean {
  return type === 'var' || type === 'string';
}

function lengthOf(node: Node): number {
  return node.type === 'module' ? Number.POSITIVE_INFINITY : node.loc.end - node.loc.start;
}
