import { documentAt, keyOfString, knownDocument, type VirtualDocument } from '../../compiler/index.js';

/** The document below a package by a key, whether replaced or not. */
export function childDocument(document: VirtualDocument, key: string): VirtualDocument | undefined {
  const node = document.kind === 'package' ? document.node.children.get(keyOfString(key)) : undefined;
  return node && (knownDocument(node) ?? documentAt(node, [...document.path, key]));
}
