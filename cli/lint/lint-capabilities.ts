/** The section `capabilities` of the linter's configuration. */

import { readFileSync } from 'node:fs';
import type { CompileCapabilities } from '../../compiler/index.js';
import { lenientTextOfFile, type PlainObject } from '../../values/index.js';
import { readCapabilities, releaseDocument } from '../capabilities-file.js';
import { CommandError } from '../exit.js';

type Mapping = Readonly<Record<string, unknown>>;

interface Row {
  readonly name: string;
}

/** Built-ins that Enterprise OPA has besides those of OPA. */
const enterprise = [
  'dynamodb.get',
  'dynamodb.query',
  'mongodb.find',
  'mongodb.find_one',
  'neo4j.query',
  'redis.query',
  'rego.compile',
  'sql.send',
  'vault.send',
];

/**
 * The capabilities that a configuration states; undefined if it states none. Rejects with a
 * CommandError.
 * @param onWarning told of members that have no effect
 */
export async function statedCapabilities(
  section: Mapping | undefined,
  onWarning: (text: string) => void = () => undefined,
): Promise<CompileCapabilities | undefined> {
  if (section === undefined) return undefined;
  const base = await documentOf(mapping(section.from ?? {}, 'capabilities.from'), onWarning);
  const plus = rowsOf(section.plus, 'capabilities.plus');
  const minus = new Set([...rowsOf(section.minus, 'capabilities.minus'), ...plus].map(({ name }) => name));
  const builtins = [...((base.builtins ?? []) as readonly Row[]).filter(({ name }) => !minus.has(name)), ...plus];
  return { ...base, builtins } as CompileCapabilities;
}

/** Capabilities as rules in Rego read them: built-ins by name, with the kinds of their operands. */
export async function readableCapabilities(stated: CompileCapabilities | undefined): Promise<PlainObject> {
  const {
    builtins = [],
    features = [],
    future_keywords = [],
  } = (stated ?? (await current())) as {
    readonly builtins?: readonly DeclaredRow[];
    readonly features?: readonly string[];
    readonly future_keywords?: readonly string[];
  };
  const rows = builtins.map(({ name, decl: { args = [], result } = {} }) => {
    const kinds = args.map(({ type = 'any' }) => type);
    return [name, { decl: { args: kinds, result: result?.type ?? 'any' } }] as const;
  });
  return { builtins: Object.fromEntries(rows), features: [...features], future_keywords: [...future_keywords] };
}

interface DeclaredRow extends Row {
  readonly decl?: {
    readonly args?: readonly { readonly type?: string }[];
    readonly result?: { readonly type?: string };
  };
}

async function documentOf(from: Mapping, onWarning: (text: string) => void): Promise<Mapping> {
  const { engine, version, file, url } = from;
  const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  const named = Object.entries({ file, url, engine }).filter(([, value]) => isGiven(value));
  const [first, second] = named.map(([name]) => name);
  if (second !== undefined) throw new CommandError(`capabilities.from has one of ${first} and ${second}, not both`);
  if (typeof file === 'string') return readCapabilities(file);
  if (typeof url === 'string' && url !== '') return url.startsWith(ownScheme) ? ofRelease(url) : fetched(url);
  if (first !== undefined && first !== 'engine') throw new CommandError(`capabilities.from.${first} must be a text`);
  if (first === undefined) {
    if (isGiven(version)) onWarning('capabilities.from.version has no effect without an engine (engine: opa)');
    return current();
  }
  if (!isGiven(version)) throw new CommandError(`capabilities.from needs a version of the engine ${String(engine)}`);
  if (typeof version !== 'string')
    throw new CommandError(`capabilities.from.version must be a text: "v${String(version)}.0"`);
  return releaseOf(String(engine), version);
}

/** The scheme of capabilities that the linter has itself: `regal:///capabilities/opa/v1.0.0`. */
const ownScheme = 'regal://';

function ofRelease(url: string): Promise<Mapping> {
  const [, engine, version] = /^regal:\/\/\/capabilities\/([^/]+)(?:\/([^/]+))?$/.exec(url) ?? [];
  if (engine === undefined) throw new CommandError(`capabilities: ${url} must be regal:///capabilities/ENGINE/VERSION`);
  return engine === 'default' || (engine === 'opa' && version === undefined)
    ? current()
    : releaseOf(engine, version ?? '');
}

async function releaseOf(engine: string, version: string): Promise<Mapping> {
  if (engine !== 'opa' && engine !== 'eopa') throw new CommandError(`capabilities: unknown engine ${engine}`);
  if (engine === 'eopa') return withEnterprise(await current());
  if (!version.startsWith('v')) throw new CommandError(`capabilities: versions of OPA begin with v: v${version}`);
  const found = await releaseDocument(version, version.startsWith('v0.') ? 0 : 1);
  if (found === undefined) throw new CommandError(`capabilities: there is no release ${version} of ${engine}`);
  return found;
}

async function current(): Promise<Mapping> {
  return (await import('../capabilities-file.js')).currentCapabilities();
}

function withEnterprise(document: Mapping): Mapping {
  const rows = enterprise.map((name) => ({
    name,
    decl: { type: 'function', args: [{ type: 'any' }], result: { type: 'any' } },
  }));
  return { ...document, builtins: [...((document.builtins ?? []) as readonly Row[]), ...rows] };
}

async function fetched(url: string): Promise<Mapping> {
  if (url.startsWith('file://')) return JSON.parse(lenientTextOfFile(readFileSync(new URL(url)))) as Mapping;
  const answer = await fetch(url).catch((error: Error) => {
    throw new CommandError(`capabilities: ${url}: ${error.message}`);
  });
  if (!answer.ok) throw new CommandError(`capabilities: ${url}: status ${answer.status}`);
  return mapping(await answer.json(), url);
}

function rowsOf(section: unknown, at: string): readonly Row[] {
  const builtins = mapping(section ?? {}, at).builtins ?? [];
  if (!Array.isArray(builtins)) throw new CommandError(`${at}.builtins must be a list`);
  return builtins.map((row: unknown) => {
    const { name } = mapping(row, `${at}.builtins`);
    if (typeof name !== 'string') throw new CommandError(`${at}.builtins: a built-in has no name`);
    return row as Row;
  });
}

function mapping(value: unknown, at: string): Mapping {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Mapping;
  throw new CommandError(`${at} must be a mapping`);
}
