/** Proxies of the environment, by the rules that clients in Go document for these variables. */
import { NetworkError } from '../host-network.js';
import { addressText, networkContains, parseIpAddress, parseNetwork } from '../lib/ip/network.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The URL of the proxy for requests to a URL; undefined where they need none. Throws a NetworkError
 * where the variable has no proxy that can be used.
 *
 * @example
 * proxyFor(new URL('https://example.com/'), { HTTPS_PROXY: 'proxy:3128' }) // 'http://proxy:3128'
 */
export function proxyFor(url: URL, environment: Environment): string | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const given = variable(environment, name);
  if (given === '' || isDirect(url, variable(environment, 'NO_PROXY'))) return undefined;
  const proxy = given.includes('://') ? given : `http://${given}`;
  // The URL may have a password.
  if (!/^https?:\/\//i.test(proxy) || !URL.canParse(proxy))
    throw new NetworkError(`proxyconnect: ${name} has no URL of http or https`, false);
  return proxy;
}

function variable(environment: Environment, name: string): string {
  return (environment[name] || environment[name.toLowerCase()]) ?? '';
}

/** Whether a host is this machine, or one of the list in `NO_PROXY`. */
function isDirect(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const address = parseIpAddress(host);
  if (host === 'localhost' || (address !== undefined && loopback.some((network) => networkContains(network, address))))
    return true;
  return list.split(',').some((entry) => {
    const pattern = entry.trim().toLowerCase();
    if (pattern === '*') return true;
    const network = parseNetwork(pattern);
    if (network !== undefined) return address !== undefined && networkContains(network, address);
    // An address of IPv6 without brackets has no port.
    if (parseIpAddress(pattern) !== undefined) return isNamed(host, pattern);
    const [, bracketed, name = bracketed ?? '', wantedPort = port] =
      /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(pattern) ?? [];
    return wantedPort === port && isNamed(host, name);
  });
}

const loopback = ['127.0.0.0/8', '::1/128'].map(parseNetwork).filter((network) => network !== undefined);

/** Whether a name is that of a host, or of a domain around it: `.y.com` is no name of `y.com`. */
function isNamed(host: string, name: string): boolean {
  const [address, named] = [parseIpAddress(host), parseIpAddress(name)];
  if (address !== undefined && named !== undefined) return addressText(address) === addressText(named);
  const domain = name.replace(/^\*\./, '.');
  if (domain === '' || address !== undefined) return false;
  return host === domain || host.endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}
