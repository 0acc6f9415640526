import { writeFileSync } from 'node:fs';
import { systemProblem } from '../../runtime/bundle/disk/file-path.js';

/** Writes a file, or throws an Error in the words that Go has for what the system says. */
export function writeFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
