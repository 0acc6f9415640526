/** URLs as Go's `net/url` takes them apart. */
import { goQuote } from '../../../values/text/term-text.js';
import { checkEscapes, escapeBytes, UrlError, unescapeBytes } from './escape.js';
import { isIpv6 } from './ipv6-text.js';

export interface UrlParts {
  readonly scheme: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
  /** The path as it was written where that is not how the path is written by default, else the path. */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly fragment: string;
}

/** The parts of a URL, empty where they are absent. Throws a UrlError with Go's message. */
export function parseUrl(url: string): UrlParts {
  const hash = url.indexOf('#');
  const rest = hash < 0 ? url : url.slice(0, hash);
  const parts = complain(rest, () => parseRest(rest));
  return { ...parts, fragment: hash < 0 ? '' : complain(url, () => unescapeBytes(url.slice(hash + 1))) };
}

function complain<T>(url: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof UrlError) throw new UrlError(`parse ${goQuote(url)}: ${error.message}`);
    throw error;
  }
}

function parseRest(url: string): Omit<UrlParts, 'fragment'> {
  if (/[\0-\x1f\x7f]/.test(url)) throw new UrlError('net/url: invalid control character in URL');
  const none = { scheme: '', hostname: '', port: '', path: '', rawPath: '', rawQuery: '' };
  if (url === '*') return { ...none, path: '*', rawPath: '*' };
  const [scheme, afterScheme] = splitScheme(url);
  const question = afterScheme.indexOf('?');
  const rawQuery = question < 0 ? '' : afterScheme.slice(question + 1);
  let rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...none, scheme, rawQuery };
    if (rest.split('/', 1)[0]!.includes(':')) throw new UrlError('first path segment in URL cannot contain colon');
  }
  let host = { hostname: '', port: '' };
  if ((scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? '' : rest.slice(slash);
    host = splitHost(parseAuthority(scheme, authority));
  }
  const path = unescapeBytes(rest);
  const written = escapeBytes(path, /[\w.~$&+,/:;=@-]/);
  return { scheme, ...host, path, rawPath: written === rest ? path : rest, rawQuery };
}

function splitScheme(url: string): [string, string] {
  if (url.startsWith(':')) throw new UrlError('missing protocol scheme');
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url);
  return found === null ? ['', url] : [found[1]!.toLowerCase(), url.slice(found[0].length)];
}

function parseAuthority(scheme: string, authority: string): string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at >= 0) {
    const user = authority.slice(0, at);
    if (!/^[\w.:~!$&'()*+,;=%@-]*$/.test(user)) throw new UrlError('net/url: invalid userinfo');
    checkEscapes(user);
  }
  return host;
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlError('invalid IP-literal');
  if (open === 0) return parseIpLiteral(host);
  let colon = host.indexOf(':');
  if (colon >= 0) {
    // Lists of hosts have several colons; only the web is strict.
    if (scheme !== 'http' && scheme !== 'https') colon = host.lastIndexOf(':');
    checkPort(host.slice(colon));
  }
  return unescapeHost(host);
}

function parseIpLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const literal = host.slice(1, close);
  const zone = literal.indexOf('%25');
  const address = zone < 0 ? unescapeHost(literal) : unescapeHost(literal.slice(0, zone)) + unescapeZone(literal.slice(zone));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(address)) throw new UrlError('invalid IP-literal');
  if (!isIpv6(address)) throw new UrlError(`invalid host: ParseAddr(${goQuote(address)}): unable to parse IP`);
  return `[${address}]${port}`;
}

const hostCharacter = /[\w.~!$&'()*+,;=:[\]<>"-]/;

/** In a host only bytes beyond ASCII may be escaped. */
function unescapeHost(host: string): string {
  checkHost(host, (code) => code === '%25' || /^%[89a-fA-F]/.test(code));
  return unescapeBytes(host);
}

function unescapeZone(zone: string): string {
  checkHost(zone, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return code === '%25' || character === ' ' || hostCharacter.test(character);
  });
  return unescapeBytes(zone);
}

function checkHost(text: string, allows: (code: string) => boolean): void {
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '%') {
      const code = text.slice(i, i + 3);
      checkEscapes(code);
      if (!allows(code)) throw new UrlError(`invalid URL escape ${goQuote(code)}`);
      i += 2;
    } else if (c < '\x80' && !hostCharacter.test(c)) throw new UrlError(`invalid character ${goQuote(c)} in host name`);
  }
}

function splitHost(host: string): { hostname: string; port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && /^:[0-9]*$/.test(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  const isLiteral = name.startsWith('[') && name.endsWith(']');
  return { hostname: isLiteral ? name.slice(1, -1) : name, port: hasPort ? host.slice(colon + 1) : '' };
}
