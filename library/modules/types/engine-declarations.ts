/** The map of decisions for `Engine`: the inputs and results of paths. */

import { type Compiled, type Entrypoint, packageSegments } from '../../../compiler/index.js';
import { packageDocuments } from '../package-rules.js';
import { type EntrypointTypes, typesOf } from './entrypoint-types.js';
import { DocumentSchemas } from './rule-schemas.js';
import { SchemaTypes } from './schema-types.js';
import { type MemberText, objectText } from './type-text.js';

/**
 * Declarations that give `engine.decide('authz/allow', input)` its types, for the documents of all
 * packages.
 * @param title the comment in the first line
 */
export function engineDeclarations(compiled: Compiled, title: string): string {
  const documents = new DocumentSchemas(compiled);
  const schemas = new SchemaTypes(['Decisions']);
  const members = documentsOf(compiled).map((one) => memberOf(typesOf(one, compiled, documents, schemas)));
  const map = members.length === 0 ? '{}' : objectText(members, undefined);
  return [
    `// ${title}\n/* eslint-disable */\nimport 'writ';`,
    ...schemas.declarations,
    `declare module 'writ' {\n  interface Decisions ${map.replaceAll(/\n(?=.)/g, '\n  ')}\n}\n`,
  ].join('\n\n');
}

function documentsOf(compiled: Compiled): readonly Entrypoint[] {
  const packages = new Map<string, readonly string[]>();
  for (const { parsed } of compiled.modules.values()) {
    const path = packageSegments(parsed);
    packages.set(path.join('\u0000'), path);
  }
  const found = new Map<string, Entrypoint>();
  for (const path of packages.values()) for (const one of packageDocuments(compiled, path)) found.set(one.name, one);
  return [...found.values()];
}

function memberOf({ entrypoint, input, result, description }: EntrypointTypes): MemberText {
  const type = objectText(
    [
      { name: 'input', type: input, optional: false },
      { name: 'result', type: result, optional: false },
    ],
    undefined,
  );
  return { name: entrypoint.name, type, optional: false, description };
}
