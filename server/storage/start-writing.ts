/** Writing as a configuration says: in memory, or over a log. */
import type { Engine } from '../../engine/index.js';
import type { ReplicaOptions } from './replica.js';
import type { StorageConfig } from './storage-config.js';
import { MemoryWriting, type Writing } from './writing.js';

/** Writing that has begun. */
export interface Started {
  readonly writing: Writing;
  /** Resolves when nothing goes on any more. */
  stop(): Promise<void>;
}

/**
 * Brings an engine, which has the files' policies and documents, to the head of the log, if there
 * is one, and follows it. Rejects with a StorageError.
 */
export async function startWriting(
  { log, ...config }: StorageConfig,
  context: Pick<ReplicaOptions, 'logger' | 'release'> & { readonly engine: Engine },
): Promise<Started> {
  if (log === undefined) return { writing: new MemoryWriting(context.engine), stop: async () => undefined };
  const [{ logOf }, { Replica }] = await Promise.all([import('./open-log.js'), import('./replica.js')]);
  const replica = new Replica({ ...config, ...context, ...(await logOf(log)) });
  try {
    await replica.start();
  } catch (error) {
    await replica.stop();
    throw error;
  }
  return { writing: replica, stop: () => replica.stop() };
}
