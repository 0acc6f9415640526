/** Options of `Engine.open`. */

import { type CompileCapabilities, type CompileOptions, type Schemas, schemaDocuments } from '../compiler/index.js';
import type { NamedBundle, Platform, VerificationConfig } from '../engine/index.js';
import type { CodegenMode } from '../runtime/index.js';
import type { Builtin, JsonFault, PlainObject } from '../values/index.js';
import { HaltError, jsonValue, builtins as ownBuiltins, placeOf, withDeclared } from '../values/index.js';
import { EngineError } from './errors/engine-error.js';

/** @typeParam Input the type of inputs, that of the schema `input` */
export interface EngineOptions<Input = unknown> {
  /** Built-ins of the host's own, beside the language's (see `builtin` and `asyncBuiltin`). */
  readonly builtins?: readonly Builtin[] | undefined;
  /**
   * The features that policies and plans may use, in the form of a capabilities file: names of
   * `builtins` (of the host's own too), `features`, `future_keywords`, and hosts (`allow_net`).
   * Left out, everything.
   */
  readonly capabilities?: CompileCapabilities | undefined;
  /**
   * The hosts (`api.example.com`, `10.0.0.1`; no ports) that `http.send`, `net.lookup_ip_addr` and
   * remote `$ref`s of JSON schemas may ask, also after redirects. Left out, all, or those of the
   * capabilities; an empty list allows none. Another host makes the call an error of a built-in.
   */
  readonly allowNet?: readonly string[] | undefined;
  /**
   * The environment that policies see as `opa.runtime().env`, such as `{ REGION: 'eu' }`. Left out,
   * it is empty: the variables of a process hold secrets.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Members of the result of `opa.runtime`, beside the version and the environment: any JSON. */
  readonly runtime?: object | undefined;
  /**
   * Whether a decision of a path at which no rule, entrypoint or document is, is an error rather
   * than undefined; a decision may say otherwise. Default: false.
   */
  readonly strict?: boolean | undefined;
  /**
   * Schemas that policies are checked by when they are compiled: `input` for the input of all, and
   * others that annotations name. They are JSON Schemas, or schemas of libraries such as zod; then
   * inputs have the type of the schema `input`. No input is checked when it is decided.
   */
  readonly schemas?: Schemas<Input> | undefined;
  /**
   * Shell patterns of the names of files and directories that are left out of the directories and
   * archives among the sources: `['*_test.rego', '.*']`.
   */
  readonly ignore?: readonly string[] | undefined;
  /** How policies are read that do not say so themselves. Default: `v1`. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
  /**
   * Whether the caller gives up the documents that it passes to `open`, `setData` and `patchData`.
   * Then the engine writes into them, and a small change in an object of a million keys needs no
   * copy, which takes a second. `data` and the results of decisions are then valid until the next
   * change only.
   */
  readonly ownsData?: boolean | undefined;
  /**
   * When plans become JavaScript: once they have run often (`warm`, the default), at their first
   * decision (`always`), or never. Where the host forbids to make code of text, never.
   */
  readonly codegen?: CodegenMode | undefined;
  /**
   * Called for a plan with members that this release does not know, and ignores: it comes from a
   * newer release or another compiler. On Node, unless `NODE_ENV` is `production`, it is also
   * called once for each path that nothing answers, which is most often misspelt. Left out, Node
   * prints a warning of the process.
   */
  readonly onWarning?: ((warning: string) => void) | undefined;
  /**
   * Keys to check the signatures of bundles with, which paths name: a bundle that is not signed by
   * one of them is refused, unless `optional` is set, and so is a path of a policy alone.
   * @example { verification: { keys: { release: { key: pem } } } }
   */
  readonly verification?: VerificationConfig | undefined;
  /**
   * Whether files and folders that paths name are read again when they change (Node only). A change
   * that cannot be read or compiled leaves everything as it was. Default: false.
   */
  readonly watch?: boolean | undefined;
  /**
   * Called after files were read again, with the error if that failed. Left out, an error is
   * written to the console.
   */
  readonly onReload?: ((error?: Error) => void) | undefined;
  readonly platform?: Platform | undefined;
}

const known: Readonly<Record<keyof EngineOptions, (value: unknown) => boolean>> = {
  builtins: Array.isArray,
  capabilities: isRecord,
  allowNet: isTexts,
  env: (value) =>
    isRecord(value) && Object.values(value as object).every((text) => text === undefined || typeof text === 'string'),
  runtime: isRecord,
  strict: isBoolean,
  schemas: isRecord,
  ignore: isTexts,
  regoVersion: (value) => value === 'v0' || value === 'v1',
  ownsData: isBoolean,
  codegen: (value) => value === 'warm' || value === 'always' || value === 'never',
  onWarning: (value) => typeof value === 'function',
  verification: (value) => isRecord(value) && isRecord((value as VerificationConfig).keys),
  watch: isBoolean,
  onReload: (value) => typeof value === 'function',
  platform: isRecord,
};

/** The platform is given by the entry of the library. */
const publicOptions = Object.keys(known).filter((name) => name !== 'platform');

/**
 * Throws an EngineError for an unknown option, or a value that it cannot have: a limit that is
 * written wrong must not be none.
 */
export function checkOptions(options: EngineOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const fits = Object.hasOwn(known, name) ? known[name as keyof EngineOptions] : undefined;
    if (fits === undefined)
      throw new EngineError('invalid_option', `there is no option ${name}; options are ${publicOptions.join(', ')}`);
    if (value !== undefined && !fits(value))
      throw new EngineError('invalid_option', `option ${name} cannot be ${JSON.stringify(value)}`);
  }
  const { capabilities } = options;
  if (capabilities?.allow_net !== undefined && !isTexts(capabilities.allow_net))
    throw new EngineError('invalid_option', 'allow_net of the capabilities is no list of texts');
}

/**
 * The options of compilations by schemas. Throws an EngineError for a schema that cannot be used.
 */
export function schemaChecks({ schemas }: EngineOptions): Pick<CompileOptions, 'schemas' | 'schemaAnnotations'> {
  if (schemas === undefined) return {};
  try {
    return { schemas: schemaDocuments(schemas), schemaAnnotations: true };
  } catch (error) {
    throw new EngineError('invalid_option', `option schemas: ${(error as Error).message}`);
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an option is a list of texts. */
export function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** The document of `opa.runtime`. Throws an EngineError for members that are no JSON. */
export function runtimeOf({ env, runtime = {} }: EngineOptions): PlainObject {
  const members = jsonValue(runtime, ({ path, problem }) => {
    return new EngineError('invalid_option', `${placeOf('runtime', path)} ${problem}`);
  }) as PlainObject;
  const variables = Object.entries(env ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { env: Object.fromEntries(variables), ...members };
}

/** The hosts that may be asked, by both lists where there are two. */
export function allowedHosts({ allowNet, capabilities }: EngineOptions): readonly string[] | undefined {
  const listed = capabilities?.allow_net;
  return allowNet === undefined || listed === undefined
    ? (allowNet ?? listed)
    : allowNet.filter((host) => listed.includes(host));
}

/**
 * The built-ins of the language and of the host. Built-ins that only the capabilities declare may
 * be named, and replaced by `with`.
 */
export function allBuiltins({ builtins = [], capabilities }: EngineOptions): ReadonlyMap<string, Builtin> {
  if (builtins.length === 0 && capabilities === undefined) return ownBuiltins;
  const all = new Map(ownBuiltins);
  for (const row of builtins) {
    if (all.has(row.name)) throw new EngineError('builtin_conflict', `there is a built-in ${row.name} already`);
    all.set(row.name, answeringJson(row));
  }
  return withDeclared(all, capabilities);
}

/**
 * A host's built-in that ends the evaluation where it answers something that is no JSON, which
 * would pass for an object without keys.
 */
function answeringJson(row: Builtin): Builtin {
  const refused = ({ path, problem }: JsonFault) =>
    new HaltError('eval_builtin_error', `${row.name}: ${placeOf('result', path)} ${problem}`);
  const body: Builtin['body'] = (...operands) => {
    const value: unknown = row.body(...operands);
    return value === undefined ? undefined : jsonValue(value, refused);
  };
  return { ...row, body };
}

/** Throws an EngineError where a plan declares a built-in that the capabilities do not list. */
export function checkPlans(bundles: readonly NamedBundle[], { capabilities }: EngineOptions): void {
  if (capabilities?.builtins === undefined) return;
  const allowed = new Set(capabilities.builtins.map(({ name }) => name));
  for (const { path, policy } of bundles.flatMap(({ bundle }) => bundle.plans)) {
    const declared = (policy as { static?: { builtin_funcs?: unknown } } | null)?.static?.builtin_funcs;
    for (const row of Array.isArray(declared) ? (declared as unknown[]) : []) {
      const name = (row as { name?: unknown } | null)?.name;
      if (typeof name === 'string' && !allowed.has(name)) {
        throw new EngineError(
          'forbidden_builtin',
          `${path}: undefined function ${name}: the capabilities do not list it`,
        );
      }
    }
  }
}

/** The built-ins that plans may call, whether they declare them or not. */
export function plannable(
  builtins: ReadonlyMap<string, Builtin>,
  { capabilities }: EngineOptions,
): ReadonlyMap<string, Builtin> {
  if (capabilities?.builtins === undefined) return builtins;
  const allowed = new Set(capabilities.builtins.map(({ name }) => name));
  return new Map([...builtins].filter(([name]) => allowed.has(name)));
}
