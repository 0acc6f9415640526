/** The policies and data of checks, compiled, in an engine. */
import { existsSync, statSync } from 'node:fs';
import type { CompileOptions } from '../../compiler/index.js';
import { loadFiles } from '../../engine/node.js';
import { builtins, type PlainObject, useYaml, withDeclared, withRows } from '../../values/index.js';
import { type NumberMode, withoutRules } from '../../views/index.js';
import { ConfigFileError, parseBuiltins } from '../../views/node.js';
import { readCapabilities } from '../capabilities-file.js';
import { loadSchemas } from '../compile-flags.js';
import { type LanguageVersion, loadPolicies, type ParsedFile } from '../load-policies.js';
import type { VerifySettings } from './settings.js';

export interface LoadedChecks {
  readonly parsed: readonly ParsedFile[];
  readonly data: PlainObject;
  readonly compile: CompileOptions;
}

interface LoadSettings {
  readonly numbers: NumberMode;
  /** Whether it answers as conftest does in everything. */
  readonly isConftest: boolean;
}

/** Loads the policies and data of the settings. Rejects with a ConfigFileError. */
export async function loadChecks(
  settings: VerifySettings,
  { numbers, isConftest }: LoadSettings,
): Promise<LoadedChecks> {
  useYaml('1.1');
  const policies = settings.list('policy');
  const updated = settings.list('update').filter((address) => address !== '');
  if (updated.length > 0) {
    const { pullPolicies } = await import('./sharing/pull.js');
    await pullPolicies(updated, policies[0] ?? 'policy', 'update policies', settings.registries);
  }
  const capabilities = capabilitiesOf(settings);
  const version = versionOf(settings);
  const parsed = await policiesIn(policies, version, capabilities);
  const data = await dataIn(settings);
  const schemas = loadSchemas(settings.text('schema') ?? '');
  const { rows, load } = parseBuiltins({ numbers, asConftest: isConftest });
  if (parsed.some(({ file }) => file.text.includes('parse_co'))) await load();
  const compile: CompileOptions = {
    ...(capabilities && { capabilities }),
    builtins: withRows(capabilities === undefined ? builtins : withDeclared(builtins, capabilities), rows),
    ...(schemas && { schemas }),
    schemaAnnotations: true,
    ...(settings.on('strict') && { strict: true }),
  };
  return {
    parsed,
    data: withoutRules(
      data,
      parsed.map(({ module }) => module),
    ),
    compile,
  };
}

function versionOf(settings: VerifySettings): LanguageVersion {
  const version = settings.text('rego-version') ?? 'v1';
  if (version === 'v0' || version === 'v1') return version;
  throw new ConfigFileError(`load: loading policies: invalid Rego version: ${version}`);
}

/** The capabilities of a file; `parse_config` and its like are always allowed. */
function capabilitiesOf(settings: VerifySettings): CompileOptions['capabilities'] {
  const path = settings.text('capabilities');
  if (path === undefined || path === '') return undefined;
  try {
    const found = readCapabilities(path) as NonNullable<CompileOptions['capabilities']>;
    const own = parseBuiltins({ numbers: 'double', asConftest: false }).rows.map(({ name }) => ({ name }));
    return { ...found, builtins: [...(found.builtins ?? []), ...own] };
  } catch (error) {
    throw new ConfigFileError(`load capabilities: ${(error as Error).message}`);
  }
}

async function policiesIn(
  paths: readonly string[],
  version: LanguageVersion,
  capabilities: CompileOptions['capabilities'],
): Promise<readonly ParsedFile[]> {
  const named = paths.filter((path) => path !== '');
  try {
    const { parsed } = await loadPolicies(named, {
      version,
      capabilities: version === 'v1' ? undefined : capabilities,
      onlyRego: true,
    });
    if (parsed.length > 0) return parsed;
  } catch (error) {
    throw new ConfigFileError(`load: loading policies: load: ${(error as Error).message}`);
  }
  throw new ConfigFileError(`load: loading policies: no policies found in [${named.join(' ')}]`);
}

async function dataIn(settings: VerifySettings): Promise<PlainObject> {
  const given = settings.list('data').filter((path) => path !== '');
  const isThere = existsSync('data') && statSync('data').isDirectory();
  const paths = given.length > 0 ? given : isThere ? ['data'] : [];
  try {
    return (await loadFiles(paths, [], (name) => !name.endsWith('.rego') && !name.endsWith('.tar.gz'))).data;
  } catch (error) {
    throw new ConfigFileError(`load: load documents: ${(error as Error).message}`);
  }
}
