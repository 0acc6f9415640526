/** The lines that have changed since a revision of git. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { CommandError } from '../../exit.js';

/** Rows of changed lines; a whole file where it is new. */
type ChangedRows = readonly { readonly from: number; readonly to: number }[] | 'all';

/**
 * Whether a range of rows of a file touches a line that is new or different since a revision, in
 * the commits and in the files as they are.
 * @throws CommandError where git cannot say
 */
export function changedSince(revision: string): (file: string, row: number, endRow: number) => boolean {
  const known = new Map<string, ChangedRows>();
  return (file, row, endRow) => {
    let rows = known.get(file);
    if (rows === undefined) known.set(file, (rows = changedRows(file, revision)));
    return rows === 'all' || rows.some(({ from, to }) => row <= to && endRow >= from);
  };
}

function changedRows(file: string, revision: string): ChangedRows {
  const path = resolve(file);
  const directory = realpathSync(dirname(path));
  const root = git(['rev-parse', '--show-toplevel'], directory).trim();
  const name = relative(realpathSync(root), resolve(directory, path.slice(dirname(path).length + 1)));
  // Names may look like options, and revisions too.
  const commit = git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`],
    root,
    revision,
  ).trim();
  const isTracked = git(['ls-files', '--', name], root) !== '';
  if (!isTracked) return 'all';
  const text = git(['diff', '--unified=0', '--no-color', '--no-ext-diff', '--no-renames', commit, '--', name], root);
  return [...text.matchAll(/^@@ -\S+ \+(?<from>\d+)(?:,(?<count>\d+))? @@/gm)].flatMap(({ groups }) => {
    const from = Number(groups?.from);
    const count = groups?.count === undefined ? 1 : Number(groups.count);
    // Where lines are only gone, those around the gap have changed their neighbour.
    return count === 0 ? [{ from, to: from + 1 }] : [{ from, to: from + count - 1 }];
  });
}

function git(args: readonly string[], cwd: string, revision?: string): string {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    if (code === 'ENOENT') throw new CommandError('--since needs git, which is not installed');
    if (revision !== undefined) throw new CommandError(`--since: git knows no commit ${JSON.stringify(revision)}`);
    const [first = 'git failed'] = (stderr ?? '').trim().split('\n');
    throw new CommandError(`--since: ${first}`);
  }
}
