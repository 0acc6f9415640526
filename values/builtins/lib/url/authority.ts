/** The part of a URL between `//` and the path: a user, a host and a port. */
import { goQuote } from '../../../text/term-text.js';
import { parseIp } from '../ip/ip-text.js';
import { UrlError } from './escape.js';
import { decodePart } from './parts.js';

export interface UserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

export interface Authority {
  readonly user: UserInfo | undefined;
  /** The decoded host and its port. */
  readonly host: string;
}

/** Throws a UrlError. */
export function parseAuthority(text: string, scheme: string): Authority {
  const at = text.lastIndexOf('@');
  const host = text.slice(at + 1);
  const decoded = host.includes('[') ? parseIpLiteral(host) : parseName(host, scheme);
  return { user: at < 0 ? undefined : parseUser(text.slice(0, at)), host: decoded };
}

function parseUser(text: string): UserInfo {
  if (!/^[\w\-.~:!$&'()*+,;=%@]*$/.test(text)) throw new UrlError('net/url: invalid userinfo');
  const [name = '', ...password] = text.split(':');
  return {
    name: decodePart(name, 'user'),
    password: password.length === 0 ? undefined : decodePart(password.join(':'), 'user'),
  };
}

/** A port is digits, after the first colon on the web. Other schemes may list several hosts. */
function parseName(host: string, scheme: string): string {
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return decodePart(host, 'host');
}

/** `[address]`, with a zone or not (`[fe80::1%25en0]`), and a port. */
function parseIpLiteral(host: string): string {
  if (host.lastIndexOf('[') > 0) throw new UrlError('invalid IP-literal');
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const inner = host.slice(1, close);
  const zoneAt = inner.includes('%25') ? inner.indexOf('%25') : inner.length;
  const address = decodePart(inner.slice(0, zoneAt), 'host');
  const zone = decodePart(inner.slice(zoneAt), 'zone');
  const size = parseIp(address)?.length;
  if (size === 4 && zone === '') throw new UrlError('invalid IP-literal');
  if (size !== 16 || zone === '%') {
    throw new UrlError(`invalid host: ParseAddr(${goQuote(address + zone)}): unable to parse IP`);
  }
  return `[${address}${zone}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::\d*)?$/.test(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
}

/** The host without brackets, and the port. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon + 1);
  const name = colon >= 0 && /^\d*$/.test(port) ? host.slice(0, colon) : host;
  const hostname = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return { hostname, port: name === host ? '' : port };
}
