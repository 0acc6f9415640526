/** Networks and addresses of texts, remembered: policies test the same ones in each decision. */
import { internalized } from '../../../text/internalized.js';
import type { Value } from '../../../value.js';
import { BuiltinError } from '../../builtin-errors.js';
import { stringAsFirst } from '../../value-operands.js';
import { type Address, type Network, parseIpAddress, parseNetwork } from './network.js';

const networks = new Map<string, Network>();
const maxNetworks = 4096;
/** Longer texts are not worth the memory: no address is as long. */
const longest = 64;

/** Other networks that are looked for before all that are remembered are forgotten. */
const patience = 16 * maxNetworks;
/** The networks looked for in vain since then. */
let missed = 0;

export function networkOf(text: string): Network | undefined {
  return networks.get(text) ?? remember(text, parseNetwork(text));
}

function remember(text: string, network: Network | undefined): Network | undefined {
  if (network === undefined || text.length > longest) return network;
  if (networks.size >= maxNetworks) {
    if (++missed < patience) return network;
    missed = 0;
    networks.clear();
  }
  networks.set(internalized(text), network);
  return network;
}

export function networkOperand(operand: Value): Network {
  const text = stringAsFirst(operand);
  const network = networkOf(text);
  if (network === undefined) throw new BuiltinError(`invalid CIDR address: ${text}`);
  return network;
}

/** Policies compare an address, or two, with many networks. */
let [lastText, textBefore] = ['', ''];
let [last, before]: (Address | undefined)[] = [];

/** The address of a text, undefined where it is none. */
export function addressOf(text: string): Address | undefined {
  if (text === lastText) return last;
  if (text === textBefore) return before;
  if (text.length > longest) return parseIpAddress(text);
  [textBefore, before] = [lastText, last];
  [lastText, last] = [text, parseIpAddress(text)];
  return last;
}
