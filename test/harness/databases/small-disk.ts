/** A file system of its own, of some megabytes in memory, which tests fill. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** From now on nobody finds space. */
  fill(): void;
  free(): void;
  /** Ends it, with all that is on it. */
  unmount(): void;
}

/** Undefined where this process may not mount file systems; then one line says so. */
export function smallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'writ-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${Math.round(megabytes * 1024)}k`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    console.log('this process may not mount a file system: full disks are not tested');
    return undefined;
  }
  const filler = join(folder, 'filler');
  const unmount = () => {
    process.off('exit', unmount);
    // The folder is free at once, its memory as soon as nobody has a file open.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  process.once('exit', unmount);
  return { folder, fill: () => fill(filler), free: () => rmSync(filler, { force: true }), unmount };
}

function fill(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let size = 1024 * 1024; size >= 1; size >>= 1) fillInParts(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

/** Returns once a part of this size finds no space. */
function fillInParts(file: number, part: Buffer): void {
  try {
    for (;;) writeSync(file, part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
