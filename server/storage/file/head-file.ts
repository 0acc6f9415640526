/**
 * The last position that was answered, in a file beside the database. SQLite drops what follows the
 * first damaged page of its write-ahead file without a word, and begins anew where files are gone.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { checksumOf } from '../entry.js';
import type { LogPosition } from '../write-log.js';

/** Records lie in turn in these: one that is torn, or of another process, hides no other. */
const slots = 16;
/** Bytes that a disk writes whole. */
const slotBytes = 512;

export class HeadFile {
  readonly #path: string;
  #file: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get isThere(): boolean {
    return existsSync(this.#path);
  }

  /** The newest position that was noted; undefined where none was. */
  read(): LogPosition | undefined {
    const bytes = readFileSync(this.#path);
    let newest: LogPosition | undefined;
    for (let slot = 0; slot < slots; slot++) {
      const found = positionOf(bytes.subarray(slot * slotBytes, (slot + 1) * slotBytes).toString('latin1'));
      if (found !== undefined && found.revision > (newest?.revision ?? -1)) newest = found;
    }
    return newest;
  }

  /** Makes the file, whole or not at all. */
  make(position: LogPosition): void {
    const draft = `${this.#path}.new`;
    const file = openSync(draft, 'w', 0o600);
    try {
      writeSync(file, Buffer.alloc(slots * slotBytes, ' '));
      this.#write(file, position);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
    renameSync(draft, this.#path);
    syncDirectory(dirname(this.#path));
  }

  /** Notes a position before it is answered. It is on the disk when this returns. */
  note(position: LogPosition): void {
    this.#file ??= openSync(this.#path, 'r+');
    this.#write(this.#file, position);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(file: number, position: LogPosition): void {
    const record = recordOf(position).padEnd(slotBytes - 1);
    writeSync(file, Buffer.from(`${record}\n`, 'latin1'), 0, slotBytes, (position.revision % slots) * slotBytes);
    fdatasyncSync(file);
  }
}

function recordOf({ revision, checksum }: LogPosition): string {
  const said = `${revision} ${checksum}`;
  return `${said} ${checksumOf(said)}`;
}

/** Undefined for a slot that is empty or torn. */
function positionOf(slot: string): LogPosition | undefined {
  const [revision = '', checksum = ''] = slot.split(' ');
  const position = { revision: Number(revision), checksum };
  return slot.trimEnd() === recordOf(position) ? position : undefined;
}

/** The name of a new file is on the disk, too. Some systems cannot open directories. */
function syncDirectory(path: string): void {
  let directory: number;
  try {
    directory = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(directory);
  } catch {
    // Windows.
  } finally {
    closeSync(directory);
  }
}
