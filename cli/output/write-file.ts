import { writeFileSync } from 'node:fs';
import { systemProblem } from '../../values/node.js';

/** Writes a file. Throws an Error in Go's words for a system error. */
export function writeFile(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
}
