/** The files of this machine, for the language service. */

import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { lenientTextOfFile } from '../../values/index.js';
import type { WorkspaceHost } from '../../views/index.js';

/** Folders without policies of the project. */
const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git', '.idea', '.vscode', '.regal', '.svn', '.hg']);

/** The endings of policies and documents. */
const endings = /\.(?:rego|json|ya?ml)$/;

/** Longer documents are not read: a policy has some kilobytes. */
const longestFile = 16 * 1024 * 1024;

export const nodeFiles: WorkspaceHost = {
  async *list(folder) {
    const path = localPath(folder);
    if (path !== undefined) yield* filesBelow(path);
  },
  async read(uri) {
    const path = localPath(uri);
    return path === undefined ? undefined : await readFile(path).then(bounded, () => undefined);
  },
  readNow(uri) {
    const path = localPath(uri);
    try {
      return path === undefined ? undefined : bounded(readFileSync(path));
    } catch {
      return undefined;
    }
  },
};

function bounded(bytes: Uint8Array): string | undefined {
  return bytes.length > longestFile ? undefined : lenientTextOfFile(bytes);
}

function localPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!leftOut.has(entry.name)) yield* filesBelow(path);
    } else if (endings.test(entry.name)) yield pathToFileURL(path).href;
  }
}
