/**
 * The types that JSON Schemas describe. Compiling is synchronous, so references to addresses are
 * errors.
 */

import type { BuiltinContext, Cache, Caches, Host, PlainObject, SchemaValue, Value } from '../../../values/index.js';
import { BuiltinError, compileSchema, isArray, isObject, SchemaError } from '../../../values/index.js';
import { admittedType } from './admitted-type.js';
import { typeOfSchema } from './schema-type.js';
import type { Type } from './type.js';

/** Units of work for one schema, of which one keyword takes a few. */
const maxWork = 2_000_000;

/**
 * The type that a schema describes. Throws a BuiltinError with the fault of a wrong one.
 * @param admitted whether it has all values that the schema admits, unlike the type that the
 * reference checks policies by
 */
export function typeOfSchemaDocument(
  document: unknown,
  allowNet: readonly string[] | undefined,
  admitted = false,
): Type {
  if (document === null || document === undefined) throw new SchemaError('no schema as input to compile');
  // Patterns say nothing of types, and the engine for them may not be loaded.
  const source = withoutPatterns(document, false, admitted);
  let schema: SchemaValue;
  try {
    schema = compileSchema(source as Value, new SchemaContext(allowNet));
  } catch (error) {
    if (error instanceof BuiltinError) throw new SchemaError(`unable to compile the schema: ${error.message}`);
    if (error instanceof RangeError) throw new SchemaError('unable to compile the schema: nested too deeply');
    throw error;
  }
  try {
    return admitted ? admittedType(schema) : typeOfSchema(schema);
  } catch (error) {
    if (error instanceof BuiltinError) throw new SchemaError(`type checking: ${error.message}`);
    if (error instanceof RangeError) throw new SchemaError('type checking: nested too deeply');
    throw error;
  }
}

/**
 * `isMap`: the keys are names of the schema's author, not keywords. The contents of `enum` and
 * `const` are values, no schemas. `admitted`: values stay, and names by patterns are any names.
 */
function withoutPatterns(node: unknown, isMap: boolean, admitted: boolean, depth = 0): unknown {
  if (depth > 1000) throw new SchemaError('unable to compile the schema: nested too deeply');
  if (isArray(node as Value))
    return (node as readonly unknown[]).map((item) => withoutPatterns(item, false, admitted, depth + 1));
  if (typeof node !== 'object' || node === null || !isObject(node as Value)) return node;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(node as PlainObject)) {
    if (!isMap && (key === 'pattern' || key === 'patternProperties')) continue;
    if (!isMap && (key === 'enum' || key === 'const')) {
      if (admitted) entries.push([key, value]);
      continue;
    }
    const isNames =
      !isMap && (key === 'properties' || key === 'definitions' || key === '$defs' || key === 'dependencies');
    entries.push([key, withoutPatterns(value, isNames, admitted, depth + 1)]);
  }
  const isOpen = admitted && !isMap && Object.hasOwn(node, 'patternProperties');
  return { ...Object.fromEntries(entries), ...(isOpen && { additionalProperties: true }) };
}

/** A context for compiling a schema, outside of an evaluation. */
class SchemaContext implements BuiltinContext {
  readonly timeNs = 0n;
  readonly memory = new Map<string, unknown>();
  readonly caches: Caches = { of: <T>(): Cache<T> => new Map<string, T>() };
  readonly host: Host = {};
  readonly runtime: Value = {};
  readonly allowNet: readonly string[] | undefined;
  readonly strict = true;
  readonly parseModule = undefined;
  #work = 0;

  constructor(allowNet: readonly string[] | undefined) {
    this.allowNet = allowNet;
  }

  random(): number {
    return 0;
  }

  print(): void {}

  trace(): void {}

  tick(units: number): void {
    this.#work += units;
    if (this.#work > maxWork) throw new SchemaError('schema is too large');
  }

  wait<T>(key: string): T {
    throw new SchemaError(`remote reference loading disabled: ${key.slice(key.indexOf(' ') + 1)}`);
  }
}
