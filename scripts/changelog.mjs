// Checks that a branch tells of its changes: node scripts/changelog.mjs origin/main
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders and files whose changes users do not notice. */
const beside =
  /^(?:scripts|test|bench|fixtures|\.|CONTRIBUTING\.md|biome\.json|tsconfig|vitest\.)|\.test\.[a-z]+$|^docs\//;

/**
 * The complaint about a branch; undefined where there is none.
 * @param {readonly string[]} changed paths of the files that it changes
 * @param {string} before the changelog where it began
 * @param {string} after its own
 * @param {string} messages of its commits
 */
export function missingEntry(changed, before, after, messages) {
  const noticed = changed.filter((path) => !beside.test(path) && path !== 'CHANGELOG.md');
  if (noticed.length === 0 || /^Changelog: none$/m.test(messages)) return undefined;
  const known = new Set(entriesOf(before));
  if (entriesOf(after).some((entry) => !known.has(entry))) return undefined;
  return `CHANGELOG.md has no new entry, though ${noticed[0]} is changed: add one, or a line "Changelog: none" to a commit's body`;
}

/** The entries of all releases, each in one line. */
function entriesOf(changelog) {
  return [...changelog.matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([entry]) => entry.replaceAll(/\s+/g, ' '));
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const base = git('merge-base', process.argv[2] ?? 'origin/main', 'HEAD').trim();
  const complaint = missingEntry(
    git('diff', '--name-only', base, 'HEAD').split('\n').filter(Boolean),
    git('show', `${base}:CHANGELOG.md`),
    readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    git('log', '--format=%B', `${base}..HEAD`),
  );
  if (complaint !== undefined) {
    console.error(complaint);
    process.exitCode = 1;
  }
}
