import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFiles } from '../disk.js';

/** A bundle of files as an archive, which the program `tar` writes. */
export function writeArchive(path: string, files: { readonly [name: string]: string }): string {
  const directory = mkdtempSync(join(tmpdir(), 'writ-archive-'));
  writeFiles(directory, files);
  execFileSync('tar', ['-czf', path, '-C', directory, '.']);
  rmSync(directory, { recursive: true });
  return path;
}
