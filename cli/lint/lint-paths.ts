/** Lints what a command line names. */

import { isAbsolute, resolve } from 'node:path';
import type { LintConfig, LintReport, LintSource } from '../../views/lint/index.js';
import type { Arguments } from '../args.js';
import type { Io } from '../io.js';
import { configError, findConfig } from './find-config.js';
import { statedCapabilities } from './lint-capabilities.js';
import { ruleFlagsOf } from './lint-flags.js';
import { readPolicies } from './policy-files.js';

/** Reads the policies and lints them. Rejects with a CommandError, or with `CompileErrors`. */
export async function lintPaths({ flags, positionals }: Arguments, io: Io): Promise<LintReport> {
  const found = await findConfig(positionals, flags.text('config-file'), io);
  const { config, root } = found;
  const sources = readPolicies(positionals, root, io).map((source) => withVersion(source, config, root));
  const { lint } = await import('../../views/lint/index.js');
  try {
    return await lint(sources, {
      config,
      flags: ruleFlagsOf(flags),
      capabilities: await statedCapabilities(config.capabilities),
      ...(flags.has('ignore-files') && { ignoreFiles: flags.all('ignore-files') }),
    });
  } catch (error) {
    throw configError(error, found.file, found.text);
  }
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
