/** Clients that write and read at random, each one call after the other, and note what they see. */
import { documentName, replicaCount } from './cluster.js';
import type { Read, Values, Write } from './history.js';

export interface ClientOptions {
  readonly client: number;
  /** The address of a replica. */
  readonly url: (replica: number) => string;
  readonly random: () => number;
  readonly until: () => boolean;
}

type Outcome = Pick<Write, 'revision' | 'isRefused'>;

const keys = ['a', 'b', 'c', 'd', 'e'];

/** Gives every write its own value, over all clients. */
let lastValue = 0;

/** The calls of a client, without the reads that got no answer. */
export async function runClient({ client, url, random, until }: ClientOptions): Promise<(Write | Read)[]> {
  const history: (Write | Read)[] = [];
  /** The highest revision that it has seen. */
  let seen = 0;
  const pick = (count: number) => Math.floor(random() * count);
  while (!until()) {
    const base = url(pick(replicaCount));
    const start = performance.now();
    if (random() < 0.4) {
      const values = newValues(random() < 0.3 ? 2 : 1, pick);
      const outcome = await write(base, values, random() < 0.1);
      history.push({ kind: 'write', client, start, end: performance.now(), values, ...outcome });
      seen = Math.max(seen, outcome.revision ?? 0);
    } else {
      const isStrong = random() < 0.3;
      const headers = isStrong ? { consistency: 'strong' } : { 'min-revision': String(seen) };
      const found = await read(base, headers);
      if (found === undefined) continue;
      history.push({ kind: 'read', client, start, end: performance.now(), isStrong, atLeast: isStrong ? 0 : seen, ...found });
      seen = Math.max(seen, found.revision);
    }
  }
  return history;
}

function newValues(count: number, pick: (count: number) => number): Values {
  const first = pick(keys.length);
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [keys[(first + i) % keys.length]!, ++lastValue]));
}

/** @param isImpossible whether the last operation cannot be done, so that none may be */
async function write(base: string, values: Values, isImpossible: boolean): Promise<Outcome> {
  const operations: object[] = Object.entries(values).map(([key, body]) => ({
    method: 'PUT',
    path: `/v1/data/${documentName}/${key}`,
    body,
  }));
  if (isImpossible) operations.push({ method: 'DELETE', path: `/v1/data/${documentName}/nothing` });
  const [[key, value]] = Object.entries(values) as [[string, number]];
  const asked =
    operations.length === 1
      ? send(`${base}/v1/data/${documentName}/${key}`, { method: 'PUT', body: String(value) })
      : send(`${base}/v1/transactions`, { method: 'POST', body: JSON.stringify({ operations }) });
  const answer = await asked.catch(() => undefined);
  if (answer?.ok === true) return { revision: Number(answer.headers.get('revision')), isRefused: false };
  return { revision: undefined, isRefused: answer !== undefined && answer.status >= 400 && answer.status < 500 };
}

async function read(base: string, headers: Record<string, string>): Promise<Pick<Read, 'revision' | 'values'> | undefined> {
  try {
    const answer = await send(`${base}/v1/data/${documentName}`, { headers });
    const { result = {} } = (await answer.json()) as { readonly result?: Values };
    return answer.ok ? { revision: Number(answer.headers.get('revision')), values: result } : undefined;
  } catch {
    return undefined;
  }
}

function send(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(3000) });
}
