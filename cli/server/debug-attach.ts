/** `run --debug-attach`: an address at which debuggers hold requests. */

import type { Engine } from '../../engine/index.js';
import type { Logger } from '../../server/index.js';
import { openServerSession } from '../../views/index.js';
import { HoldingGate } from '../dap/request-holder.js';
import { debugAddress, isLoopback, listenForClients } from '../dap/serve.js';
import { usageError } from '../exit.js';

export interface DebugAttach {
  readonly gate: HoldingGate;
  /** Lets all requests go on. */
  close(): Promise<void>;
}

/** Listens for debuggers. Rejects for an address that other machines reach. */
export async function attachDebuggers(text: string, engine: Engine, logger: Logger): Promise<DebugAttach> {
  const address = debugAddress(text);
  if (!isLoopback(address.host))
    throw usageError(
      `--debug-attach must be a loopback address: whoever reaches ${address.host} would see inputs and data`,
    );
  const gate = new HoldingGate(engine, (question, options) => openServerSession(engine, question, options));
  const listener = await listenForClients(address, { holder: gate }, (reason) =>
    logger.warn(`A debugger was disconnected: ${reason}.`),
  );
  const { host, port } = listener.address;
  logger.warn('Debuggers can attach: they see inputs and data, and make requests wait.', { addr: `${host}:${port}` });
  return { gate, close: () => listener.close() };
}
