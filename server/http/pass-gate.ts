import type { Value } from '../../values/index.js';
import type { AppContext } from '../control/app-context.js';
import type { Exchange } from './requests/exchange.js';

/** Waits as long as a debugger holds the request; its time limit does not pass meanwhile. */
export async function passGate(
  exchange: Exchange,
  { gate }: AppContext,
  path: readonly string[],
  input: Value | undefined,
): Promise<void> {
  const held = gate?.enter({ method: exchange.method, path, input });
  if (held !== undefined) await exchange.deadline.whileWaiting(held);
}
