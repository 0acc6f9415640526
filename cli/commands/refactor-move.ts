import { compileOrThrow, formatText } from '../../compiler/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { ignoreFlag, languageVersion, v0Flag, v1Flag } from '../compile-flags.js';
import { CommandError, exitCodes } from '../exit.js';
import type { Io } from '../io.js';
import { loadPolicies, modulesByFile, type ParsedFile, parseLoose } from '../load-policies.js';
import { errorText } from '../output/error-output.js';
import { writeFile } from '../output/write-file.js';
import { parseMapping } from '../refactor/mapping.js';
import { movedText } from '../refactor/move.js';

export const refactorMoveCommand: Command = {
  name: 'refactor move',
  use: '<path> [path [...]]',
  long: `Moves packages, and changes the references to them. The policies are printed, or with -w written to their files. Nothing changes if the policies would not compile after the move.`,
  examples: [
    ['Show a move', 'writ refactor move -p data.lib:data.shared.lib policies'],
    [
      'Write two moves to the files',
      'writ refactor move -w -p data.authz:data.access.authz -p data.lib:data.shared.lib policies',
    ],
  ],
  flags: [
    ignoreFlag,
    { name: 'path', short: 'p', type: 'strings', usage: 'what to move: <from>:<to> (repeatable)' },
    v0Flag,
    v1Flag,
    { name: 'write', short: 'w', type: 'bool', usage: 'write the policies to their files' },
  ],
  async run(args, io) {
    try {
      await move(args, io);
      return exitCodes.ok;
    } catch (error) {
      throw new CommandError(`error: ${errorText(error, io)}`);
    }
  },
};

async function move({ flags, positionals }: Arguments, io: Io): Promise<void> {
  const mappings = flags.all('path').map(parseMapping);
  if (mappings.length === 0) throw new Error('specify at least one mapping of the form <from>:<to>');
  if (positionals.length === 0) throw new Error('specify at least one path');
  const load = { version: languageVersion(flags), ignore: flags.all('ignore'), onlyRego: true };
  const { parsed } = await loadPolicies(positionals, load);
  const files = byPath(parsed).map(({ file, module }) => ({ ...file, text: movedText(module, mappings) }));
  const moved = parseLoose(files, load);
  compileOrThrow({ modules: modulesByFile(moved) });
  // All texts are formatted before the first is written: an error leaves the files as they are.
  for (const { path, text } of moved.map((each) => ({ path: each.file.path, text: formattedText(each) }))) {
    if (flags.on('write')) writeFile(path, text);
    else io.stdout(text);
  }
}

/** Each file once, in the order of the paths. */
function byPath(parsed: readonly ParsedFile[]): ParsedFile[] {
  return [...new Map(parsed.map((each) => [each.file.path, each])).values()].sort((a, b) =>
    a.file.path < b.file.path ? -1 : 1,
  );
}

function formattedText({ file, module: { regoVersion } }: ParsedFile): string {
  return formatText(file.path, file.text, { regoVersion: regoVersion === 'v1' ? 'v1' : 'v0' });
}
