import { longestTimerMs } from '../../values/index.js';
import type { Command } from '../command.js';
import { exitCodes, usageError } from '../exit.js';
import { addressNote } from '../server/address-note.js';
import { serverFlags } from '../server/server-flags.js';
import { notifyReady } from '../server/service-manager.js';
import { type Running, startServer } from '../server/start-server.js';
import { workerVariable } from '../server/worker-processes.js';
import { noteUnreadPolicies } from '../sources/unread-policies.js';

export const runCommand: Command = {
  name: 'run',
  use: '[files]',
  long: `With --server: serves decisions over OPA's REST API, at localhost:8181. Otherwise it starts a prompt that answers queries.

Paths are policies and data, or folders with them; a.b:file.json loads a file below data.a.b. With --bundle they are bundles. The URL of a bundle on a web server is fetched again at intervals.

Ask a server in another terminal:

    $ curl localhost:8181/v1/data/authz/allow -d '{"input": {"user": "ada"}}'`,
  examples: [
    ['Serve policies and data', 'writ run --server policies data.json'],
    ['Load them again when they change', 'writ run --server --watch policies data.json'],
    ['Serve a bundle', 'writ run --server --bundle bundle.tar.gz'],
    ['Serve a bundle from a web server', 'writ run --server https://example.com/bundle.tar.gz'],
    ['Serve with a configuration, at another address', 'writ run --server -c config.yaml --addr :9090'],
    ['Serve over TLS', 'writ run --server --tls-cert-file cert.pem --tls-private-key-file key.pem policies'],
    ['Load a file below data.roles', 'writ run --server policies roles:roles.json'],
    ['Ask at a prompt', 'writ run policies data.json'],
  ],
  flags: serverFlags,
  async run(args, io) {
    const { flags } = args;
    if (io.env[workerVariable] !== undefined) return (await import('../server/run-worker.js')).runWorker(args, io);
    if (!flags.on('server') && flags.has('debug-attach')) throw usageError('--debug-attach needs --server');
    if (!flags.on('server') && flags.has('ui')) throw usageError('--ui needs --server');
    if (!flags.on('server')) return (await import('../prompt/prompt.js')).runPrompt(args, io);
    const ending = untilSignal();
    let running: Running | undefined;
    // A server that is starting reads everything anyway.
    const reload = () => running?.reload();
    process.on('SIGHUP', reload);
    running = await startServer(args, io, { ending });
    const { logger, urls } = running;
    if (io.isTerminal?.('stderr')) io.stderr(addressNote(urls, flags));
    noteUnreadPolicies(args.positionals, io);
    // An error in a background task must not end a server that answers other requests.
    process.on('unhandledRejection', (reason) =>
      logger.error('Unhandled rejection.', {
        error: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason),
      }),
    );
    void notifyReady(io.env, logger);
    await ending;
    process.off('SIGHUP', reload);
    logger.info('Shutting down...');
    await pause(periodMs(flags.number('shutdown-wait-period') ?? 0));
    await running.stop(periodMs(flags.number('shutdown-grace-period') ?? 10));
    logger.info('Server shutdown.');
    return exitCodes.ok;
  },
};

/** `timeout`, npm and others send a signal twice: to the process, and to its group. */
const sameSignalMs = 1000;

/** Resolves at the first signal. A later one ends the process, as without a handler. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      const leave = () => process.off('SIGTERM', end).off('SIGINT', end);
      setTimeout(leave, sameSignalMs).unref();
      resolve();
    };
    process.on('SIGTERM', end).on('SIGINT', end);
  });
}

/** No longer than timers may be: some begin a little later, and end a little later. */
function periodMs(seconds: number): number {
  return Math.min(1000 * seconds, longestTimerMs - 60_000);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
