/** Responses that are kept across evaluations, and how long they hold. */
import type { ObjectValue } from '../../../value.js';
import type { NetworkResponse } from '../../host-network.js';
import type { CachePolicy } from './parameters.js';
import { headerOf } from './response.js';

export interface Kept {
  readonly response: NetworkResponse;
  /** Until when it holds, in milliseconds since 1970. */
  readonly expires: number;
  /** The decoded response, where it is kept as well. */
  readonly value: ObjectValue | undefined;
}

const cacheable: ReadonlySet<number> = new Set([200, 203, 204, 206, 300, 301, 404, 405, 410, 414, 501]);
const maxEntries = 10_000;
const maxBytes = 100 * 1024 * 1024;
const overhead = 512;

/** The responses used last, within a budget of bytes. */
export class ResponseStore {
  readonly #entries = new Map<string, Kept>();
  #bytes = 0;

  get(key: string): Kept | undefined {
    const kept = this.#entries.get(key);
    if (kept === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, kept);
    return kept;
  }

  set(key: string, kept: Kept): void {
    this.delete(key);
    this.#entries.set(key, kept);
    this.#bytes += sizeOf(key, kept);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= maxBytes && this.#entries.size <= maxEntries) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const kept = this.#entries.get(key);
    if (kept === undefined) return;
    this.#bytes -= sizeOf(key, kept);
    this.#entries.delete(key);
  }
}

function sizeOf(key: string, { response }: Kept): number {
  return (
    overhead +
    key.length +
    response.body.length +
    response.headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  );
}

/** Until when a response may be answered again; undefined where it may not be kept. */
export function expiryOf(response: NetworkResponse, policy: CachePolicy, nowMs: number): number | undefined {
  if (!cacheable.has(response.statusCode)) return undefined;
  if (policy.forcedSeconds !== undefined) return nowMs + policy.forcedSeconds * 1000;
  if (cacheControl(response).has('no-store')) return undefined;
  return expiryFromHeaders(response);
}

/**
 * As the headers say: `max-age` counts from `Date`. 0 where they say nothing; undefined where they
 * make no sense.
 */
export function expiryFromHeaders(response: NetworkResponse): number | undefined {
  const age = cacheControl(response).get('max-age');
  if (age === undefined) {
    const expires = Date.parse(headerOf(response, 'expires') ?? '');
    return Number.isNaN(expires) ? 0 : expires;
  }
  const date = Date.parse(headerOf(response, 'date') ?? '');
  if (!/^\d+$/.test(age) || Number.isNaN(date)) return undefined;
  return date + Math.min(Number(age), 0x7fffffff) * 1000;
}

function cacheControl(response: NetworkResponse): Map<string, string> {
  const directives = new Map<string, string>();
  for (const part of (headerOf(response, 'cache-control') ?? '').split(',')) {
    const [name = '', value = '', ...more] = part.trim().split('=');
    if (name !== '' && more.length === 0) directives.set(name.trim(), value);
  }
  return directives;
}

/** A kept response with the headers that a `304 Not Modified` brought. */
export function refreshed(kept: NetworkResponse, notModified: NetworkResponse): NetworkResponse {
  const replaced = new Set(notModified.headers.map(([name]) => name.toLowerCase()));
  return {
    ...kept,
    headers: [...kept.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...notModified.headers],
  };
}
