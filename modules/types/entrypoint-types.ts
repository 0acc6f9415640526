/** The input and result of an entrypoint, as TypeScript types. */
import type { Term } from '../../compiler/ast/nodes.js';
import type { Entrypoint } from '../../compiler/entrypoints.js';
import { rulesAtPath } from '../../compiler/entrypoints.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { type CompiledRule, ruleKind } from '../../compiler/resolve/compiled-rule.js';
import { groundPrefix } from '../../compiler/resolve/tree.js';
import { nowhere } from '../../compiler/source/location.js';
import { documentType } from './inferred-types.js';
import type { DocumentSchemas } from './rule-schemas.js';
import type { SchemaTypes } from './schema-types.js';
import { unionText, unknown } from './type-text.js';

export interface EntrypointTypes {
  readonly entrypoint: Entrypoint;
  readonly input: string;
  readonly result: string;
  readonly description: string | undefined;
}

export function typesOf(entrypoint: Entrypoint, compiled: Compiled, documents: DocumentSchemas, schemas: SchemaTypes): EntrypointTypes {
  const { path } = entrypoint;
  const rules = rulesAtPath(compiled, path);
  const inputs = documents.inputs(rules).map((schema) => schemas.named(schema, 'Input'));
  const terms = path.map((value): Term => ({ type: 'string', loc: nowhere, value }));
  const tree = compiled.types?.globals.document('data');
  const result = tree === undefined ? unknown : documentType(tree, terms);
  const own = rules.filter(({ ref }) => groundPrefix(ref).length === path.length + 1);
  return {
    entrypoint,
    input: inputs.length === 0 ? unknown : unionText(inputs),
    // A package is an object at least.
    result: result === unknown || own.length === 0 || own.some(isAlwaysDefined) ? result : unionText([result, 'undefined']),
    description: descriptionOf(own),
  };
}

/** A rule with a default has a value, and a set is empty at least. */
function isAlwaysDefined({ rule }: CompiledRule): boolean {
  return rule.default || ruleKind(rule.head) === 'multi';
}

/** The title and description of the first rule that has one. */
function descriptionOf(rules: readonly CompiledRule[]): string | undefined {
  for (const { rule } of rules) {
    for (const { title, description } of rule.annotations) {
      const texts = [title, description].filter((text) => text !== undefined && text !== '');
      if (texts.length > 0) return texts.join('\n\n');
    }
  }
  return undefined;
}
