/** The host functions of Node. */
import type { Host } from '../builtins/host.js';
import { nodeCrypto } from './crypto.js';
import { nodeNetwork } from './network.js';

export const nodeHost: Host = { crypto: nodeCrypto, network: nodeNetwork() };
