/** Sources of an engine: bundles, plans, policies and documents are recognized and read. */

import type { Platform, ReadBundleOptions } from '../../engine/index.js';
import { type Bundle, emptyBundle, mergeBundles, mergeDocuments, type NamedBundle } from '../../engine/index.js';
import type { Policy } from '../../ir-schema/index.js';
import { isObject, jsonValue, type PlainObject, placeOf } from '../../values/index.js';
import { EngineError } from '../errors/engine-error.js';
import { isBytes } from './given-bytes.js';

/** Policies in source, and documents beside them. */
export interface PolicySources {
  /** Texts by name; messages and positions show it. */
  readonly policies?: Readonly<Record<string, string>> | undefined;
  /** Base documents: any JSON. */
  readonly data?: object | undefined;
}

/** Texts of a caller, checked. */
interface ReadTexts {
  readonly policies?: Readonly<Record<string, string>>;
  readonly data?: PlainObject;
}

/**
 * A source of an engine: a path or a URL (a bundle's directory or `.tar.gz`, a plan file, a `.rego`
 * file, a JSON or YAML file of documents, a directory of them), the bytes of a bundle or a plan, a
 * bundle from `readBundle`, a plan from `compile`, or texts of policies and documents.
 */
export type Source = string | URL | Uint8Array | Bundle | Policy | PolicySources;

const allowed =
  'a source is a path or URL (of a bundle, a plan, a .rego, JSON or YAML file, or a directory), the bytes of a bundle, a bundle from readBundle, a plan from compile, or { policies: { "name.rego": text }, data: { … } }';

/** The sources that are paths or URLs. */
export function sourcePaths(given: Source | readonly Source[]): readonly string[] {
  const sources: readonly unknown[] = Array.isArray(given) ? given : [given];
  return sources.flatMap((source) =>
    typeof source === 'string' ? [source] : isUrl(source as object) ? [(source as URL).href] : [],
  );
}

export interface ReadSources {
  readonly bundles: readonly NamedBundle[];
  /** Texts by name; undefined where no source has any. */
  readonly policies: ReadonlyMap<string, string> | undefined;
  readonly data: PlainObject;
}

/**
 * Reads sources of every form. Rejects with an EngineError for a value that is no source, or with
 * a BundleError.
 */
export async function readSources(
  given: Source | readonly Source[],
  platform: Platform,
  options: ReadBundleOptions = {},
): Promise<ReadSources> {
  const sources: readonly unknown[] = Array.isArray(given) ? given : [given];
  const read = await Promise.all(sources.map((source) => readSource(source, platform, options)));
  const bundles = read.filter((source) => 'bundle' in source);
  const texts = read.filter((source): source is ReadTexts => !('bundle' in source));
  let data = bundles.length === 0 ? {} : mergeBundles(bundles).data;
  const policies = new Map<string, string>();
  for (const source of texts) {
    const merged = mergeDocuments(data, source.data ?? {});
    if (merged === undefined)
      throw new EngineError('data_conflict', 'several sources say something of the same document');
    data = merged;
    for (const [name, text] of Object.entries(source.policies ?? {})) {
      if (policies.has(name)) throw new EngineError('policy_conflict', `two sources have a policy ${name}`);
      policies.set(name, text);
    }
  }
  return { bundles, policies: texts.some((source) => source.policies !== undefined) ? policies : undefined, data };
}

async function readSource(
  source: unknown,
  platform: Platform,
  options: ReadBundleOptions,
): Promise<NamedBundle | ReadTexts> {
  if (typeof source === 'string') return await readPath(source, platform, options);
  if (typeof source !== 'object' || source === null || Array.isArray(source)) throw unknown(described(source));
  if (isUrl(source)) return await readPath(source.href, platform, options);
  if (isBytes(source)) return { name: '', bundle: await readBytes(source, platform, options) };
  if ('manifest' in source) return { name: '', bundle: checkedBundle(source) };
  if ('plans' in source || 'static' in source) return { name: '', bundle: planBundle(source as Policy) };
  return checkedTexts(source);
}

async function readBytes(bytes: Uint8Array, { readBytes }: Platform, options: ReadBundleOptions): Promise<Bundle> {
  if (readBytes === undefined) throw new EngineError('no_files', 'this platform reads no bundles');
  return await readBytes(bytes, options);
}

/** A file of documents, or a plan: see `documentOf`. */
const documentFile = /\.(?:json|ya?ml)$/;

async function readPath(
  path: string,
  platform: Platform,
  options: ReadBundleOptions,
): Promise<NamedBundle | ReadTexts> {
  if (/\n|^\s*(?:package\s|$)/.test(path)) {
    const what = path.trim() === '' ? 'an empty text is no path' : 'the text of a policy is no path';
    throw unknown(what);
  }
  const { readBundle, readPolicy } = platform;
  if (readBundle === undefined || readPolicy === undefined)
    throw new EngineError('no_files', `${path}: this platform reads no files`);
  const { verification } = options;
  const mustBeSigned = verification !== undefined && verification.optional !== true;
  const isPolicy = path.endsWith('.rego');
  const file = isPolicy || documentFile.test(path) ? await readPolicy(path) : undefined;
  const document = file === undefined || isPolicy ? undefined : await documentOf(file.name, file.text);
  if (file === undefined || (!isPolicy && document === undefined))
    return { name: path, bundle: await readBundle(path, options) };
  const what = isPolicy ? 'the file of a policy' : 'a file of documents';
  if (mustBeSigned) throw new EngineError('invalid_source', `${path}: ${what} has no signature: name a bundle`);
  return document === undefined ? { policies: { [file.name]: file.text } } : { data: document };
}

/** The documents of a file; undefined for a plan. Throws a BundleError. */
async function documentOf(name: string, text: string): Promise<PlainObject | undefined> {
  const { readJsonFile, yamlReader } = await import('../../engine/bundle/data-files.js');
  const bytes = new TextEncoder().encode(text);
  const value = name.endsWith('.json') ? readJsonFile(bytes, name, name) : (await yamlReader())(bytes, name, name);
  if (!isObject(value))
    throw new EngineError('invalid_data', `${name}: documents are an object, by their names below data`);
  return Object.hasOwn(value, 'plans') && Object.hasOwn(value, 'static') ? undefined : (value as PlainObject);
}

/** One of another realm too, as a test runner's. */
function isUrl(source: object): source is URL {
  return Object.prototype.toString.call(source) === '[object URL]';
}

function checkedBundle(source: object): Bundle {
  const bundle = source as Partial<Bundle>;
  if (Array.isArray(bundle.modules) && Array.isArray(bundle.plans) && typeof bundle.data === 'object')
    return source as Bundle;
  throw unknown('an object with a manifest, but without the modules, plans and data of a bundle');
}

/** It brings no documents, so any number of plans go together. */
function planBundle(policy: Policy): Bundle {
  const manifest = { ...emptyBundle.manifest, roots: [] };
  return {
    ...emptyBundle,
    manifest,
    plans: [{ path: 'plan.json', url: 'plan.json', bundlePath: '/plan.json', policy }],
  };
}

function checkedTexts(source: object): ReadTexts {
  const { policies, data, ...others } = source as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknown(`an object with ${JSON.stringify(other)}`);
  if (policies === undefined && data === undefined && Object.keys(source).length === 0)
    throw unknown('an object with neither policies nor data');
  if (policies !== undefined) {
    if (typeof policies !== 'object' || policies === null || !isRecord(policies))
      throw unknown(`policies that are ${described(policies)}`);
    for (const [name, text] of Object.entries(policies)) {
      if (typeof text !== 'string')
        throw unknown(`policy ${JSON.stringify(name)}, which is ${described(text)} and no text`);
    }
  }
  return {
    ...(policies !== undefined && { policies: policies as Record<string, string> }),
    ...(data !== undefined && { data: checkedData(data) }),
  };
}

/** Documents that a host gives. Throws an EngineError where they are no JSON. */
export function checkedDocument(value: unknown, path: readonly string[] = []): PlainObject {
  return jsonValue(value, (found) => {
    return new EngineError('invalid_data', `${placeOf('data', [...path, ...found.path])} ${found.problem}`);
  }) as PlainObject;
}

function checkedData(data: unknown): PlainObject {
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new EngineError('invalid_data', `data is ${described(data)} and no object`);
  return checkedDocument(data);
}

/** Whether names can be read from it: a Map has no keys of its own. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function unknown(what: string): EngineError {
  return new EngineError('invalid_source', `${what}: ${allowed}`);
}

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
