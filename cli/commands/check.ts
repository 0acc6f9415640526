import { compileOrThrow } from '../../compiler/pipeline.js';
import { MemoryStore } from '../../runtime/store/memory.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import {
  bundleModeFlag,
  capabilitiesFlag,
  compileOptions,
  ignoreFlag,
  languageVersion,
  maxErrorsFlag,
  schemaFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import type { Io } from '../io.js';
import { errorsJson, errorText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { noteNoPolicies } from '../output/no-policies.js';
import { type LoadOptions, loadBundles, loadPolicies, modulesOf } from '../policies.js';

export const checkCommand: Command = {
  name: 'check',
  use: '<path> [path [...]]',
  short: 'Report mistakes in policies',
  long: `Reports mistakes in policies.

Without mistakes the command prints nothing. Otherwise it prints each with its place, and exits with an
error.`,
  flags: [
    bundleModeFlag,
    capabilitiesFlag,
    { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'layout of the output', default: 'pretty' },
    ignoreFlag,
    maxErrorsFlag,
    schemaFlag,
    { name: 'strict', short: 'S', type: 'bool', usage: 'report unused variables and imports, and other doubtful code, as errors' },
    v0Flag,
    { name: 'v0-v1', type: 'bool', usage: 'require that policies mean the same in Rego v0 and v1' },
    { name: 'rego-v1', type: 'bool', usage: 'the older name of --v0-v1' },
    v1Flag,
    yamlFlag,
  ],
  showsProgress: true,
  async run(args, io) {
    if (args.positionals.length === 0) throw usageError('specify at least one file');
    try {
      const checked = await check(args, io);
      if (checked === 0) noteNoPolicies(io);
      return exitCodes.ok;
    } catch (error) {
      io.stderr(args.flags.text('format') === 'json' ? errorsJson(outputErrors(error)) : `${errorText(error, io)}\n`);
      return exitCodes.failure;
    }
  },
};

/** The number of policies. */
async function check({ flags, positionals }: Arguments, { progress }: Io): Promise<number> {
  const options = { ...(await compileOptions(flags)), print: true };
  const load: LoadOptions = {
    version: languageVersion(flags),
    capabilities: options.capabilities,
    ignore: flags.all('ignore'),
    errorLimit: flags.number('max-errors'),
    progress,
  };
  if (!flags.on('bundle')) {
    const { parsed } = await loadPolicies(positionals, { ...load, onlyRego: true });
    progress?.stage('checking policies');
    compileOrThrow({ modules: modulesOf(parsed), options });
    return parsed.length;
  }
  const { parsed, data } = await loadBundles(positionals, load);
  progress?.stage('checking policies');
  const documents = new MemoryStore(data);
  const dataExists = (path: readonly string[]) => documents.occupied(path);
  compileOrThrow({ modules: modulesOf(parsed), options: { ...options, dataExists } });
  return parsed.length;
}
