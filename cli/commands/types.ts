import { type Compiled, compileOrThrow } from '../../compiler/index.js';
import { MemoryStore } from '../../runtime/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import {
  bundleModeFlag,
  capabilitiesFlag,
  compileOptions,
  dataFlag,
  ignoreFlag,
  languageVersion,
  schemaFlag,
  v0Flag,
  v1Flag,
  yamlFlag,
} from '../compile-flags.js';
import { exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import { type LoadOptions, loadBundles, loadPolicies, modulesByFile, type ParsedFile } from '../load-policies.js';
import { errorsJson, errorText } from '../output/error-output.js';
import { outputErrors } from '../output/failures.js';
import { noteNoPolicies } from '../output/no-policies.js';
import { watchFiles } from '../watch.js';

export const typesCommand: Command = {
  name: 'types',
  use: '<path> [path [...]]',
  long: `Writes TypeScript declarations of policies: the type of the input, and of the result of each rule.

Beside each policy authz.rego it writes authz.d.rego.ts, with what 'import { allow } from "./authz.rego"' gives. TypeScript reads it if tsconfig.json has allowArbitraryExtensions. With --engine it writes one file, with the types of the paths for engine.decide.

It prints the names of the files that it has written. A file that writ has not made is never replaced.`,
  examples: [
    ['Write declarations beside the policies', 'writ types policies'],
    ['Take the type of the input from a JSON Schema', 'writ types -s schemas policies'],
    ['Write them again at each change', 'writ types --watch policies'],
    ['Write the types of paths for the library', 'writ types --engine decisions.d.ts policies'],
    ['Fail in CI if a file is out of date', 'writ types --check -s schemas policies'],
  ],
  flags: [
    ...group(
      'Output',
      { name: 'engine', type: 'string', usage: 'write this file instead, with the types of paths for engine.decide' },
      { name: 'check', type: 'bool', usage: 'write nothing; exit with 1 if a file is missing or out of date' },
      { name: 'watch', short: 'w', type: 'bool', usage: 'write again when a file changes' },
      { name: 'format', short: 'f', type: ['pretty', 'json'], usage: 'form of errors', default: 'pretty' },
    ),
    ...group(
      'Policies and data',
      { ...dataFlag, usage: 'more policies and data, for which no declarations are written' },
      bundleModeFlag,
      ignoreFlag,
      schemaFlag,
      capabilitiesFlag,
      v0Flag,
      v1Flag,
      yamlFlag,
    ),
  ],
  async run(args, io) {
    validate(args);
    const exit = await writeTypes(args, io);
    const { flags, positionals } = args;
    if (!flags.on('watch')) return exit;
    const schema = flags.text('schema');
    const watched = [...positionals, ...flags.all('data'), ...(schema === undefined ? [] : [schema])];
    await watchFiles(watched, async () => void (await writeTypes(args, io)), {
      waiting: () => io.stdout('Watching for changes ...\n'),
    });
    return exitCodes.ok;
  },
};

function validate({ flags, positionals }: Arguments): void {
  if (positionals.length === 0) throw usageError('specify at least one file or directory of policies');
  if (flags.on('bundle') && !flags.has('engine'))
    throw usageError('--bundle needs --engine: beside files of bundles nothing is written');
  if (flags.on('watch') && flags.on('check')) throw usageError('--check does not go with --watch');
}

async function writeTypes(args: Arguments, io: Io): Promise<number> {
  const asJson = args.flags.text('format') === 'json';
  try {
    const files = await declarationFiles(args);
    if (files.size === 0) noteNoPolicies(io);
    const { isStale, writeDeclarations } = await import('../../library/modules/declaration-files.js');
    if (args.flags.on('check')) {
      const stale = [...files].filter(([path, text]) => isStale(path, text)).map(([path]) => path);
      for (const path of stale) io.stderr(`${path} is out of date: run writ types\n`);
      return stale.length === 0 ? exitCodes.ok : exitCodes.failure;
    }
    for (const [path, text] of files) if (writeDeclarations(path, text)) io.stdout(`${path}\n`);
    return exitCodes.ok;
  } catch (error) {
    io.stderr(asJson ? errorsJson(outputErrors(error)) : `${errorText(error, io)}\n`);
    return exitCodes.failure;
  }
}

/** The texts of all files by their paths. */
async function declarationFiles({ flags, positionals }: Arguments): Promise<ReadonlyMap<string, string>> {
  const options = { ...(await compileOptions(flags)), print: true };
  // As TypeScript, it leaves installed packages alone.
  const ignore = [...flags.all('ignore'), 'node_modules'];
  const load: LoadOptions = { version: languageVersion(flags), capabilities: options.capabilities, ignore };
  const asBundles = flags.on('bundle');
  const own = asBundles
    ? await loadBundles(positionals, load)
    : await loadPolicies(positionals, { ...load, onlyRego: true });
  const beside = flags.has('data') ? await loadPolicies(flags.all('data'), load) : { parsed: [], data: {} };
  const documents = new MemoryStore(asBundles ? own.data : beside.data);
  const dataExists = (path: readonly string[]) => documents.occupied(path);
  const parsed = [...beside.parsed, ...own.parsed];
  const compiled = compileOrThrow({ modules: modulesByFile(parsed), options: { ...options, dataExists } });
  const engine = flags.text('engine');
  if (engine === undefined) return filesBeside(own.parsed, compiled);
  const { engineDeclarations } = await import('../../library/modules/types/engine-declarations.js');
  const { mapTitle } = await import('../../library/modules/types/file-title.js');
  return new Map([[engine, engineDeclarations(compiled, mapTitle)]]);
}

async function filesBeside(parsed: readonly ParsedFile[], compiled: Compiled): Promise<ReadonlyMap<string, string>> {
  const { declarationPath, declarationsOfFile } = await import('../../library/modules/declaration-files.js');
  const files = parsed.filter(({ file }) => file.path.endsWith('.rego') && !file.path.endsWith('_test.rego'));
  return new Map(files.map(({ name, file }) => [declarationPath(file.path), declarationsOfFile(compiled, name)]));
}
