/** The messages of a server to systemd, for units of `Type=notify`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from '../../server/index.js';

/** Longer than systemd takes to read a message; the server goes on meanwhile. */
const timeoutMs = 10_000;

/**
 * Tells systemd that the server accepts requests, where it started the server and waits for that.
 * Node has no datagram sockets of the Unix domain, so systemd's own command sends the message.
 */
export async function notifyReady({ PATH, NOTIFY_SOCKET }: NodeJS.ProcessEnv, logger: Logger): Promise<void> {
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return;
  try {
    await promisify(execFile)('systemd-notify', ['--ready', '--status=Serving requests'], {
      env: { PATH, NOTIFY_SOCKET },
      timeout: timeoutMs,
    });
  } catch (error) {
    logger.error(`Notifying systemd failed: ${(error as Error).message.trim()}`);
  }
}
