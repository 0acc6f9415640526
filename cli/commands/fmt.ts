import { readdirSync, readFileSync, statSync } from 'node:fs';
import { filePath, systemProblem } from '../../bundle/disk/file-path.js';
import { joinPath } from '../../bundle/paths.js';
import type { RegoVersion } from '../../compiler/ast/nodes.js';
import { formatText } from '../../compiler/format/format.js';
import type { CompileCapabilities } from '../../compiler/resolve/options.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { textOfFile } from '../../values/text/utf8.js';
import type { Command } from '../command.js';
import { capabilitiesFlag, givenCapabilities, v0Flag, v1Flag } from '../compile-flags.js';
import { CommandError, exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { coloredDifference, patchOf } from '../output/difference.js';
import { errorText } from '../output/error-output.js';
import { noteNoPolicies } from '../output/no-policies.js';
import { writeFile } from '../output/write-file.js';

export const fmtCommand: Command = {
  name: 'fmt',
  use: '[path [...]]',
  short: 'Format Rego source files',
  long: `Format Rego source files.

Writes policies in the canonical layout.

The command prints the formatted text of files, and of all policies below directories. Without a path it
reads standard input.

    -w        write each result to its file instead
    -d        print a diff in colors instead; with --no-color a patch
    -l        print the names of the files that would change, and nothing else
    --fail    exit with an error if a file would change

With --v0-compatible files are read and written as version 0 of the language; with --v0-v1
they are read as version 0 (with --v1-compatible as well: version 1) and written so that they are good in both.`,
  flags: [
    capabilitiesFlag,
    {
      name: 'check-result',
      type: 'bool',
      usage: 'parse the formatted text again to be sure that it is valid',
      default: 'true',
    },
    { name: 'diff', short: 'd', type: 'bool', usage: 'show what would change, as a diff' },
    {
      name: 'drop-v0-imports',
      type: 'bool',
      usage: 'leave out imports that only Rego v0 needs, such as rego.v1',
    },
    { name: 'fail', type: 'bool', usage: 'exit with an error if a file is not formatted' },
    { name: 'list', short: 'l', type: 'bool', usage: 'show the names of files that are not formatted' },
    { name: 'no-color', type: 'bool', usage: 'with --diff: print a patch without colors, as the patch command reads it' },
    { name: 'rego-v1', type: 'bool', usage: 'the older name of --v0-v1' },
    v0Flag,
    { name: 'v0-v1', type: 'bool', usage: 'write policies that mean the same in Rego v0 and v1' },
    v1Flag,
    { name: 'write', short: 'w', type: 'bool', usage: 'write the result to the file' },
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

function formatFile(path: string, format: Formatter, flags: FlagValues, io: Io, capabilities: CompileCapabilities | undefined): void {
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

function check(path: string, formatted: string, flags: FlagValues, capabilities: CompileCapabilities | undefined): void {
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
