/** `writ debug --dap`: the debug adapter on the streams of the process, or at an address. */

import type { Launch } from '../../views/index.js';
import { type DebugAddress, debugAddress, isLoopback, listenForClients, serveStreams } from '../dap/serve.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { Io } from '../io.js';

/** The value of `--dap` without an address. */
const standardStreams = 'stdio';

/** Serves clients until the one on the streams is gone, or a signal comes. */
export async function serveDap(address: string, launch: Launch, io: Io): Promise<number> {
  // A fault in one session must not end the others.
  process.on('unhandledRejection', (reason) =>
    io.stderr(`internal error: ${reason instanceof Error ? reason.stack : String(reason)}\n`),
  );
  if (address === standardStreams) {
    const fault = await serveStreams(process.stdin, process.stdout, { launch });
    if (fault === undefined) return exitCodes.ok;
    throw new CommandError(`error: not a message of the debug adapter protocol: ${fault}`);
  }
  const { host, port } = givenAddress(address);
  const ending = Promise.race(
    ['SIGINT', 'SIGTERM'].map((signal) => new Promise((resolve) => process.once(signal, resolve))),
  );
  const listener = await listenForClients({ host, port }, { launch }, (reason) =>
    io.stderr(`a client was disconnected: ${reason}\n`),
  );
  if (!isLoopback(host)) io.stderr(`warning: whoever reaches ${host} can read files and run policies as this user\n`);
  io.stderr(`Debug adapter at ${host}:${listener.address.port}\n`);
  await ending;
  await listener.close();
  return exitCodes.ok;
}

/** The address that a flag has. Throws a CommandError for anything else. */
export function givenAddress(text: string): DebugAddress {
  try {
    return debugAddress(text);
  } catch (error) {
    throw usageError((error as Error).message);
  }
}
