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
 */
export async function statedCapabilities(section: Mapping | undefined): Promise<CompileCapabilities | undefined> {
  if (section === undefined) return undefined;
  const base = await documentOf(mapping(section.from ?? {}, 'capabilities.from'));
  const plus = rowsOf(section.plus, 'capabilities.plus');
  const minus = new Set(rowsOf(section.minus, 'capabilities.minus').map(({ name }) => name));
  const builtins = [...((base.builtins ?? []) as readonly Row[]), ...plus].filter(({ name }) => !minus.has(name));
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

async function documentOf(from: Mapping): Promise<Mapping> {
  if (Object.keys(from).length === 0) return current();
  const { engine = 'opa', version, file, url } = from;
  if (engine !== 'opa' && engine !== 'eopa') throw new CommandError(`capabilities: unknown engine ${String(engine)}`);
  if (typeof file === 'string') return readCapabilities(file);
  if (typeof url === 'string') return fetched(url);
  if (typeof version !== 'string') throw new CommandError('capabilities: from needs a version, a file or a url');
  if (engine === 'eopa') return withEnterprise(await current());
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
  const { builtins = [] } = mapping(section ?? {}, at);
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
