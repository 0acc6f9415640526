/** A ConfigMap or Secret as the kubelet mounts it. */
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory, writeFiles } from '../disk.js';

/**
 * Files are links to `..data`, which is a link to a directory named for the time. An update writes
 * another directory, renames a new link to `..data`, and removes the old directory.
 */
export class MountedVolume {
  readonly path = join(temporaryDirectory(), 'volume');
  #updates = 0;

  constructor(files: { readonly [name: string]: string | Uint8Array }) {
    mkdirSync(this.path);
    this.update(files);
  }

  /** @param keepOld leaves the old directory, as programs do that follow a Git repository */
  update(files: { readonly [name: string]: string | Uint8Array }, keepOld = false): void {
    const directory = `..2026_11_22_${this.#updates++}`;
    writeFiles(join(this.path, directory), files);
    const old = this.#current();
    symlinkSync(directory, join(this.path, '..data_tmp'));
    renameSync(join(this.path, '..data_tmp'), join(this.path, '..data'));
    const names = new Set(Object.keys(files).map((name) => name.split('/')[0]!));
    for (const name of names) if (!this.#links().includes(name)) symlinkSync(join('..data', name), join(this.path, name));
    for (const name of this.#links()) if (!names.has(name)) rmSync(join(this.path, name));
    if (old !== undefined && !keepOld) rmSync(join(this.path, old), { recursive: true });
  }

  #current(): string | undefined {
    return this.#updates === 1 ? undefined : readlinkSync(join(this.path, '..data'));
  }

  #links(): string[] {
    return readdirSync(this.path).filter((name) => !name.startsWith('..'));
  }
}
