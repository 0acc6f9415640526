/** Policies in a revision of a git repository: `main:policies`, read by git itself. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { type BundleFile, defaultLimits } from '../../engine/index.js';
import { ignoring } from '../../engine/node.js';

/** A revision and a path in it. */
export interface GitPlace {
  readonly revision: string;
  /** From the repository's root, or from the current folder where it begins with `./`. */
  readonly path: string;
}

/** The place that an argument names; undefined for a path on disk or a URL. */
export function gitPlaceOf(given: string): GitPlace | undefined {
  const colon = given.indexOf(':');
  if (colon <= 0 || existsSync(given) || /^[a-z][a-z0-9+.-]+:\/\//i.test(given) || /^[A-Za-z]:[\\/]/.test(given))
    return undefined;
  return { revision: given.slice(0, colon), path: given.slice(colon + 1) };
}

/** The files at a place: one with an empty name for a file, those of a folder by their names. */
export function gitFiles(place: GitPlace, ignore: readonly string[]): readonly BundleFile[] {
  const { revision, path } = place;
  if (revision.startsWith('-')) throw new Error(`${revision} is no revision`);
  const commit = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`]);
  if (commit.status !== 0) throw new Error(unknownRevision(revision, commit.stderr));
  const object = `${revision}:${path}`;
  const type = git(['cat-file', '-t', object]);
  if (type.status !== 0)
    throw new Error(`revision ${revision} has no ${path}: ${firstLine(type.stderr) || 'the path is not in it'}`);
  if (type.stdout.toString().trim() === 'blob') {
    const [bytes] = contentsOf([object]);
    return [{ name: '', bytes: bytes! }];
  }
  const listed = git(['ls-tree', '-r', '-z', '--full-tree', object]);
  if (listed.status !== 0) throw new Error(firstLine(listed.stderr));
  const ignored = ignoring(ignore);
  const entries = entriesOf(listed.stdout).filter(({ name }) => !name.split('/').some(ignored) && isOfBundle(name));
  const contents = contentsOf(entries.map(({ id }) => id));
  return entries.map(({ name }, i) => ({ name: `/${name}`, bytes: contents[i]! }));
}

/** The files that a bundle reads: others, which may be large, are left out. */
function isOfBundle(name: string): boolean {
  const base = basename(name);
  return (
    base.endsWith('.rego') ||
    base.endsWith('.manifest') ||
    /^(?:data\.(?:json|ya?ml)|.*\.json|policy\.wasm)$/.test(base)
  );
}

/** The regular files of a listing; links and submodules have no text of their own. */
function entriesOf(listing: Uint8Array): { readonly name: string; readonly id: string }[] {
  return Buffer.from(listing)
    .toString()
    .split('\0')
    .flatMap((entry) => {
      const found = /^(100644|100755|100664) blob ([0-9a-f]+)\t([\s\S]+)$/.exec(entry);
      return found === null ? [] : [{ name: posix.normalize(found[3]!), id: found[2]! }];
    });
}

/** The contents of objects, by one process. */
function contentsOf(objects: readonly string[]): readonly Uint8Array[] {
  if (objects.length === 0) return [];
  const { stdout, status, stderr } = git(['cat-file', '--batch'], `${objects.join('\n')}\n`);
  if (status !== 0) throw new Error(firstLine(stderr));
  const found: Uint8Array[] = [];
  let at = 0;
  for (const object of objects) {
    const end = stdout.indexOf(10, at);
    const size = Number(/ blob (\d+)$/.exec(stdout.subarray(at, end).toString())?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git has no content of ${object}`);
    found.push(new Uint8Array(stdout.subarray(end + 1, end + 1 + size)));
    at = end + 2 + size;
  }
  return found;
}

function unknownRevision(revision: string, said: string): string {
  const cause = firstLine(said);
  return cause === '' ? `there is no revision ${revision} in this repository` : `revision ${revision}: ${cause}`;
}

interface GitResult {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git. Throws an Error where there is none. */
function git(args: readonly string[], input = ''): GitResult {
  const { error, status, stdout, stderr } = spawnSync('git', args, { input, maxBuffer: defaultLimits.size });
  if (error === undefined) return { status, stdout, stderr: stderr.toString() };
  const { code } = error as NodeJS.ErrnoException;
  throw new Error(code === 'ENOENT' ? 'a revision is read by git, which is not installed' : `git: ${error.message}`);
}

function firstLine(text: string): string {
  return text
    .trim()
    .split('\n')[0]!
    .replace(/^fatal: /, '');
}
