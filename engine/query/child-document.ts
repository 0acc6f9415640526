import { keyOfString } from '../../compiler/resolve/tree.js';
import { documentAt, knownDocument, type VirtualDocument } from '../../compiler/resolve/virtual-document.js';

/** The document below a package by a key, whether replaced or not. */
export function childDocument(document: VirtualDocument, key: string): VirtualDocument | undefined {
  const node = document.kind === 'package' ? document.node.children.get(keyOfString(key)) : undefined;
  return node && (knownDocument(node) ?? documentAt(node, [...document.path, key]));
}
