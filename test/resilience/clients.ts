/** Clients that write and read at random, each one call after the other, and note what they see. */

import { documentName, replicaCount } from './cluster.js';
import type { Read, Values, Write } from './history.js';

/** How a client sends a request. Wrong ones stand for faulty servers. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

export const send: Send = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(3000) });

export interface ClientOptions {
  readonly client: number;
  /** The address of a replica. */
  readonly url: (replica: number) => string;
  readonly random: () => number;
  readonly send: Send;
  readonly until: () => boolean;
}

const keys = ['a', 'b', 'c', 'd', 'e'];

/** Gives every write its own value, over all clients. */
let lastValue = 0;

/** The calls of a client, without the reads that got no answer. */
export async function runClient({ client, url, random, send, until }: ClientOptions): Promise<(Write | Read)[]> {
  const history: (Write | Read)[] = [];
  /** The highest revision that it has seen. */
  let seen = 0;
  const pick = (count: number) => Math.floor(random() * count);
  while (!until()) {
    const base = url(pick(replicaCount));
    const start = performance.now();
    if (random() < 0.4) {
      const values = newValues(random() < 0.3 ? 2 : 1, pick);
      const revision = await write(base, values, send);
      history.push({ kind: 'write', client, start, end: performance.now(), values, revision });
      seen = Math.max(seen, revision ?? 0);
    } else {
      const isStrong = random() < 0.3;
      const headers = isStrong ? { consistency: 'strong' } : { 'min-revision': String(seen) };
      const found = await read(base, headers, send);
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

/** The revision of a write; undefined where nobody knows whether it was made. */
async function write(base: string, values: Values, send: Send): Promise<number | undefined> {
  const operations = Object.entries(values).map(([key, body]) => ({ method: 'PUT', path: `/v1/data/${documentName}/${key}`, body }));
  const [{ path, body }, ...others] = operations as [(typeof operations)[0], ...typeof operations];
  const asked =
    others.length === 0
      ? send(base + path, { method: 'PUT', body: String(body) })
      : send(`${base}/v1/transactions`, { method: 'POST', body: JSON.stringify({ operations }) });
  const answer = await asked.catch(() => undefined);
  if (answer === undefined || !answer.ok) return undefined;
  return Number(answer.headers.get('revision'));
}

async function read(base: string, headers: Record<string, string>, send: Send): Promise<Pick<Read, 'revision' | 'values'> | undefined> {
  try {
    const answer = await send(`${base}/v1/data/${documentName}`, { headers });
    const { result = {} } = (await answer.json()) as { readonly result?: Values };
    return answer.ok ? { revision: Number(answer.headers.get('revision')), values: result } : undefined;
  } catch {
    return undefined;
  }
}
