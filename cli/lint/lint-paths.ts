/** Lints what a command line names. */

import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { LintConfig, LintOptions, LintReport, LintSource } from '../../views/lint/index.js';
import type { Arguments } from '../args.js';
import type { Io } from '../io.js';
import { configError, type FoundConfig, findConfig } from './find-config.js';
import { openCache } from './lint-cache.js';
import { statedCapabilities } from './lint-capabilities.js';
import { ruleFlagsOf } from './lint-flags.js';
import { readPolicies } from './policy-files.js';

/** Reads the policies and lints them. Rejects with a CommandError, or with `CompileErrors`. */
export async function lintPaths(args: Arguments, io: Pick<Io, 'stdin' | 'stderr' | 'env'>): Promise<LintReport> {
  return withPolicies(args, io, async (sources, options, { text }) => {
    const { flags, capabilities, ignoreFiles } = options;
    const cache = args.flags.on('no-cache') ? undefined : openCache([text, flags, capabilities, ignoreFiles], io.env);
    const { lint } = await import('../../views/lint/index.js');
    const report = await lint(sources, { ...options, cache });
    cache?.save();
    return report;
  });
}

/** The policies fixed, but not written. Rejects as `lintPaths` does. */
export async function fixSources(args: Arguments, io: Pick<Io, 'stdin' | 'stderr' | 'env'>) {
  return withPolicies(args, io, async (sources, options, { config, root }) => {
    const { fix } = await import('../../views/lint/index.js');
    return { fixed: await fix(sources, options), config, root };
  });
}

async function withPolicies<T>(
  { flags, positionals }: Arguments,
  io: Pick<Io, 'stdin' | 'stderr' | 'env'>,
  use: (sources: readonly LintSource[], options: LintOptions, found: FoundConfig) => Promise<T>,
): Promise<T> {
  const found = await findConfig(positionals, flags.text('config-file'), io);
  const { config, root } = found;
  noteOwnRules(flags.all('rules'), root, io);
  const sources = readPolicies(positionals, root, io).map((source) => withVersion(source, config, root));
  const options = {
    config,
    flags: ruleFlagsOf(flags),
    capabilities: await statedCapabilities(config.capabilities),
    timeout: flags.number('timeout'),
    ...(flags.has('ignore-files') && { ignoreFiles: flags.all('ignore-files') }),
  };
  try {
    return await use(sources, options, found);
  } catch (error) {
    throw configError(error, found.file, found.text);
  }
}

/** Says that rules written in Rego are not run: a report without them would look complete. */
function noteOwnRules(given: readonly string[], root: string, io: Pick<Io, 'stderr'>): void {
  const folder = join(root, '.regal', 'rules');
  const own = given.length > 0 ? given.join(', ') : existsSync(folder) ? folder : undefined;
  if (own !== undefined) io.stderr(`warning: rules of your own are not run: ${own}\n`);
}

/** The version of the language that a root, or the project, states for a file. */
function withVersion(source: LintSource, config: LintConfig, root: string): LintSource {
  if (source.absolute === undefined) return source;
  const { absolute } = source;
  const below = config.roots
    .filter(({ path }) => absolute.startsWith(`${isAbsolute(path) ? path : resolve(root, path)}/`))
    .sort((a, b) => b.path.length - a.path.length);
  const stated = below.find(({ regoVersion }) => regoVersion !== undefined)?.regoVersion ?? config.regoVersion;
  return stated === undefined ? source : { ...source, regoVersion: stated };
}
