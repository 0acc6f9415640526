/** The type of the base documents. */
import type { DescribedDocument, DocumentSchemas } from './rule-schemas.js';
import type { SchemaTypes } from './schema-types.js';
import { openObjectText, unionText } from './type-text.js';

interface DataTree {
  readonly children: Map<string, DataTree>;
  readonly types: string[];
}

/** Described parts of `data`, beside others of which nothing is known. */
export function dataText(documents: DocumentSchemas, schemas: SchemaTypes): string {
  const root: DataTree = { children: new Map(), types: [] };
  for (const described of documents.data()) add(root, described, schemas);
  return dataTreeText(root);
}

function add(root: DataTree, { path, schema }: DescribedDocument, schemas: SchemaTypes): void {
  let tree = root;
  for (const key of path ?? []) {
    let child = tree.children.get(key);
    if (child === undefined) tree.children.set(key, (child = { children: new Map(), types: [] }));
    tree = child;
  }
  tree.types.push(schemas.typeOf(schema));
}

function dataTreeText({ children, types }: DataTree): string {
  if (types.length > 0) return unionText(types);
  return openObjectText([...children].map(([name, child]) => ({ name, type: dataTreeText(child), optional: true })));
}
