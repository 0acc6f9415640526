/** The TypeScript declarations of a module. */
import type { Entrypoint } from '../../compiler/entrypoints.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { below, type EntrypointTree, entrypointTree, namedExports } from '../../runtime/codegen/module/module-exports.js';
import { type EntrypointTypes, typesOf } from './entrypoint-types.js';
import { fixedDeclarations } from './fixed-declarations.js';
import { type DescribedDocument, DocumentSchemas } from './rule-schemas.js';
import { SchemaTypes } from './schema-types.js';
import { commentText, indented, objectText, unionText, unknown } from './type-text.js';

/** Names of types that each module's declarations have. */
const taken = ['Data', 'Entrypoint', 'EvaluationError', 'Inputs', 'ModuleError', 'Options', 'Place', 'Policy', 'Results', 'Rule'];

/** @param path the package whose rules are exports, as in the module's text */
export function declarationsText(
  entrypoints: readonly Entrypoint[],
  compiled: Compiled,
  title: string,
  path: readonly string[] = [],
): string {
  const documents = new DocumentSchemas(compiled);
  const schemas = new SchemaTypes(taken);
  const types = entrypoints.map((entrypoint) => typesOf(entrypoint, compiled, documents, schemas));
  const data = dataText(documents.data(), schemas);
  const tree = below(entrypointTree(entrypoints), path);
  const byName = new Map(types.map((one) => [one.entrypoint.name, one]));
  return [
    `// ${title}`,
    `export type Entrypoint = ${types.map(({ entrypoint }) => JSON.stringify(entrypoint.name)).join(' | ')};`,
    `/** The input of each entrypoint. */\nexport interface Inputs ${membersText(types, ({ input }) => input)}`,
    `/** The result of each entrypoint; undefined where no rule gives one. */\nexport interface Results ${membersText(types, ({ result }) => result)}`,
    ...schemas.declarations,
    `/** The base documents. */\nexport type Data = ${data};`,
    fixedDeclarations,
    ...namedExports(tree).map((name) => `export declare const ${name}: ${treeText(tree.children.get(name)!, byName)};`),
    `/** All entrypoints by the segments of their paths. */\ndeclare const rules: ${treeText(tree, byName)};\nexport default rules;\n`,
  ].join('\n\n');
}

function membersText(types: readonly EntrypointTypes[], text: (types: EntrypointTypes) => string): string {
  const lines = types.map((one) => `${commentText(one.description)}readonly ${JSON.stringify(one.entrypoint.name)}: ${text(one)};`);
  return `{\n${lines.map(indented).join('\n')}\n}`;
}

function treeText({ children, entrypoint }: EntrypointTree, types: ReadonlyMap<string, EntrypointTypes>): string {
  const members = [...children].map(([name, child]) => {
    const description = child.entrypoint && types.get(child.entrypoint.name)?.description;
    return { name, type: treeText(child, types), optional: false, description };
  });
  if (entrypoint === undefined) return objectText(members, undefined);
  const rule = `Rule<${JSON.stringify(entrypoint.name)}>`;
  return members.length === 0 ? rule : `${rule} & ${objectText(members, undefined)}`;
}

interface DataTree {
  readonly children: Map<string, DataTree>;
  readonly types: string[];
}

/** Described parts of `data`, beside others of which nothing is known. */
function dataText(described: readonly DescribedDocument[], schemas: SchemaTypes): string {
  const root: DataTree = { children: new Map(), types: [] };
  for (const { path, schema } of described) {
    let tree = root;
    for (const key of path ?? []) {
      let child = tree.children.get(key);
      if (child === undefined) tree.children.set(key, (child = { children: new Map(), types: [] }));
      tree = child;
    }
    tree.types.push(schemas.typeOf(schema));
  }
  return dataTreeText(root);
}

function dataTreeText({ children, types }: DataTree): string {
  if (types.length > 0) return unionText(types);
  const members = [...children].map(([name, child]) => ({ name, type: dataTreeText(child), optional: true }));
  return objectText(members, unknown);
}
