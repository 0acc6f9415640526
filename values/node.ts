/** The door of values on Node: certificates, keys and the network for built-in functions. */
export { certificatesIn, keyPairProblem } from './builtins/host/certificates.js';
export { nodeCrypto } from './builtins/host/crypto.js';
export { nodeNetwork, type TlsFloor } from './builtins/host/network.js';
export { networkReason } from './builtins/host/network-errors.js';
export { nodeHost } from './builtins/host/node.js';
export { sha256 } from './builtins/host/sha256.js';
export { systemProblem } from './builtins/host/system-errors.js';
