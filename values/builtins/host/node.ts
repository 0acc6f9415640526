/** The host functions of Node. */
import type { Host } from '../host.js';
import { nodeCrypto } from './crypto.js';
import { nodeNetwork } from './network.js';

export const nodeHost = { crypto: nodeCrypto, network: nodeNetwork() } satisfies Host;
