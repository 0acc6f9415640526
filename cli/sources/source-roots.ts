/** `--source-root`: where on this machine the files are that plans and bundles name. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOfFile } from '../../values/index.js';
import type { Flag } from '../flags.js';

export const sourceRootFlag: Flag = {
  name: 'source-root',
  type: 'string',
  repeated: true,
  usage: 'where the sources are that plans name: a folder, or FROM=TO for names that begin with FROM',
};

/** Names of files that begin with `from` are below `to`. */
export interface SourceRoot {
  readonly from: string;
  readonly to: string;
}

/** Reads `FROM=TO`, or a folder, below which a file may stand by any end of its name. */
export function sourceRoots(texts: readonly string[]): readonly SourceRoot[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    return at < 0 ? { from: '', to: text } : { from: bare(text.slice(0, at)), to: text.slice(at + 1) };
  });
}

/**
 * Where a file may be, best first: below the roots, by its own name, below the folders, and below
 * the working directory where the name is one inside an archive.
 * @param folders where the plan is
 */
export function pathsBelowRoots(
  name: string,
  roots: readonly SourceRoot[],
  folders: readonly string[],
): readonly string[] {
  const path = bare(name);
  const inRoots = roots.flatMap(({ from, to }) => {
    if (from === '') return endsOf(path).map((end) => join(to, end));
    if (path !== from && !path.startsWith(`${from}/`)) return [];
    return [join(to, path.slice(from.length))];
  });
  return [
    ...new Set([
      ...inRoots,
      name.startsWith('file:') ? `/${path}` : name,
      ...folders.map((folder) => join(folder, path)),
      path,
    ]),
  ];
}

/** The text of a policy's file, if it is one. Bundles may name files as they like. */
export function policyText(path: string): string | undefined {
  try {
    // A pipe would not end.
    if (!path.endsWith('.rego') || !existsSync(path) || !statSync(path).isFile()) return undefined;
    return textOfFile(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** `a/b/c`, `b/c`, `c`. */
function endsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(i).join('/'));
}

/** A name without the marks of its root, such as `/`, `./`, `C:\` and `file://`. */
function bare(name: string): string {
  const path = name.startsWith('file:') ? pathOfUrl(name) : posixPath(name);
  return path.replace(/^(?:\.?\/+)+/, '').replace(/\/+$/, '');
}

/** Compilers on Windows write `C:\ci\authz.rego`, which is no name elsewhere. */
function posixPath(name: string): string {
  return name.includes('\\') ? name.replace(/^[A-Za-z]:/, '').replaceAll('\\', '/') : name;
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url.slice('file:'.length);
  }
}
