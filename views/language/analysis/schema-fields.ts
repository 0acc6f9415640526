/** The schemas that METADATA gives to documents: of a rule, and the parts of these by path. */

import type {
  AnnotatedRule,
  Compiled,
  CompiledRule,
  Globals,
  SchemaAnnotation,
  Term,
  TypeTree,
} from '../../../compiler/index.js';
import { RuleSchemas, schemaName } from '../../../compiler/index.js';
import { fragmentSegments, type Value } from '../../../values/index.js';
import { anyKey } from '../names/symbol.js';

const known = new WeakMap<Compiled, RuleSchemas>();

function schemasOf(compiled: Compiled): RuleSchemas {
  let found = known.get(compiled);
  if (found === undefined) known.set(compiled, (found = new RuleSchemas(compiled.options, compiled.annotations)));
  return found;
}

/** The documents that the schemas of a rule describe. */
export function describedDocuments(
  rule: CompiledRule,
  compiled: Compiled,
  globals: Globals,
): ReadonlyMap<string, TypeTree> | undefined {
  return schemasOf(compiled).documents(rule, rule.rule, globals).documents;
}

/** The compiled rule at an offset of a module. */
export function compiledRuleAt(compiled: Compiled, file: string, offset: number): CompiledRule | undefined {
  return compiled.modules.get(file)?.rules.find(({ rule: { loc } }) => offset >= loc.start && offset <= loc.end);
}

/** The schema of a document. */
export interface SchemaField {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The name of the schema that it is in; undefined for one that METADATA writes out. */
  readonly name: string | undefined;
  /** The keys of the schema that lead to it. */
  readonly keys: readonly string[];
  /** The schema that references are in. */
  readonly root: unknown;
}

/** The schema of a path for a rule; the nearest annotation counts. */
export function schemaFieldFor(
  path: readonly string[],
  rule: AnnotatedRule & Pick<CompiledRule, 'rule'>,
  compiled: Compiled,
): SchemaField | undefined {
  return schemasOf(compiled)
    .of(rule, rule.rule)
    .toReversed()
    .map((annotation) => schemaField(path, annotation, compiled))
    .find((field) => field !== undefined);
}

/** The parts of all schemas that describe a path for some rule, each once. */
export function schemaFields(path: readonly string[], compiled: Compiled): readonly SchemaField[] {
  const found = new Map<string, SchemaField>();
  for (const { parsed } of compiled.modules.values()) {
    for (const annotation of parsed.annotations.flatMap(({ schemas }) => schemas)) {
      const field = schemaField(path, annotation, compiled);
      if (field?.name !== undefined) found.set(`${field.name} ${field.keys.join('/')}`, field);
    }
  }
  return [...found.values()];
}

function schemaField(
  path: readonly string[],
  annotation: SchemaAnnotation,
  compiled: Compiled,
): SchemaField | undefined {
  const at = annotation.path.terms.map(keyOf);
  if (at.length > path.length || at.some((key, i) => key !== path[i])) return undefined;
  const name = annotation.schema && schemaName(annotation.schema.terms);
  const root = name === undefined ? annotation.definition : compiled.options.schemas?.get(name);
  let field = isSchema(root) ? { schema: root, keys: [] as readonly string[] } : undefined;
  for (const key of path.slice(at.length)) field = field && below(field, key, root);
  return field && { ...field, name, root };
}

/** The scalars that a schema admits, where it lists them. */
export function listedValues(
  { schema, root }: Pick<SchemaField, 'schema' | 'root'>,
  around: readonly unknown[] = [],
): readonly Value[] {
  const { schema: own } = referenced({ schema, keys: [] }, root);
  if (around.includes(own)) return [];
  if ('const' in own) return [own.const as Value];
  if (Array.isArray(own.enum)) return own.enum as readonly Value[];
  if (own.type === 'boolean') return [true, false];
  return ['allOf', 'anyOf', 'oneOf'].flatMap((word) => {
    const choices: readonly unknown[] = Array.isArray(own[word]) ? own[word] : [];
    return choices.filter(isSchema).flatMap((choice) => listedValues({ schema: choice, root }, [...around, own]));
  });
}

type Part = Pick<SchemaField, 'schema' | 'keys'>;

function below(part: Part, key: string, root: unknown, around: readonly unknown[] = []): Part | undefined {
  const { schema, keys } = referenced(part, root);
  // A choice may be the schema that it is a choice of.
  if (around.includes(schema)) return undefined;
  const inside = (...more: string[]): Part | undefined => {
    let value: unknown = schema;
    for (const each of more) value = isSchema(value) && Object.hasOwn(value, each) ? value[each] : undefined;
    return isSchema(value) ? { schema: value, keys: [...keys, ...more] } : undefined;
  };
  const own = key === anyKey ? (inside('items') ?? inside('additionalProperties')) : inside('properties', key);
  if (own !== undefined) return own;
  for (const word of ['allOf', 'anyOf', 'oneOf']) {
    const choices = schema[word];
    for (const i of Array.isArray(choices) ? choices.keys() : []) {
      const choice = inside(word, String(i));
      const found = choice && below(choice, key, root, [...around, schema]);
      if (found !== undefined) return found;
    }
  }
  return key === anyKey ? undefined : inside('additionalProperties');
}

/** The most references that lead to each other. */
const mostReferences = 20;

/** The part of the same schema that a reference names. */
function referenced(part: Part, root: unknown): Part {
  let at = part;
  for (let i = 0; i < mostReferences; i++) {
    const { $ref: reference } = at.schema;
    const keys = typeof reference === 'string' ? fragmentSegments(reference) : undefined;
    if (keys === undefined) return at;
    let value: unknown = root;
    for (const key of keys) value = isSchema(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (!isSchema(value)) return at;
    at = { schema: value, keys };
  }
  return at;
}

function keyOf(term: Term): string {
  return term.type === 'string' ? term.value : term.type === 'var' ? term.name : anyKey;
}

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
