// Its import registers the hooks, for all files of a process: after those of vitest, whose own loader
// would tell its main process of every import.
import { fileURLToPath } from 'node:url';
import { TestRunner } from 'vitest';
import { lastLoaded } from './hooks.mjs';

export default class extends TestRunner {
  async importFile(path, source) {
    try {
      return await super.importFile(path, source);
    } catch (error) {
      throw withImporter(error);
    }
  }
}

/** The error, whose message tells which file imports a name that a module does not have. */
export function withImporter(error) {
  // Node writes the place at the head of the stack, of which vitest shows the functions alone.
  const [, url, line] = /^(file:\/\/.*)(:\d+)\n/.exec(error?.stack) ?? [];
  if (url !== undefined) error.message = `${fileURLToPath(url)}${line}: ${error.message}`;
  // A name that a module declares twice ends its compilation, right after it was loaded.
  else if (/^SyntaxError.*\n *at compileSourceTextModule /.test(error?.stack))
    error.message = `${fileURLToPath(lastLoaded())}: ${error.message}`;
  return error;
}
