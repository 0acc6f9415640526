import { readdirSync, readFileSync, statSync } from 'node:fs';
import { type CompileCapabilities, formatText, parseModule, type RegoVersion } from '../../compiler/index.js';
import { joinPath } from '../../engine/index.js';
import { filePath } from '../../engine/node.js';
import { textOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import type { Command } from '../command.js';
import { capabilitiesFlag, givenCapabilities, v0Flag, v1Flag } from '../compile-flags.js';
import { CommandError, exitCodes } from '../exit.js';
import { type FlagValues, group } from '../flags.js';
import type { Io } from '../io.js';
import { coloredDifference, patchOf } from '../output/difference.js';
import { errorText } from '../output/error-output.js';
import { noteNoPolicies } from '../output/no-policies.js';
import { writeFile } from '../output/write-file.js';

export const fmtCommand: Command = {
  name: 'fmt',
  use: '[path [...]]',
  long: `Formats policies in the canonical layout.

The formatted text of each file is printed; -w writes it to the file. In a folder, all policies are formatted. Without a path, it formats standard input.

With --v0-v1 the output is valid in both versions of Rego. The files are read as version 0, or with --v1-compatible as version 1.`,
  examples: [
    ['Format all policies of a folder', 'writ fmt -w policies'],
    ['Show what would change', 'writ fmt -d policies'],
    ['Fail in CI if a file is not formatted', 'writ fmt --list --fail policies'],
    ['Format what an editor sends', 'cat policies/authz.rego | writ fmt'],
    ['Rewrite policies of version 0 for version 1', 'writ fmt -w --v0-v1 old'],
  ],
  flags: [
    ...group(
      'Output',
      { name: 'write', short: 'w', type: 'bool', usage: 'write the result to the file' },
      { name: 'diff', short: 'd', type: 'bool', usage: 'show what would change' },
      { name: 'no-color', type: 'bool', usage: 'with --diff: print a patch without colours, for the command patch' },
      { name: 'list', short: 'l', type: 'bool', usage: 'print the names of files that would change' },
      { name: 'fail', type: 'bool', usage: 'exit with an error if a file would change' },
      {
        name: 'check-result',
        type: 'bool',
        usage: 'parse the result again, to be sure that it is valid',
        default: 'true',
      },
    ),
    ...group(
      'Version of the language',
      v0Flag,
      v1Flag,
      { name: 'v0-v1', type: 'bool', usage: 'write policies that are valid in both versions of Rego' },
      { name: 'rego-v1', type: 'bool', usage: 'the older name of --v0-v1' },
      { name: 'drop-v0-imports', type: 'bool', usage: 'leave out imports that only version 0 needs, such as rego.v1' },
      capabilitiesFlag,
    ),
  ],
  showsProgress: true,
  async run({ flags, positionals }, io) {
    const capabilities = await givenCapabilities(flags);
    const format = formatter(flags, capabilities);
    if (positionals.length === 0) {
      try {
        io.stdout(format('stdin', textOfFile(io.stdin())));
        return exitCodes.ok;
      } catch (error) {
        throw new CommandError(errorText(error, io));
      }
    }
    let formatted = 0;
    io.progress?.stage('formatting policies');
    for (const given of positionals)
      for (const path of policyFiles(given)) {
        formatFile(path, format, flags, io, capabilities);
        io.progress?.advance();
        formatted++;
      }
    if (formatted === 0) noteNoPolicies(io);
    return exitCodes.ok;
  },
};

type Formatter = (file: string, text: string) => string;

function formatter(flags: FlagValues, capabilities: CompileCapabilities | undefined): Formatter {
  const both = flags.on('v0-v1') || flags.on('rego-v1');
  const reads: 'v0' | 'v1' = flags.on('v0-compatible') || (both && !flags.on('v1-compatible')) ? 'v0' : 'v1';
  const writes: RegoVersion = both ? 'v0v1' : reads;
  const parse = { regoVersion: reads, ...(capabilities && { capabilities }) };
  const options = { ...(both && { to: writes }), dropV0Imports: flags.on('drop-v0-imports') };
  return (file, text) => formatText(file, text, parse, options);
}

/** The `.rego` files at a path, sorted. Links to directories below it are not followed. */
function* policyFiles(given: string): IterableIterator<string> {
  const path = filePath(given);
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    throw new CommandError(`lstat ${path}: ${systemProblem(error)}`);
  }
  if (isDirectory) yield* policiesBelow(path);
  else if (path.endsWith('.rego')) yield path;
}

function* policiesBelow(directory: string): IterableIterator<string> {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = joinPath(directory, entry.name);
    if (entry.isDirectory()) yield* policiesBelow(path);
    else if (path.endsWith('.rego')) yield path;
  }
}

function formatFile(
  path: string,
  format: Formatter,
  flags: FlagValues,
  io: Io,
  capabilities: CompileCapabilities | undefined,
): void {
  const text = textOfFile(readFileSync(path));
  let formatted: string;
  try {
    formatted = format(path, text);
  } catch (error) {
    throw failure(`failed to format Rego source file: ${errorText(error, io)}`);
  }
  if (!flags.has('check-result') || flags.on('check-result')) check(path, formatted, flags, capabilities);
  const changed = formatted !== text;
  const list = flags.on('list');
  const diff = flags.on('diff');
  if (changed && list) io.stdout(`${path}\n`);
  if (changed && diff && !list)
    io.stdout(flags.on('no-color') ? patchOf(path, text, formatted) : `${coloredDifference(text, formatted)}\n`);
  if (changed && flags.on('fail')) throw failure('unexpected diff');
  if (list || diff) return;
  if (flags.on('write')) {
    if (changed) writeFile(path, formatted);
  } else io.stdout(formatted);
}

function check(
  path: string,
  formatted: string,
  flags: FlagValues,
  capabilities: CompileCapabilities | undefined,
): void {
  const isOld = flags.on('v0-compatible') || flags.on('v0-v1') || flags.on('rego-v1');
  try {
    parseModule('formatted', formatted, {
      regoVersion: isOld ? 'v0' : 'v1',
      processAnnotations: false,
      ...(capabilities && { capabilities }),
    });
  } catch (error) {
    throw failure(
      `${path} was successfully formatted, but the result is invalid: ${(error as Error).message}\n\nTo inspect the formatted Rego, you can turn off this check with --check-result=false.`,
    );
  }
}

function failure(message: string): CommandError {
  return new CommandError(message, exitCodes.evaluationError);
}
