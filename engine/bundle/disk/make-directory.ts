/** Directories that are made with those above them. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory, unless it is there. Throws an error of the file system.
 *
 * Node's own option for it tries forever where the system answers that nothing is there although
 * the directory above is, as below /proc.
 * @param mode of all directories that are made
 */
export function makeDirectory(path: string, mode = 0o777): void {
  if (isDirectory(path)) return;
  const above = dirname(path);
  if (above !== path) makeDirectory(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isDirectory(path)) throw error;
  }
}

/** Whether a path is a directory, also through a link. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
