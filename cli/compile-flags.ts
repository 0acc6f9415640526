/** The flags that commands over sources share, and their values. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { CompileCapabilities, CompileOptions, PlanOptions } from '../compiler/index.js';
import { filePath } from '../engine/node.js';
import type { CodegenMode } from '../runtime/index.js';
import { builtins, isObject, lenientTextOfFile, parseJson, type Value, withDeclared } from '../values/index.js';
import { systemProblem } from '../values/node.js';
import { type CoverageRun, coverageRuns } from './coverage/coverage-runs.js';
import { usageError } from './exit.js';
import type { Flag, FlagValues } from './flags.js';
import type { LanguageVersion } from './load-policies.js';

export const v0Flag: Flag = { name: 'v0-compatible', type: 'bool', usage: 'read policies as version 0 of Rego' };
export const v1Flag: Flag = {
  name: 'v1-compatible',
  type: 'bool',
  usage: 'read policies as version 1 of Rego',
  default: 'true',
};
/** The evaluators: others than Rego's are refused. */
export const targetFlag: Flag = {
  name: 'target',
  short: 't',
  type: ['rego', 'wasm'],
  usage: 'what evaluates: rego is the virtual machine of writ, wasm is an error',
  default: 'rego',
};
export const inputFlag: Flag = {
  name: 'input',
  short: 'i',
  type: 'string',
  usage: 'file with the input, JSON or YAML',
};
export const stdinFlag: Flag = { name: 'stdin', type: 'bool', usage: 'read the query from standard input' };
export const stdinInputFlag: Flag = {
  name: 'stdin-input',
  short: 'I',
  type: 'bool',
  usage: 'read the input from standard input',
};
export const packageFlag: Flag = { name: 'package', type: 'string', usage: 'evaluate the query in this package' };
export const importFlag: Flag = {
  name: 'import',
  type: 'string',
  repeated: true,
  usage: 'import for the query, such as data.roles',
};
export const unknownsFlag: Flag = {
  name: 'unknowns',
  short: 'u',
  type: 'string',
  repeated: true,
  usage: 'documents that are not known yet (default input)',
};
export const strictFlag: Flag = {
  name: 'strict',
  short: 'S',
  type: 'bool',
  usage: 'also report unused variables and imports, and other doubtful code',
};
export const failOnWarnFlag: Flag = {
  name: 'fail-on-warn',
  type: 'bool',
  usage: 'exit with an error if there are warnings',
};
export const bundleFlag: Flag = {
  name: 'bundle',
  short: 'b',
  type: 'string',
  repeated: true,
  usage: 'bundle to load: an archive or a directory',
};
export const dataFlag: Flag = {
  name: 'data',
  short: 'd',
  type: 'string',
  repeated: true,
  usage: 'file or directory of policies and data',
};
export const ignoreFlag: Flag = {
  name: 'ignore',
  type: 'strings',
  usage: "leave out files and directories with these names: shell patterns such as '.*' or '*_test.rego'",
};
export const capabilitiesFlag: Flag = {
  name: 'capabilities',
  type: 'string',
  usage: 'allow the built-ins and features of a release (v1.0.0), or of a file like capabilities.json',
};
export const yamlFlag: Flag = {
  name: 'yaml',
  type: ['1.2', '1.1'],
  usage: 'version of YAML: in 1.1, the words yes, no, on and off are booleans',
  default: '1.2',
};
export const schemaFlag: Flag = {
  name: 'schema',
  short: 's',
  type: 'string',
  usage: 'JSON schema of the input, or a directory of schemas',
};
export const noCodegenFlag: Flag = {
  name: 'no-codegen',
  type: 'bool',
  usage: 'run all plans on the virtual machine: plans that run often do not become JavaScript',
};

/** When the plans of a command become JavaScript. */
export function codegenOf(flags: FlagValues): CodegenMode {
  return flags.on('no-codegen') ? 'never' : 'warm';
}

export const maxErrorsFlag: Flag = {
  name: 'max-errors',
  short: 'm',
  type: 'int',
  usage: 'show at most so many errors; 0 shows all',
  default: '10',
};
export const benchmemFlag: Flag = {
  name: 'benchmem',
  type: 'bool',
  usage: 'count the memory that is allocated',
  default: 'true',
};
export const coverageRunsFlag: Flag = {
  name: 'coverage-runs',
  type: 'strings',
  usage: 'evaluate again without these optimizations, to say which of them left code uncovered',
  default: coverageRuns.join(','),
};

/** The runs named by `--coverage-runs`. Throws a CommandError for an unknown name. */
export function givenCoverageRuns(flags: FlagValues): readonly CoverageRun[] {
  if (!flags.has('coverage-runs')) return coverageRuns;
  const names = flags.all('coverage-runs').filter((name) => name !== '');
  const unknown = names.find((name) => !(coverageRuns as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw usageError(
      `invalid argument ${JSON.stringify(unknown)} for "--coverage-runs" flag: only ${coverageRuns.join(', ')}`,
    );
  return names as readonly CoverageRun[];
}

/**
 * The plan optimizations that can be turned off: coverage then shows the expressions that they
 * skip.
 */
export type Optimizations = Pick<PlanOptions, 'ruleIndex' | 'earlyExit'>;

/** The optimizations of the plan for such a run. */
export function optimizationsOf(run: CoverageRun): Optimizations {
  return run === 'index_excluded' ? { ruleIndex: false } : { earlyExit: false };
}

export const bundleModeFlag: Flag = {
  name: 'bundle',
  short: 'b',
  type: 'bool',
  usage: 'read each path as a bundle: an archive or a directory',
};

/** The language version of the flags; version 0 wins if both are given. */
export function languageVersion(flags: FlagValues): LanguageVersion {
  if (flags.on('v0-v1') || flags.on('rego-v1')) return 'v0v1';
  return flags.on('v0-compatible') ? 'v0' : 'v1';
}

/**
 * The capabilities named by `--capabilities`, undefined without the flag. Rejects with a
 * CommandError.
 */
export async function givenCapabilities(flags: FlagValues): Promise<CompileCapabilities | undefined> {
  const given = flags.text('capabilities');
  if (given === undefined) return undefined;
  const { namedCapabilities } = await import('./capabilities-file.js');
  try {
    return (await namedCapabilities(given, flags.on('v0-compatible') ? 0 : 1)) as CompileCapabilities;
  } catch (error) {
    throw usageError(
      `invalid argument ${JSON.stringify(given)} for "--capabilities" flag: ${(error as Error).message}`,
    );
  }
}

/** The compile options from `--capabilities`, `--schema`, `--strict` and `--max-errors`. */
export async function compileOptions(flags: FlagValues): Promise<CompileOptions> {
  const capabilities = await givenCapabilities(flags);
  const schemas = loadSchemas(flags.text('schema') ?? '');
  return {
    ...(capabilities && { capabilities, builtins: withDeclared(builtins, capabilities) }),
    ...(schemas && { schemas }),
    schemaAnnotations: true,
    ...(flags.on('strict') && { strict: true }),
    errorLimit: flags.number('max-errors') ?? 10,
  };
}

/**
 * Schemas by ref: a single file is `schema`; files of a directory are named by their relative path,
 * for example `schema.input`. Throws an Error.
 */
export function loadSchemas(given: string): ReadonlyMap<string, Value> | undefined {
  if (given === '') return undefined;
  const path = filePath(given);
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    throw new Error(`stat ${path}: ${systemProblem(error)}`, { cause: error });
  }
  if (!isDirectory) return new Map([['schema', readSchema(path)]]);
  const schemas = new Map<string, Value>();
  const visit = (directory: string, key: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inner = `${directory}/${entry.name}`;
      if (entry.isDirectory()) visit(inner, `${key}.${entry.name}`);
      else if (/\.json$/.test(entry.name))
        schemas.set(`${key}.${entry.name.replace(/\.json$/, '')}`, readSchema(inner));
    }
  };
  visit(path, 'schema');
  return schemas;
}

function readSchema(path: string): Value {
  const schema = parse(path);
  if (!isObject(schema) && typeof schema !== 'boolean')
    throw new Error(`${path}: a schema must be an object or a boolean`);
  return schema;
}

function parse(path: string): Value {
  try {
    return parseJson(lenientTextOfFile(readFileSync(path)));
  } catch (error) {
    const isSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw new Error(isSystem ? `open ${path}: ${systemProblem(error)}` : `${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
