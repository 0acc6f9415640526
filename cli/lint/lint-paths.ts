/** Lints the files and folders of a command line. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type CompileCapabilities, compileErrors } from '../../compiler/index.js';
import type { PlainObject } from '../../values/index.js';
import type {
  LintConfig,
  LintOptions,
  LintReport,
  LintSource,
  OwnRule,
  OwnRules,
  RuleFlags,
} from '../../views/index.js';
import type { Arguments } from '../args.js';
import { CommandError } from '../exit.js';
import type { Io } from '../io.js';
import { looseDocuments } from '../warnings/loose-documents.js';
import { stampOf } from '../warnings/neighbours.js';
import { configError, type FoundConfig, findConfig } from './find-config.js';
import { openCache } from './lint-cache.js';
import { statedCapabilities } from './lint-capabilities.js';
import { ruleFlagsOf } from './lint-flags.js';
import { readPolicies } from './policy-files.js';

/** Reads the policies and lints them. Rejects with a CommandError, or with `CompileErrors`. */
export async function lintPaths(
  args: Arguments,
  io: Pick<Io, 'stdin' | 'stderr' | 'env'>,
  isRegal = false,
): Promise<LintReport> {
  return withPolicies(args, io, async (sources, options, { text }) => {
    const { flags, capabilities, ignoreFiles } = options;
    const paths = args.positionals.filter((path) => path !== '-');
    const schemas = await schemasOf(args);
    const settings = [text, flags, capabilities, ignoreFiles, isRegal, ...(schemas ? [[...schemas]] : [])];
    const cache = args.flags.on('no-cache') ? undefined : openCache(settings, io.env, undefined, () => stampOf(paths));
    const { lint } = await import('../../views/lint/index.js');
    const report = await lint(sources, {
      ...options,
      cache,
      isRegal,
      schemas,
      findWarnings: async (compiled) => {
        const { findSourceWarnings } = await import('../warnings/find-source-warnings.js');
        return findSourceWarnings(compiled, {
          paths,
          documents: () => looseDocuments(paths),
          isPart: true,
          isLint: true,
        });
      },
      onErrors: (errors) => {
        // A schema is given to learn of refs that it does not have.
        if (schemas !== undefined) throw compileErrors(errors);
        io.stderr(
          `note: rules of the category writ did not run: ${errors[0]?.message ?? 'the policies do not compile'} (writ check tells all)\n`,
        );
      },
    });
    cache?.save();
    return report;
  });
}

/** The schemas of `--schema`; undefined without the flag. */
async function schemasOf({ flags }: Arguments): Promise<ReadonlyMap<string, unknown> | undefined> {
  const path = flags.text('schema');
  if (path === undefined) return undefined;
  const { loadSchemas } = await import('../compile-flags.js');
  return loadSchemas(path);
}

/** The policies fixed, but not written. Rejects as `lintPaths` does. */
export async function fixSources(args: Arguments, io: Pick<Io, 'stdin' | 'stderr' | 'env'>) {
  return withPolicies(args, io, async (sources, options, { config, root }) => {
    const { fix, mendErrors } = await import('../../views/lint/index.js');
    if (!args.flags.on('hints')) return { fixed: await fix(sources, options), config, root };
    const mended = mendErrors(sources, options);
    const fixed = await fix(
      mended.map(({ source }) => source),
      options,
    );
    const before = new Map(sources.map((source, i) => [source.file, { source, mends: mended[i]!.mends }]));
    const all = fixed.map((each) => {
      const { source, mends } = before.get(each.source.file)!;
      return { ...each, source, fixes: [...mends.map((title) => `hint: ${title}`), ...each.fixes] };
    });
    return { fixed: all, config, root };
  });
}

async function withPolicies<T>(
  { flags, positionals }: Arguments,
  io: Pick<Io, 'stdin' | 'stderr' | 'env'>,
  use: (sources: readonly LintSource[], options: LintOptions, found: FoundConfig) => Promise<T>,
): Promise<T> {
  const found = await findConfig(positionals, flags.text('config-file'), io);
  const { config, root } = found;
  // A workflow of GitHub that is run again for its logs sets the variable.
  if (flags.on('debug') || io.env.RUNNER_DEBUG) io.stderr(foundText(found));
  for (const warning of config.warnings) tellWarning(warning, found, io);
  const manifests = new Map<string, 'v0' | 'v1' | undefined>();
  const sources = readPolicies(positionals, root, io).map((source) => withVersion(source, config, root, manifests));
  const capabilities = await capabilitiesOf(found, io);
  const options = {
    config,
    flags: ruleFlagsOf(flags),
    capabilities,
    own: await ownRules(flags.all('rules'), ruleFlagsOf(flags), found, capabilities),
    timeout: flags.number('timeout'),
    ...(flags.has('ignore-files') && { ignoreFiles: flags.all('ignore-files') }),
  };
  try {
    return await use(sources, options, found);
  } catch (error) {
    throw configError(error, found.file, found.text);
  }
}

function foundText({ file, text }: FoundConfig): string {
  return file === undefined
    ? 'no configuration was found: rules have their defaults\n'
    : `configuration: ${file}\n${text}\n`;
}

/** The capabilities of the configuration; faults name its file. */
async function capabilitiesOf(found: FoundConfig, io: Pick<Io, 'stderr'>) {
  const { config, file = '' } = found;
  try {
    return await statedCapabilities(config.capabilities, (text) => tellWarning(text, found, io));
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(`${file}: ${error.message}`) : error;
  }
}

function tellWarning(text: string, { file = '' }: FoundConfig, io: Pick<Io, 'stderr'>): void {
  io.stderr(`warning: ${file}: ${text}\n`);
}

/** The user's rules: those that the command line names, or those of the project. */
async function ownRules(
  given: readonly string[],
  ruleFlags: RuleFlags,
  { root, document, config }: FoundConfig,
  capabilities: CompileCapabilities | undefined,
): Promise<OwnRules | undefined> {
  const folder = join(root, '.regal', 'rules');
  const paths = given.length > 0 ? given : existsSync(folder) ? [folder] : [];
  if (paths.length === 0) return undefined;
  const { openOwnRules, readOwnRules } = await import('./own-rules.js');
  const { readRuleData } = await import('./given-bundle.js');
  const { settingOf } = await import('../../views/lint/frame/settings.js');
  const levelOf = (rule: OwnRule): string | undefined => settingOf(rule, config, ruleFlags)?.level;
  return openOwnRules(readOwnRules(paths), {
    config: (document ?? {}) as PlainObject,
    capabilities,
    root,
    levelOf,
    data: await readRuleData(paths),
  });
}

/**
 * The version of the language that a root, the project, or else a `.manifest` above, states for a
 * file.
 */
function withVersion(
  source: LintSource,
  config: LintConfig,
  root: string,
  manifests: Map<string, 'v0' | 'v1' | undefined>,
): LintSource {
  if (source.absolute === undefined) return source;
  const { absolute } = source;
  const below = config.roots
    .filter(({ path }) => absolute.startsWith(`${isAbsolute(path) ? path : resolve(root, path)}/`))
    .sort((a, b) => b.path.length - a.path.length);
  const stated =
    below.find(({ regoVersion }) => regoVersion !== undefined)?.regoVersion ??
    config.regoVersion ??
    manifestVersion(dirname(absolute), root, manifests);
  return stated === undefined ? source : { ...source, regoVersion: stated };
}

/** The version that the nearest manifest states, up to the root. */
function manifestVersion(
  directory: string,
  root: string,
  known: Map<string, 'v0' | 'v1' | undefined>,
): 'v0' | 'v1' | undefined {
  if (known.has(directory)) return known.get(directory);
  const isBelow = directory.startsWith(`${root}/`);
  const found = versionIn(directory) ?? (isBelow ? manifestVersion(dirname(directory), root, known) : undefined);
  known.set(directory, found);
  return found;
}

/** A manifest that cannot be read states nothing: the commands that load bundles refuse it. */
function versionIn(directory: string): 'v0' | 'v1' | undefined {
  try {
    const { rego_version: version } = JSON.parse(readFileSync(join(directory, '.manifest'), 'utf8')) as Manifest;
    return version === 0 || version === 1 ? `v${version}` : undefined;
  } catch {
    return undefined;
  }
}

interface Manifest {
  readonly rego_version?: unknown;
}
