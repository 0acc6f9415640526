/** What clients saw of replicas, and whether it fits the log of writes. */

/** Values by key. Each value is written once at most, so that it tells which write it is of. */
export type Values = Readonly<Record<string, number>>;

/** Times are of one monotonic clock. */
interface Call {
  readonly client: number;
  readonly start: number;
  readonly end: number;
}

export interface Write extends Call {
  readonly kind: 'write';
  readonly values: Values;
  /** That of its answer; undefined where it was refused, or nobody knows whether it was made. */
  readonly revision: number | undefined;
  readonly isRefused: boolean;
}

export interface Read extends Call {
  readonly kind: 'read';
  /** Whether it had to see all writes that were answered before. */
  readonly isStrong: boolean;
  /** The revision that it asked for at the least. */
  readonly atLeast: number;
  readonly revision: number;
  readonly values: Values;
}

export type History = readonly (Write | Read)[];

/** What is written by the entries of revisions 1, 2, … */
export type Log = readonly Values[];

/**
 * The violations of the guarantees in docs/storage.md, a sentence for each. Answered writes are in
 * the log once, each as a whole, and in the order of time; refused ones are not, and nothing else
 * is. A read has the state of its revision. Reads see what they asked for: what their client has
 * seen, or all that anyone has.
 */
export function violations(history: History, log: Log): string[] {
  const states = statesOf(log);
  const writes = history.filter((call) => call.kind === 'write');
  const found = [...doubled(log), ...foreign(writes, log)];
  for (const { client, values, revision, isRefused } of writes) {
    if (revision !== undefined && !isSame(values, log[revision - 1]))
      found.push(`the write of client ${client} with revision ${revision} is not in the log`);
    if (isRefused && log.some((entry) => isSame(values, entry))) found.push(`a refused write of client ${client} is in the log`);
  }
  for (const call of history) {
    if (call.kind !== 'read') continue;
    const { client, revision, atLeast, values } = call;
    if (!isSame(values, states[revision])) found.push(`client ${client} read another state than that of revision ${revision}`);
    if (revision < atLeast) found.push(`client ${client} asked for revision ${atLeast} and read ${revision}`);
  }
  return [...found, ...outOfOrder(history), ...fromTheFuture(history)];
}

/** Values that are in the log more than once. */
function doubled(log: Log): string[] {
  const seen = new Set<number>();
  return log.flatMap((values, i) =>
    Object.values(values).flatMap((value) => {
      if (seen.has(value)) return [`value ${value} was written again at revision ${i + 1}`];
      seen.add(value);
      return [];
    }),
  );
}

/** Entries that are not the whole of one client's write. */
function foreign(writes: readonly Write[], log: Log): string[] {
  const known = new Map(writes.flatMap(({ values }) => Object.values(values).map((value) => [value, values] as const)));
  return log.flatMap((entry, i) => {
    const write = known.get(Object.values(entry)[0] ?? Number.NaN);
    return write !== undefined && isSame(write, entry) ? [] : [`the entry of revision ${i + 1} is no write of a client`];
  });
}

function statesOf(log: Log): readonly Values[] {
  const states: Values[] = [{}];
  for (const entry of log) states.push({ ...states.at(-1), ...entry });
  return states;
}

/**
 * Writes and strong reads whose revision was seen before they began: by an answer to a write, or by
 * any read. A write comes after it, a strong read has at least that.
 */
function outOfOrder(history: History): string[] {
  const found: string[] = [];
  const ended = [...history].filter(({ revision }) => revision !== undefined).sort((a, b) => a.end - b.end);
  let [next, least] = [0, 0];
  for (const call of [...history].sort((a, b) => a.start - b.start)) {
    for (; next < ended.length && ended[next]!.end < call.start; next++) least = Math.max(least, ended[next]!.revision!);
    const { revision, client } = call;
    if (revision === undefined) continue;
    if (call.kind === 'write' && revision <= least)
      found.push(`a write of client ${client} has revision ${revision} after ${least} was seen`);
    if (call.kind === 'read' && call.isStrong && revision < least)
      found.push(`a strong read of client ${client} has revision ${revision} after ${least} was seen`);
  }
  return found;
}

/** Values that were read before their write began. */
function fromTheFuture(history: History): string[] {
  const began = new Map<number, number>();
  for (const call of history) if (call.kind === 'write') for (const value of Object.values(call.values)) began.set(value, call.start);
  return history.flatMap((call) => {
    if (call.kind !== 'read') return [];
    const early = Object.values(call.values).filter((value) => (began.get(value) ?? Number.POSITIVE_INFINITY) > call.end);
    return early.map((value) => `client ${call.client} read value ${value} before it was written`);
  });
}

function isSame(one: Values, other: Values | undefined): boolean {
  const keys = Object.keys(one);
  return other !== undefined && keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
