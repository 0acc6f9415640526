import { compileOrThrow } from '../../compiler/pipeline.js';
import { MemoryStore } from '../../runtime/store/memory-store.js';
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
  strictFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import { type LoadOptions, loadBundles, loadPolicies, modulesOf } from '../load-policies.js';
import { errorsJson, errorText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { noteNoPolicies } from '../output/no-policies.js';

export const checkCommand: Command = {
  name: 'check',
  use: '<path> [path [...]]',
  long: `Parses and compiles policies, and reports errors with their places.

It prints nothing if the policies are valid, and exits with 1 if they are not.`,
  examples: [
    ['Check all policies of a folder', 'writ check policies'],
    ['Also report unused variables and imports', 'writ check --strict policies'],
    ['Check refs of the input against a JSON Schema', 'writ check -s schemas policies'],
    ['Print all errors as JSON', 'writ check -m 0 -f json policies'],
  ],
  flags: [
    ...group('Policies', bundleModeFlag, ignoreFlag),
    ...group('Checks', strictFlag, schemaFlag, capabilitiesFlag),
    ...group(
      'Version of the language',
      v0Flag,
      v1Flag,
      { name: 'v0-v1', type: 'bool', usage: 'require that policies are valid in both versions of Rego' },
      { name: 'rego-v1', type: 'bool', usage: 'the older name of --v0-v1' },
      yamlFlag,
    ),
    ...group(
      'Output',
      { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of the errors', default: 'pretty' },
      maxErrorsFlag,
    ),
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
