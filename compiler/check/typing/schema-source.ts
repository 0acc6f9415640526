/** JSON Schemas from documents. Compiling is synchronous; what it may have to wait for is fetched before, if it is to be had at all. */

import type { BuiltinContext, Cache, Caches } from '../../../runtime/builtins/context.js';
import { BuiltinError } from '../../../runtime/builtins/errors.js';
import type { Host } from '../../../runtime/builtins/host.js';
import { compileSchema } from '../../../runtime/builtins/lib/json-schema/compile.js';
import { loadMetaSchemas } from '../../../runtime/builtins/lib/json-schema/drafts.js';
import { SchemaError } from '../../../runtime/builtins/lib/json-schema/schema.js';
import { loadRegex } from '../../../runtime/builtins/lib/regex/engine.js';
import { isArray, isObject, type PlainObject, type Value } from '../../../runtime/values/value.js';
import { typeOfSchema } from './schema-type.js';
import type { Type } from './type.js';

/** What compiling schemas had to wait for, by what it asked. */
export class RemoteSchemas {
  readonly #answers = new Map<string, { readonly value?: unknown; readonly error?: unknown }>();

  answer(key: string): { readonly value?: unknown; readonly error?: unknown } | undefined {
    return this.#answers.get(key);
  }

  async add({ key, start }: Pending): Promise<void> {
    try {
      this.#answers.set(key, { value: await start(new AbortController().signal) });
    } catch (error) {
      this.#answers.set(key, { error });
    }
  }
}

/** Something has to be waited for. */
class Pending extends Error {
  readonly key: string;
  readonly start: (signal: AbortSignal) => Promise<unknown>;

  constructor(key: string, start: (signal: AbortSignal) => Promise<unknown>) {
    super(`${key} is not there yet`);
    this.key = key;
    this.start = start;
  }
}

/** So many remote schemas at most. */
const maxRemote = 100;
/** Units of work for one schema, of which one keyword takes a few. */
const maxWork = 2_000_000;

/**
 * Fetches the schemas that others refer to by address. Which hosts may be asked, `allowNet` says; undefined allows all.
 * Pass what comes back as the option `remoteSchemas`. Errors wait until the schemas are compiled.
 */
export async function fetchRemoteSchemas(
  documents: Iterable<unknown>,
  host: Host,
  allowNet: readonly string[] | undefined,
): Promise<RemoteSchemas> {
  await Promise.all([loadRegex(), loadMetaSchemas()]);
  const remote = new RemoteSchemas();
  for (const document of documents) {
    for (let i = 0; i < maxRemote; i++) {
      try {
        compileSchema(document as Value, new SchemaContext(remote, host, allowNet));
        break;
      } catch (error) {
        if (!(error instanceof Pending)) break;
        await remote.add(error);
      }
    }
  }
  return remote;
}

/** The type that a schema describes. Throws a BuiltinError that says what is wrong with it. */
export function typeOfDocument(document: unknown, remote: RemoteSchemas | undefined, allowNet: readonly string[] | undefined): Type {
  if (document === null || document === undefined) throw new SchemaError('no schema as input to compile');
  // Patterns say nothing of types, and the engine for them may not be loaded.
  const source = remote ? document : withoutPatterns(document, false);
  let schema: ReturnType<typeof compileSchema>;
  try {
    schema = compileSchema(source as Value, new SchemaContext(remote, {}, allowNet));
  } catch (error) {
    if (error instanceof BuiltinError) throw new SchemaError(`unable to compile the schema: ${error.message}`);
    if (error instanceof RangeError) throw new SchemaError('unable to compile the schema: nested too deeply');
    throw error;
  }
  try {
    return typeOfSchema(schema);
  } catch (error) {
    if (error instanceof BuiltinError) throw new SchemaError(`type checking: ${error.message}`);
    if (error instanceof RangeError) throw new SchemaError('type checking: nested too deeply');
    throw error;
  }
}

/** `isMap`: the keys are names of the schema's author, no keywords. What is in `enum` and `const` are values, no schemas. */
function withoutPatterns(node: unknown, isMap: boolean, depth = 0): unknown {
  if (depth > 1000) throw new SchemaError('unable to compile the schema: nested too deeply');
  if (isArray(node as Value)) return (node as readonly unknown[]).map((item) => withoutPatterns(item, false, depth + 1));
  if (typeof node !== 'object' || node === null || !isObject(node as Value)) return node;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(node as PlainObject)) {
    if (!isMap && (key === 'pattern' || key === 'patternProperties' || key === 'enum' || key === 'const')) continue;
    const isNames = !isMap && (key === 'properties' || key === 'definitions' || key === '$defs' || key === 'dependencies');
    entries.push([key, withoutPatterns(value, isNames, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

/** What compiling a schema asks of an evaluation, without one. */
class SchemaContext implements BuiltinContext {
  readonly timeNs = 0n;
  readonly memory = new Map<string, unknown>();
  readonly caches: Caches = { of: <T>(): Cache<T> => new Map<string, T>() };
  readonly host: Host;
  readonly runtime: Value = {};
  readonly allowNet: readonly string[] | undefined;
  readonly strict = true;
  readonly parseModule = undefined;
  readonly #remote: RemoteSchemas | undefined;
  #work = 0;

  constructor(remote: RemoteSchemas | undefined, host: Host, allowNet: readonly string[] | undefined) {
    this.#remote = remote;
    this.host = host;
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

  wait<T>(key: string, start: (signal: AbortSignal) => Promise<T>): T {
    const answer = this.#remote?.answer(key);
    if (answer === undefined) {
      if (Object.keys(this.host).length > 0) throw new Pending(key, start);
      throw new SchemaError(`remote reference loading disabled: ${key.slice(key.indexOf(' ') + 1)}`);
    }
    if ('error' in answer) throw answer.error;
    return answer.value as T;
  }
}
