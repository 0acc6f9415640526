/** Node's SQLite, which older releases of Node lack. */
import { StorageError } from '../storage-error.js';

export type Sqlite = typeof import('node:sqlite');

/**
 * Rejects with a StorageError where this Node has none.
 * @param user the part of writ that needs it
 */
export async function loadSqlite(load: () => Promise<Sqlite> = loadQuietly, user = 'storage.file'): Promise<Sqlite> {
  try {
    return await load();
  } catch (error) {
    const problem = `${user} needs node:sqlite, which Node ${process.version} does not have: ${(error as Error).message}`;
    throw new StorageError('storage_unsupported', problem);
  }
}

/** Node 22 warns that the module is experimental; its interface is the same in Node 24. */
async function loadQuietly(): Promise<Sqlite> {
  const warn = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) warn.call(process, warning, ...rest);
  };
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = warn;
  }
}
