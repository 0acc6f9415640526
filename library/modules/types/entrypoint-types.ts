/** The input and result of an entrypoint, as TypeScript types. */

import { type Compiled, type Entrypoint, rulesAtPath } from '../../../compiler/index.js';
import { documentType } from './inferred-types.js';
import { factsOf } from './rule-facts.js';
import type { DocumentSchemas } from './rule-schemas.js';
import type { SchemaTypes } from './schema-types.js';
import { unionText, unknown } from './type-text.js';

export interface EntrypointTypes {
  readonly entrypoint: Entrypoint;
  /** `unknown` where no schema describes it: then it may be left out. */
  readonly input: string;
  readonly result: string;
  readonly description: string | undefined;
}

export function typesOf(
  entrypoint: Entrypoint,
  compiled: Compiled,
  documents: DocumentSchemas,
  schemas: SchemaTypes,
): EntrypointTypes {
  const { path } = entrypoint;
  const inputs = documents.inputs(rulesAtPath(compiled, path)).map((schema) => schemas.named(schema, 'Input'));
  const tree = documents.resultTypes?.globals.document('data');
  const facts = factsOf(compiled, path);
  const result =
    facts.literal ?? (tree === undefined ? unknown : documentType(tree, path, (inner) => factsOf(compiled, inner)));
  return {
    entrypoint,
    input: inputs.length === 0 ? unknown : unionText(inputs),
    result: result === unknown || facts.isDefined ? result : unionText([result, 'undefined']),
    description: facts.description,
  };
}
