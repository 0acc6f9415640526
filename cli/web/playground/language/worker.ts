/** The language service of the playground, in a worker. */
import { buildInfo } from '../../../../engine/index.js';
import { webPlatform } from '../../../../library/parts.js';
import { LanguageServer, RpcConnection } from '../../../../views/index.js';

/** All files of the page are open. */
const files = { list: () => [], read: async () => undefined };

const connection = new RpcConnection(
  (message) => postMessage(JSON.stringify(message)),
  (self) => new LanguageServer({ files, version: buildInfo.version, builtins: webPlatform.host }, self),
);
/** The declarations of built-ins come first: the compiler knows no function without them. */
const ready = webPlatform.loadBuiltins!();

addEventListener('message', async ({ data }: MessageEvent<string>) => {
  await ready;
  connection.receive(JSON.parse(data));
});
