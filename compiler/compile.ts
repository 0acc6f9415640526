import type { Policy } from '../ir-schema/index.js';
import type { Module } from './ast/nodes.js';
import { compileErrors } from './diagnostics/render.js';
import { rulesAtPath, undefinedEntrypoint } from './entrypoints.js';
import { compileOrThrow } from './pipeline.js';
import { plan } from './plan/planner.js';
import type { CompileOptions } from './resolve/compile-options.js';
import { type Schemas, schemaDocuments } from './schema-options.js';
import { parseModule } from './syntax/parse.js';
import type { ParseOptions } from './syntax/parse-options.js';

export interface CompileRequest extends Omit<CompileOptions, 'schemas'>, Pick<ParseOptions, 'regoVersion'> {
  /**
   * Schemas by name, as `Engine.open` takes them, which annotations may name; or a map of JSON
   * Schemas by the names that annotations have for them (`schema.order`).
   */
  readonly schemas?: Schemas | ReadonlyMap<string, unknown> | undefined;
  /** Texts or parsed modules, by the name that messages and positions show. */
  readonly policies: Readonly<Record<string, string | Module>>;
  /** Paths of the documents to plan, for example `authz/allow`. */
  readonly entrypoints: readonly string[];
}

/** An unknown option of `compile`. */
export class CompileOptionError extends Error {
  override readonly name = 'CompileOptionError';
  readonly code = 'invalid_option';
}

const known: Readonly<Record<keyof CompileRequest, true>> = {
  policies: true,
  entrypoints: true,
  regoVersion: true,
  builtins: true,
  capabilities: true,
  strict: true,
  captureTestValues: true,
  instrument: true,
  print: true,
  unsafeBuiltins: true,
  allowUndefinedFunctions: true,
  errorLimit: true,
  schemas: true,
  schemaAnnotations: true,
  dataExists: true,
  dataRoots: true,
  onTimer: true,
};

/** An option that is written wrong must not be without effect. */
function checkOptions(request: CompileRequest): void {
  const unknown = Object.keys(request).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new CompileOptionError(`there is no option ${unknown}; options are ${Object.keys(known).join(', ')}`);
}

function schemaOptions(
  schemas: CompileRequest['schemas'],
  { schemaAnnotations }: Pick<CompileOptions, 'schemaAnnotations'>,
): Pick<CompileOptions, 'schemas' | 'schemaAnnotations'> {
  if (schemas === undefined) return {};
  try {
    return { schemas: schemaDocuments(schemas), schemaAnnotations: schemaAnnotations ?? !(schemas instanceof Map) };
  } catch (error) {
    throw new CompileOptionError(`option schemas: ${(error as Error).message}`);
  }
}

/**
 * Compiles policies to a plan.
 * @example compile({ policies: { 'authz.rego': text }, entrypoints: ['authz/allow'] })
 * @throws CompileErrors for policies that do not parse or compile, and for entrypoints without
 * rules
 * @throws CompileOptionError for an unknown option
 */
export function compile(request: CompileRequest): Policy {
  checkOptions(request);
  const { policies, entrypoints, regoVersion = 'v1', schemas, print = true, ...others } = request;
  const options = { ...others, print, ...schemaOptions(schemas, others) };
  const parse: ParseOptions = { regoVersion, ...(options.capabilities && { capabilities: options.capabilities }) };
  const parsed = Object.entries(policies).map(
    ([name, policy]) => [name, typeof policy === 'string' ? parseModule(name, policy, parse) : policy] as const,
  );
  const compiled = compileOrThrow({ modules: new Map(parsed), options });
  const requests = entrypoints.map((name) => ({ name, path: name.replace(/^\/+|\/+$/g, '').split('/') }));
  for (const { name, path } of requests) {
    if (rulesAtPath(compiled, path).length > 0) continue;
    const message = undefinedEntrypoint(compiled, name, path);
    throw compileErrors([{ code: 'rego_compile_error', message, location: undefined, details: undefined }]);
  }
  return plan(compiled, requests);
}
