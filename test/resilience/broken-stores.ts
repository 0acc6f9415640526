/**
 * Faults of a store, on purpose: replicas that load this module first keep their log of writes in a
 * wrong way. The checker must find each.
 */
import { entryOf, storedEntry } from '../../server/storage/entry.js';
import { PostgresLog } from '../../server/storage/postgres/postgres-log.js';
import type { LogPosition, StoredEntry } from '../../server/storage/write-log.js';

const { append, head } = PostgresLog.prototype;

const faults: Readonly<Record<string, () => void>> = {
  /** Some entries count as appended, and are not. */
  loses() {
    PostgresLog.prototype.append = async function (this: PostgresLog, after: LogPosition, entry: StoredEntry) {
      return Math.random() < 0.1 || (await append.call(this, after, entry));
    };
  },
  /** An entry is appended again, as where a write is repeated whose answer was lost. */
  repeats() {
    PostgresLog.prototype.append = async function (this: PostgresLog, after: LogPosition, entry: StoredEntry) {
      const isAppended = await append.call(this, after, entry);
      if (isAppended && Math.random() < 0.1) await append.call(this, entry, await storedEntry(entry, await entryOf(entry, after)));
      return isAppended;
    };
  },
  /** The head is that of some time ago. */
  lags() {
    let known: { readonly position: LogPosition; readonly time: number } | undefined;
    PostgresLog.prototype.head = async function (this: PostgresLog) {
      if (known === undefined || performance.now() - known.time > 500) known = { position: await head.call(this), time: performance.now() };
      return known.position;
    };
  },
};

const fault = process.env.WRIT_BROKEN_STORE ?? '';
if (faults[fault] === undefined) throw new Error(`WRIT_BROKEN_STORE must be one of ${Object.keys(faults).join(', ')}`);
faults[fault]();
