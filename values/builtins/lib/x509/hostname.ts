/** Whether a certificate is for a host (RFC 6125). */

import { sameBytes } from '../go/octets.js';
import { asV4, parseIp } from '../ip/ip-text.js';
import type { Certificate } from './certificate.js';

/**
 * The host is a name, or an address with or without brackets. The subject's common name does not
 * count.
 */
export function isForHost({ fields: { names } }: Certificate, host: string): boolean {
  const ip = parseIp(host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host);
  if (ip !== undefined) return names.ips.some((candidate) => sameBytes(asV4(candidate) ?? candidate, asV4(ip) ?? ip));
  const name = lower(host);
  const isName = isHostName(name.replace(/\.$/, ''), false);
  const labels = name.replace(/\.$/, '').split('.');
  return names.dns.some((pattern) =>
    isName && isHostName(pattern, true) ? matches(lower(pattern), labels) : isSame(pattern, name),
  );
}

function isHostName(text: string, isPattern: boolean): boolean {
  if (text === '' || text === '*') return false;
  return text
    .split('.')
    .every((label, i) => (isPattern && i === 0 && label === '*') || /^[a-zA-Z0-9_][a-zA-Z0-9_-]*$/.test(label));
}

/** `*` matches one whole label, the first. */
function matches(pattern: string, labels: readonly string[]): boolean {
  const parts = pattern.split('.');
  return parts.length === labels.length && parts.every((part, i) => (i === 0 && part === '*') || part === labels[i]);
}

function isSame(pattern: string, name: string): boolean {
  return pattern !== '' && pattern !== '.' && name !== '' && name !== '.' && lower(pattern) === name;
}

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
