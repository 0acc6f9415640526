/** Addresses of host names. */
import { RegoSet } from '../../../set.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { missingHost } from '../../host.js';
import { NetworkError } from '../../host-network.js';
import { ipText, parseIp } from '../ip/ip-text.js';

export function lookUpHost(name: string, context: BuiltinContext): RegoSet {
  const { allowNet, host } = context;
  if (allowNet !== undefined && !allowNet.includes(name)) throw new BuiltinError(`unallowed host: ${name}`);
  // An address is its own answer.
  const ip = parseIp(name);
  if (ip !== undefined) return new RegoSet([ipText(ip)]);
  const { network } = host;
  if (network === undefined) throw missingHost('network');
  return context.wait(`net.lookup_ip_addr\n${name}`, async (signal) => {
    try {
      return new RegoSet(await network.lookup(name, signal));
    } catch (error) {
      throw error instanceof NetworkError ? new BuiltinError(error.message) : error;
    }
  });
}
