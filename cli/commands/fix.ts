import { mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { CompileErrors } from '../../compiler/index.js';
import { countedNoun } from '../../values/index.js';
import type { Arguments } from '../args.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import { group } from '../flags.js';
import type { Io } from '../io.js';
import { ruleFlags } from '../lint/lint-flags.js';
import type { PlacedFix } from '../lint/moves.js';
import { patchOf } from '../output/difference.js';
import { errorText } from '../output/error-output.js';
import { writeFile } from '../output/write-file.js';

export const fixCommand: Command = {
  name: 'fix',
  use: '<path> [path [...]]',
  long: `Fixes findings of lint that can be fixed, in the files.

A fix never changes what a policy decides. With --hints, errors are mended before: a name that is misspelt, a word that version 1 wants, syntax of other languages; a change stays only if its error is gone. Files move to the directories of their package, below the nearest root: a directory with .regal or .manifest, a root of the configuration, or a path that is given.`,
  examples: [
    ['Show what would change, as a patch', 'writ fix --dry-run policies'],
    ['Mend errors as their hints say', 'writ fix --hints --dry-run policies'],
    ['Fix one kind of finding', 'writ fix -D -e no-whitespace-comment --dry-run policies'],
  ],
  flags: [
    ...ruleFlags,
    ...group(
      'Output',
      { name: 'dry-run', short: 'n', type: 'bool', usage: 'change nothing: print a patch' },
      { name: 'hints', type: 'bool', usage: 'mend errors too, where their hint names the change' },
      { name: 'verbose', short: 'v', type: 'bool', usage: 'print the whole texts' },
      {
        name: 'on-conflict',
        type: ['error', 'rename'],
        usage: 'what to do where a file moves onto another',
        default: 'error',
      },
      { name: 'format', short: 'f', type: ['pretty'], usage: 'form of the report', default: 'pretty' },
      { name: 'output-file', short: 'o', type: 'string', usage: 'write the report to this file' },
      { name: 'no-color', type: 'bool', usage: 'for scripts that give it: there are no colours' },
      { name: 'force', type: 'bool', usage: 'fix files too whose changes are not committed to git' },
      { name: 'timeout', type: 'duration', usage: 'give up after this time' },
    ),
  ],
  async run(args, io) {
    if (args.positionals.length === 0) throw usageError('at least one file or directory must be provided for fixing');
    try {
      const path = args.flags.text('output-file');
      if (path === undefined) return await fixPaths(args, io);
      let text = '';
      const exit = await fixPaths(args, { ...io, stdout: (part) => void (text += part) });
      writeFile(path, text);
      return exit;
    } catch (error) {
      if (error instanceof CompileErrors)
        throw new CommandError(`error(s) encountered while fixing: ${errorText(error, io)}`);
      throw error;
    }
  },
};

/** Fixes the policies at some paths. */
export async function fixPaths(args: Arguments, io: Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'env'>): Promise<number> {
  const { flags, positionals } = args;
  const { fixSources } = await import('../lint/lint-paths.js');
  const { placedFixes, conflictsText, packageRoots } = await import('../lint/moves.js');
  const { fixed, config, root } = await fixSources(args, io);
  const roots = packageRoots(
    positionals,
    config.roots.map(({ path }) => path),
    root,
  );
  const { fixes, conflicts } = placedFixes(fixed, roots, flags.text('on-conflict') === 'rename');
  if (conflicts.length > 0) {
    io.stdout(conflictsText(conflicts));
    return exitCodes.failure;
  }
  const changed = fixes.filter(({ fixed, from, to }) => fixed.fixes.length > 0 || from !== to);
  const isDry = flags.on('dry-run');
  if (!isDry && !flags.on('force')) await refuseUncommitted(changed.map(({ from }) => from));
  if (changed.length > 0) {
    if (isDry) io.stdout('Dry run mode enabled, the following changes would be made:\n');
    if (flags.on('verbose')) io.stdout(changed.map(verboseText).join(''));
    else if (isDry) io.stdout(changed.map(patchText).join(''));
    if (!isDry) write(changed);
  }
  io.stdout(summaryText(changed, isDry));
  return exitCodes.ok;
}

/** A fix of a file that is not committed could not be taken back. */
async function refuseUncommitted(files: readonly string[]): Promise<void> {
  const { uncommitted } = await import('../lint/uncommitted.js');
  const found = uncommitted(files).map((file) => relative(process.cwd(), file));
  if (found.length > 0)
    throw new CommandError(
      `nothing was fixed: these files have changes that are not committed (--force of writ fix fixes them):\n${found.map((file) => `\t${file}`).join('\n')}`,
    );
}

function summaryText(changed: readonly PlacedFix[], isDry: boolean): string {
  const count = changed.reduce((sum, fix) => sum + namesOf(fix).length, 0);
  if (count === 0) return `No fixes ${isDry ? 'to apply' : 'applied'}.\n`;
  const groups = [...Map.groupBy(changed, ({ root }) => root)].map(
    ([root, list]) => `In project root: ${root}\n${list.map(fileText).join('')}`,
  );
  return `${countedNoun(count, 'fix').replace('fixs', 'fixes')} ${isDry ? 'to apply' : 'applied'}:\n${groups.join('')}`;
}

function namesOf({ fixed, from, to }: PlacedFix): readonly string[] {
  return from === to ? fixed.fixes : ['directory-package-mismatch', ...fixed.fixes];
}

function fileText(fix: PlacedFix): string {
  const { root, from, to } = fix;
  const name = relative(root, from) + (from === to ? '' : ` -> ${relative(root, to)}`);
  return `${name}:\n${namesOf(fix)
    .map((rule) => `- ${rule}\n`)
    .join('')}`;
}

function verboseText({ fixed, from, to }: PlacedFix): string {
  return `Set: ${to} to:\n ${fixed.text}\n----------\n${from === to ? '' : `Delete: ${from}\n`}`;
}

/**
 * A patch for `git apply` and `patch -p1` in this directory, or in the root where the file stands
 * outside. A file that moves is deleted in one place and made in the other.
 */
function patchText({ fixed, root, from, to }: PlacedFix): string {
  const { text: before } = fixed.source;
  const here = relative(process.cwd(), from);
  const start = here.startsWith('..') ? root : process.cwd();
  const patch = (path: string, old: string, text: string, isGone: boolean, isNew: boolean): string =>
    patchOf(relative(start, path), old, text)
      .replace(/^--- (.*)$/m, (_, name) => `--- ${isNew ? '/dev/null' : `a/${name}`}`)
      .replace(/^\+\+\+ (.*)$/m, (_, name) => `+++ ${isGone ? '/dev/null' : `b/${name}`}`);
  if (from === to) return patch(from, before, fixed.text, false, false);
  return patch(from, before, '', true, false) + patch(to, '', fixed.text, false, true);
}

/** Writes the files, and removes the old ones with the directories that become empty. */
function write(changed: readonly PlacedFix[]): void {
  for (const { from, to } of changed) if (from !== to) rmSync(from);
  for (const { fixed, to } of changed) {
    mkdirSync(dirname(to), { recursive: true });
    writeFile(to, fixed.text);
  }
  for (const { from, to, root } of changed) {
    for (
      let directory = dirname(from);
      from !== to && directory.startsWith(`${root}/`);
      directory = dirname(directory)
    ) {
      if (readdirSync(directory).length > 0) break;
      rmdirSync(directory);
    }
  }
}
