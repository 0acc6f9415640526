/** For people who start a server at a terminal: its address, and a request to try. */

import type { FlagValues } from '../flags.js';

/** The lines; none where the server has no address to ask. */
export function addressNote([url]: readonly string[], flags: FlagValues): string {
  if (url === undefined) return '';
  const line = `listening: ${url}\n`;
  const needsIdentity = (flags.text('authentication') ?? 'off') !== 'off' || flags.text('authorization') === 'basic';
  const command = needsIdentity ? undefined : curlOf(url);
  return command === undefined ? line : `${line}to ask it: ${command}\n`;
}

/** All documents for an empty input: this path exists whatever the policies are. */
function curlOf(url: string): string | undefined {
  const ask = (base: string, options = '') => `curl ${options}-d '{"input": {}}' '${base}/v1/data'`;
  const socket = /^unix:\/\/(.+)$/.exec(url)?.[1];
  if (socket !== undefined)
    return socket.includes("'") ? undefined : ask('http://localhost', `--unix-socket '${socket}' `);
  const base = url.replace(/\/$/, '').replace(/^(https?:\/\/)(?:0\.0\.0\.0|\[::\])(?=:)/, '$1localhost');
  // The certificate of a first try is seldom one that curl trusts.
  return ask(base, base.startsWith('https:') ? '--insecure ' : '');
}
