/** URLs taken apart and put together as Go's `net/url` does it. */

import { goQuote } from '../../../values/text/term-text.js';
import { encodeUtf8 } from '../../../values/text/utf8.js';
import { textOf } from '../go/octets.js';
import { parseIp } from './ip-text.js';

export interface GoUrl {
  readonly scheme: string;
  /** What follows the scheme where that is no path: `urn:a:b`. */
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  readonly host: string;
  /** Decoded; `rawPath` is what was written where encoding `path` does not give it back. */
  readonly path: string;
  readonly rawPath: string;
  readonly omitHost: boolean;
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}

interface UserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

/** What is wrong with a URL, in Go's words: `parse "%": invalid URL escape "%"`. */
export class UrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UrlError';
  }
}

type Part = 'path' | 'host' | 'zone' | 'user' | 'fragment';

const kept: { readonly [part in Part]: RegExp } = {
  path: /[\w\-.~$&+,/:;=@]/,
  host: /[\w\-.~!"$&'()*+,:;<=>[\]]/,
  zone: /[\w\-.~!"$&'()*+,:;<=>[\]]/,
  user: /[\w\-.~$&+,;=]/,
  fragment: /[\w\-.~!$&()*+,/:;=?@]/,
};

/** Throws a UrlError. */
export function parseUrl(text: string): GoUrl {
  const hash = text.indexOf('#');
  const before = hash < 0 ? text : text.slice(0, hash);
  const url = complainingOf(before, () => parseWithoutFragment(before));
  const raw = hash < 0 ? '' : text.slice(hash + 1);
  if (raw === '') return url;
  const fragment = complainingOf(text, () => decodePart(raw, 'fragment'));
  return { ...url, fragment, rawFragment: encodePart(fragment, 'fragment') === raw ? '' : raw };
}

function complainingOf<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof UrlError ? new UrlError(`parse ${goQuote(text)}: ${error.message}`) : error;
  }
}

const empty: GoUrl = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  omitHost: false,
  forceQuery: false,
  rawQuery: '',
  fragment: '',
  rawFragment: '',
};

function parseWithoutFragment(text: string): GoUrl {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (text === '*') return { ...empty, path: '*' };
  const { scheme, rest } = splitScheme(text);
  const query = rest.indexOf('?');
  const forceQuery = query >= 0 && query === rest.length - 1;
  const rawQuery = query < 0 || forceQuery ? '' : rest.slice(query + 1);
  let path = query < 0 ? rest : rest.slice(0, query);
  const url = { ...empty, scheme, forceQuery, rawQuery };
  if (!path.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: path };
    if (path.split('/', 1)[0]!.includes(':')) throw new UrlError('first path segment in URL cannot contain colon');
  }
  let user: UserInfo | undefined;
  let host = '';
  const hasAuthority = path.startsWith('//') && (scheme !== '' || !path.startsWith('///'));
  if (hasAuthority) {
    const slash = path.indexOf('/', 2);
    ({ user, host } = parseAuthority(scheme, slash < 0 ? path.slice(2) : path.slice(2, slash)));
    path = slash < 0 ? '' : path.slice(slash);
  }
  const decoded = decodePart(path, 'path');
  const rawPath = encodePart(decoded, 'path') === path ? '' : path;
  return { ...url, user, host, path: decoded, rawPath, omitHost: !hasAuthority && scheme !== '' && path.startsWith('/') };
}

function splitScheme(text: string): { readonly scheme: string; readonly rest: string } {
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const found = /^([a-zA-Z][a-zA-Z0-9+\-.]*):/.exec(text);
  return found === null ? { scheme: '', rest: text } : { scheme: found[1]!.toLowerCase(), rest: text.slice(found[0].length) };
}

function parseAuthority(scheme: string, authority: string): { readonly user: UserInfo | undefined; readonly host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const info = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) throw new UrlError('net/url: invalid userinfo');
  const colon = info.indexOf(':');
  if (colon < 0) return { user: { name: decodePart(info, 'user'), password: undefined }, host };
  return { user: { name: decodePart(info.slice(0, colon), 'user'), password: decodePart(info.slice(colon + 1), 'user') }, host };
}

function parseHost(scheme: string, host: string): string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) throw new UrlError('invalid IP-literal');
  if (bracket === 0) return parseIpLiteral(host);
  let colon = host.indexOf(':');
  if (colon >= 0) {
    if (scheme !== 'http' && scheme !== 'https') colon = host.lastIndexOf(':');
    checkPort(host.slice(colon));
  }
  return decodePart(host, 'host');
}

function parseIpLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address = decodePart(zone < 0 ? name : name.slice(0, zone), 'host');
  const suffix = zone < 0 ? '' : decodePart(name.slice(zone), 'zone');
  const ip = parseIp(address);
  if (ip === undefined) throw new UrlError(`invalid host: ParseAddr(${goQuote(address + suffix)}): unable to parse IP`);
  if (ip.length === 4) throw new UrlError('invalid IP-literal');
  return `[${address}${suffix}]${port}`;
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
}

function decodePart(text: string, part: Part): string {
  let escaped = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '%') {
      escaped = true;
      const sequence = text.slice(i, i + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(sequence)) throw new UrlError(`invalid URL escape ${goQuote(sequence)}`);
      const code = Number.parseInt(sequence.slice(1), 16);
      const forbidden =
        part === 'host'
          ? code < 0x80 && sequence !== '%25'
          : part === 'zone' && sequence !== '%25' && code !== 32 && !(code < 0x80 && kept.host.test(String.fromCharCode(code)));
      if (forbidden) throw new UrlError(`invalid URL escape ${goQuote(sequence)}`);
      i += 2;
    } else if ((part === 'host' || part === 'zone') && c < '\u0080' && !kept[part].test(c)) {
      throw new UrlError(`invalid character ${goQuote(c)} in host name`);
    }
  }
  if (!escaped) return text;
  const bytes = encodeUtf8(text);
  let size = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 37) {
      bytes[size++] = Number.parseInt(String.fromCharCode(bytes[i + 1]!, bytes[i + 2]!), 16);
      i += 2;
    } else bytes[size++] = bytes[i]!;
  }
  return textOf(bytes.subarray(0, size));
}

function encodePart(text: string, part: Part): string {
  let escaped = '';
  for (const byte of encodeUtf8(text)) {
    const c = String.fromCharCode(byte);
    escaped += byte < 0x80 && kept[part].test(c) ? c : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** The path as it is written in a URL: what came in where that is a valid encoding, else the path encoded. */
export function escapedPath(url: GoUrl): string {
  if (url.rawPath !== '' && /^[\w\-.~!$&'()*+,;=:@[\]%/]*$/.test(url.rawPath)) return url.rawPath;
  return url.path === '*' ? '*' : encodePart(url.path, 'path');
}

function escapedFragment(url: GoUrl): string {
  if (url.rawFragment !== '' && /^[\w\-.~!$&'()*+,;=:@[\]%/?]*$/.test(url.rawFragment)) return url.rawFragment;
  return encodePart(url.fragment, 'fragment');
}

/** The whole URL as text. */
export function urlText(url: GoUrl): string {
  let text = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') text += url.opaque;
  else {
    text += authorityText(url);
    const path = escapedPath(url);
    if (path !== '' && !path.startsWith('/') && url.host !== '') text += '/';
    if (text === '' && path.split('/', 1)[0]!.includes(':')) text += './';
    text += path;
  }
  if (url.forceQuery || url.rawQuery !== '') text += `?${url.rawQuery}`;
  return url.fragment === '' ? text : `${text}#${escapedFragment(url)}`;
}

function authorityText(url: GoUrl): string {
  if (url.scheme === '' && url.host === '' && url.user === undefined) return '';
  if (url.omitHost && url.host === '' && url.user === undefined) return '';
  let text = url.host !== '' || url.path !== '' || url.user !== undefined ? '//' : '';
  if (url.user !== undefined) {
    text += encodePart(url.user.name, 'user');
    if (url.user.password !== undefined) text += `:${encodePart(url.user.password, 'user')}`;
    text += '@';
  }
  return text + encodePart(url.host, 'host');
}
