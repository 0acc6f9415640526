/** Addresses of this machine alone, and requests that mean them. */
import { type HttpAnswer, textAnswer } from '../../server/index.js';

/** Whether no other machine can reach an address. */
export function isLocalAddress(address: string): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d+$/.test(address);
}

/**
 * Whether the `Host` of a request names this machine: pages of other sites may let their name mean
 * its address, but not change the name.
 */
export function isLocalHost(host = ''): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d+)?$/.test(host);
}

export const notLocal: HttpAnswer = textAnswer(403, 'the host is not this machine\n', 'text/plain; charset=utf-8');
