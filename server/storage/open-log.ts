/** The log that a configuration names. */
import { LocalSnapshot } from './local-snapshot.js';
import type { StorageConfig } from './storage-config.js';
import type { WriteLog } from './write-log.js';

interface NamedLog {
  readonly log: WriteLog;
  /** Undefined where none is kept: a file is local itself. */
  readonly local: LocalSnapshot | undefined;
}

interface LogOptions {
  /** Whether the rest of a damaged log is read. */
  readonly salvages?: boolean;
}

/** It is not reached out for yet. */
export async function logOf(
  config: NonNullable<StorageConfig['log']>,
  { salvages = false }: LogOptions = {},
): Promise<NamedLog> {
  if ('file' in config) {
    const { FileLog } = await import('./file/file-log.js');
    return { log: new FileLog({ ...config.file, salvages }), local: undefined };
  }
  const { PostgresLog } = await import('./postgres/postgres-log.js');
  const { snapshotDirectory } = config.postgres;
  return {
    log: new PostgresLog(config.postgres),
    local: snapshotDirectory === undefined ? undefined : new LocalSnapshot(snapshotDirectory),
  };
}
