/** Addresses of this machine alone, and requests that mean them. */
import type { Exchange } from '../../server/http/requests/exchange.js';
import { type Answer, textAnswer } from '../../server/http/responses/answer.js';

/** Whether no other machine can reach an address. */
export function isLocalAddress(address: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d+$/.test(address);
}

/**
 * Whether a request names this machine: pages of other sites may let their name mean its address,
 * but not change the name.
 */
export function isLocalHost(exchange: Exchange): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/.test(exchange.header('host') ?? '');
}

export const notLocal: Answer = textAnswer(403, 'the host is not this machine\n', 'text/plain; charset=utf-8');
