/** The TypeScript declarations of a module of entrypoints. */
import type { Compiled, Entrypoint } from '../../../compiler/index.js';
import { type EntrypointTree, entrypointTree, namedExports } from '../../../runtime/index.js';
import { dataText } from './data-types.js';
import { type EntrypointTypes, typesOf } from './entrypoint-types.js';
import { decisionDeclarations, entrypointDeclarations, errorDeclarations, fixedNames } from './fixed-declarations.js';
import { DocumentSchemas } from './rule-schemas.js';
import { SchemaTypes } from './schema-types.js';
import { commentText, indented, objectText } from './type-text.js';

export function declarationsText(entrypoints: readonly Entrypoint[], compiled: Compiled, title: string): string {
  const documents = new DocumentSchemas(compiled);
  const schemas = new SchemaTypes(fixedNames);
  const types = entrypoints.map((entrypoint) => typesOf(entrypoint, compiled, documents, schemas));
  const data = dataText(documents, schemas);
  const tree = entrypointTree(entrypoints);
  const byName = new Map(types.map((one) => [one.entrypoint.name, one]));
  return [
    `// ${title}\n/* eslint-disable */`,
    `export type Entrypoint = ${types.map(({ entrypoint }) => JSON.stringify(entrypoint.name)).join(' | ')};`,
    `/** The input of each entrypoint. */\nexport interface Inputs ${membersText(types, ({ input }) => input)}`,
    `/** The result of each entrypoint; undefined where no rule gives one. */\nexport interface Results ${membersText(types, ({ result }) => result)}`,
    ...schemas.declarations,
    `/** The base documents. */\nexport type Data = ${data};`,
    decisionDeclarations,
    errorDeclarations('export '),
    entrypointDeclarations,
    ...namedExports(tree).map((name) => `export declare const ${name}: ${treeText(tree.children.get(name)!, byName)};`),
    `/** All entrypoints by the segments of their paths. */\ndeclare const $rules: ${treeText(tree, byName)};\nexport default $rules;\n`,
  ].join('\n\n');
}

function membersText(types: readonly EntrypointTypes[], text: (types: EntrypointTypes) => string): string {
  const lines = types.map(
    (one) => `${commentText(one.description)}readonly ${JSON.stringify(one.entrypoint.name)}: ${text(one)};`,
  );
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
