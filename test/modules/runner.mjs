import { fileURLToPath } from 'node:url';
import { TestRunner } from 'vitest';

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
  return error;
}
