/** Schemas of inputs, from options or annotations: made inputs and proofs keep to them. */
import { type Compiled, isRoot, RuleSchemas, rulesAtPath, schemaName, stringKeys } from '../../compiler/index.js';
import { Engine, sourcesOf } from '../../engine/index.js';
import { parseJson, toJson } from '../../values/index.js';
import { type PolicyVersion, segmentsFor, type VersionPair } from './policy-version.js';
import type { Shape } from './prove/shapes.js';
import { shapeOfSchema } from './schema-shape.js';
import type { InputFilter } from './search/made-inputs.js';
import { schemaSamples } from './search/schema-samples.js';

/** JSON Schemas by the names that policies have for them; `schema` is that of the input. */
export type NamedSchemas = ReadonlyMap<string, unknown>;

export interface InputSchema extends InputFilter {
  /** The part of it that a proof assumes. */
  readonly shape: Shape;
}

const checkMs = 1000;

/** The schemas of the inputs at some paths, where there are any. */
export async function schemasOfPaths(
  pair: VersionPair,
  paths: readonly string[],
  given: NamedSchemas | undefined,
): Promise<ReadonlyMap<string, InputSchema>> {
  const found = new Map<string, InputSchema>();
  for (const path of paths) {
    const schema =
      given?.get('schema') ??
      given?.get('schema.input') ??
      (await annotatedSchema(pair.new, path, given)) ??
      (await annotatedSchema(pair.old, path, given));
    if (schema !== undefined) found.set(path, await inputSchemaOf(schema, pair.new.engine));
  }
  return found;
}

/** The schema of the input of rules: the one that is given, or of their annotations. */
export async function inputSchemaAt(
  compiled: Compiled,
  path: readonly string[],
  given: NamedSchemas | undefined,
  engine: Engine,
): Promise<InputSchema | undefined> {
  const schema = given?.get('schema') ?? given?.get('schema.input') ?? schemaOfRules(compiled, path, given);
  return schema === undefined ? undefined : await inputSchemaOf(schema, engine);
}

/** Rejects with CompileErrors for a schema that is none. */
async function inputSchemaOf(schema: unknown, { context }: Engine): Promise<InputSchema> {
  const value = parseJson(JSON.stringify(schema));
  const engine = new Engine({ context });
  const policy = `package check\n\nvalid if json.match_schema(input, ${toJson(value)})[0]\n`;
  await engine.commit({ policies: new Map([['the schema of the input', policy]]) });
  const prepared = engine.prepare(['check', 'valid']);
  await prepared.plan();
  return {
    shape: shapeOfSchema(value),
    samples: (seed) => schemaSamples(value, seed),
    accepts: (input) => input !== undefined && prepared.atOnce(input, { timeMs: checkMs }) === true,
  };
}

/** The schema that annotations give to the input of the rules at a path. */
async function annotatedSchema(
  version: PolicyVersion,
  path: string,
  given: NamedSchemas | undefined,
): Promise<unknown> {
  const { engine, beside } = version;
  const segments = segmentsFor(version, path);
  const compiled = await sourcesOf(engine, engine.version, segments, beside);
  if (compiled === undefined) return undefined;
  const named = given ?? compiled.options.schemas;
  return named?.get('schema') ?? schemaOfRules(compiled, segments, named);
}

function schemaOfRules(compiled: Compiled, path: readonly string[], given: NamedSchemas | undefined): unknown {
  const schemas = new RuleSchemas({ ...compiled.options, schemaAnnotations: true }, compiled.annotations);
  const [rule] = rulesAtPath(compiled, path);
  if (rule === undefined) return undefined;
  const parts = schemas.of(rule, rule.rule).flatMap(({ path: { terms }, schema, definition }) => {
    const [head, ...keys] = terms;
    const document = schema === undefined ? definition : given?.get(schemaName(schema.terms));
    const names = stringKeys(keys);
    if (!isRoot(head, 'input') || document === undefined || names === undefined) return [];
    return [names.reduceRight<unknown>((inner, name) => ({ type: 'object', properties: { [name]: inner } }), document)];
  });
  return parts.length > 1 ? { allOf: parts } : parts[0];
}
