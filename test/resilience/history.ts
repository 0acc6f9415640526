/** What clients saw of replicas, and whether it fits the log of writes. */

/** Values by key. Each value is written once at most, so that it tells which write it is of. */
export type Values = Readonly<Record<string, number>>;

/** Times are of one monotonic clock. */
interface Call {
  readonly client: number;
  readonly start: number;
  readonly end: number;
}

/** A write; without a revision nobody knows whether it was made. */
export interface Write extends Call {
  readonly kind: 'write';
  readonly values: Values;
  readonly revision: number | undefined;
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
 * The violations of the guarantees in docs/storage.md, a sentence for each: answered writes are in
 * the log once, each as a whole, and in the order of time. A read has the state of its revision.
 * Reads see what they asked for: their own writes, or all that was answered.
 */
export function violations(history: History, log: Log): string[] {
  const found = [...doubled(log)];
  const states = statesOf(log);
  const writes = history.filter((call) => call.kind === 'write');
  for (const write of writes) found.push(...wrongWrite(write, log));
  for (const call of history) {
    if (call.kind !== 'read') continue;
    const { client, revision, atLeast, values } = call;
    if (!isSame(values, states[revision])) found.push(`client ${client} read another state than that of revision ${revision}`);
    if (revision < atLeast) found.push(`client ${client} asked for revision ${atLeast} and read ${revision}`);
  }
  return [...found, ...outOfOrder(history)];
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

/** A write must be where its answer says; one without an answer is there whole, or not at all. */
function wrongWrite({ client, values, revision }: Write, log: Log): string[] {
  if (revision !== undefined)
    return isSame(values, log[revision - 1]) ? [] : [`the write of client ${client} with revision ${revision} is not in the log`];
  const places = Object.entries(values).map(([key, value]) => log.findIndex((entry) => entry[key] === value));
  return new Set(places).size > 1 ? [`a write of client ${client} is in the log by halves`] : [];
}

function statesOf(log: Log): readonly Values[] {
  const states: Values[] = [{}];
  for (const entry of log) states.push({ ...states.at(-1), ...entry });
  return states;
}

/**
 * Calls whose revisions contradict the order of time: of two writes, one after the other, the
 * later one has the higher revision. A strong read has at least the revision of each write and each
 * strong read before it. No read has a revision of a write that began after it.
 */
function outOfOrder(history: History): string[] {
  const found: string[] = [];
  const ended = [...history].filter(({ revision }) => revision !== undefined).sort((a, b) => a.end - b.end);
  let [next, least] = [0, 0];
  for (const call of [...history].sort((a, b) => a.start - b.start)) {
    for (; next < ended.length && ended[next]!.end < call.start; next++) {
      const before = ended[next]!;
      if (before.kind === 'write' || before.isStrong) least = Math.max(least, before.revision!);
    }
    const { revision, client } = call;
    if (revision === undefined) continue;
    if (call.kind === 'write' && revision <= least)
      found.push(`a write of client ${client} has revision ${revision} after ${least} was answered`);
    if (call.kind === 'read' && call.isStrong && revision < least)
      found.push(`a strong read of client ${client} has revision ${revision} after ${least} was answered`);
  }
  return [...found, ...fromTheFuture(history)];
}

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
