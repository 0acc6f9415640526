/** The language service behind editors, over streams or a port of a worker. */
export { LanguageServer } from './connection/language-server.js';
export type { Message } from './connection/messages.js';
export { RpcConnection } from './connection/rpc.js';
