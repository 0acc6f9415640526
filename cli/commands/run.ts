import type { Engine } from '../../engine/engine.js';
import { IdleCollector } from '../../server/control/idle-collector.js';
import { readConfig } from '../../server/control/server-config.js';
import { keepHeapSteady } from '../../server/control/steady-heap.js';
import { collectYoung } from '../../server/control/young-collector.js';
import { Server } from '../../server/server.js';
import { Primary } from '../../server/workers/primary.js';
import { PathBundles } from '../../services/bundle/path-bundles.js';
import { LooseFiles } from '../../services/files/loose-files.js';
import type { Logger } from '../../services/logs/logger.js';
import { startTracing } from '../../services/tracing/tracing.js';
import { longestTimerMs } from '../../values/timers.js';
import type { Arguments } from '../args.js';
import { bundleVerification, verificationConfig } from '../bundles/signing.js';
import type { Command } from '../command.js';
import { CommandError, exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';
import { DownloadProgress } from '../server/download-progress.js';
import { engineOf, loggersOf, modesOf, refreshCertificates, socketPermissions } from '../server/engine-of-flags.js';
import { withRemoteBundles } from '../server/remote-bundles.js';
import { givenConfig, useYamlOf } from '../server/run-config.js';
import { serverFlags } from '../server/server-flags.js';
import { notifyReady } from '../server/service-manager.js';
import { tlsFloor, tlsOptions } from '../server/tls.js';
import { spawnWorker, workerCount, workerVariable } from '../server/worker-processes.js';

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
    if (!flags.on('server')) return (await import('../prompt/prompt.js')).runPrompt(args, io);
    const ending = untilSignal();
    let running: Running | undefined;
    // A server that is starting reads everything anyway.
    const reload = () => running?.reload();
    process.on('SIGHUP', reload);
    running = await startServer(args, io, { ending });
    const { logger } = running;
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

/** A running server. */
interface Running {
  readonly logger: Logger;
  /** The URLs at which the server takes requests. */
  readonly urls: readonly string[];
  /** Reads files and bundles again; on failure nothing changes, and the error is logged. */
  readonly reload: () => void;
  stop(graceMs: number): Promise<void>;
}

interface StartOptions {
  /** Receives the log, which goes to standard error by default. */
  readonly write?: (text: string) => void;
  /** Once it resolves, a start that is under way is not waited for: `stop` ends it. */
  readonly ending?: Promise<void>;
}

/** Starts a server from the flags. Rejects with a CommandError. */
export async function startServer(args: Arguments, io: Io, options: StartOptions = {}): Promise<Running> {
  try {
    return await start(args, io, options);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(`error: ${errorText(error, io)}`);
  }
}

async function start(
  { flags, positionals: named }: Arguments,
  io: Io,
  { write, ending }: StartOptions,
): Promise<Running> {
  checkFlags(flags);
  const downloads = io.progressLine && new DownloadProgress(io.stderr, io.progressLine);
  const loggers = loggersOf(flags, io, write ?? downloads?.log.bind(downloads));
  const { logger } = loggers;
  const { config: given, paths: positionals } = withRemoteBundles(
    givenConfig(flags, io),
    named,
    flags.on('skip-verify') ? undefined : verificationConfig(flags),
  );
  const config = readConfig(given);
  useYamlOf(config, flags);
  for (const warning of config.warnings) logger.warn(warning);
  const tls = tlsOptions(flags);
  if (tls === undefined && flags.text('authentication') === 'tls')
    logger.warn(
      '--authentication=tls without --tls-cert-file: no connection is one of TLS, so no request has an identity',
    );
  const count = workerCount(flags, io);
  // Set before the engine has its first change.
  let primary: Primary | undefined;
  const tracing = await startTracing(config.tracing, logger);
  const { engine, sideThread, closeThreads } = engineOf(flags, io, config.runtime, logger, {
    tracing,
    replicate: count > 1 ? (change, revision) => primary!.replicate(change, revision) : undefined,
  });
  if (count > 1) primary = new Primary({ count, spawn: () => spawnWorker(io), engine, logger });
  const sources = sourcesOf(flags, positionals, engine, logger);
  const debuggers = await debuggersOf(flags, count, engine, logger);
  const addresses = flags.has('addr') ? flags.all('addr') : ['localhost:8181'];
  const diagnosticAddresses = flags.all('diagnostic-addr');
  const others = await inspectorOf(flags);
  const server = new Server({
    engine,
    config,
    configuration: given,
    primary,
    tlsFloor: tlsFloor(flags),
    watchDownloads: downloads?.network.bind(downloads),
    ...loggers,
    addresses,
    diagnosticAddresses,
    others,
    ...modesOf(flags),
    readyTimeoutMs: 1000 * Math.max(0, flags.number('ready-timeout') ?? 0),
    watch: flags.on('watch'),
    skipsSchemaCheck: flags.on('skip-known-schema-check'),
    h2c: flags.on('h2c'),
    unixSocketPermissions: socketPermissions(flags),
    tls,
    tracing,
    sideThread,
    gate: debuggers?.gate,
  });
  const starting = async () => {
    await sources.load();
    logger.info('Initializing server.', { addrs: addresses, 'diagnostic-addrs': diagnosticAddresses });
    await server.start();
    logger.debug('Server initialized.', { urls: server.urls });
  };
  try {
    await Promise.race([starting(), ...(ending === undefined ? [] : [ending])]);
  } catch (error) {
    await debuggers?.close();
    await server.stop(0);
    throw error;
  }
  if (flags.on('watch')) sources.watch();
  const refresh = refreshCertificates(flags, server, logger);
  const collector = new IdleCollector();
  const stopCollecting = collectYoung();
  const stopSteadying = keepHeapSteady(engine);
  return {
    logger,
    urls: server.urls,
    reload() {
      logger.info('Reloading files and bundles.');
      sources.load().catch((error: Error) => logger.error(`Reloading files failed: ${error.message}`));
      void server.plugins.trigger();
    },
    async stop(graceMs) {
      clearInterval(refresh);
      collector.stop();
      stopCollecting();
      stopSteadying();
      sources.stop();
      // Held requests go on, so that the server need not wait for them.
      await debuggers?.close();
      await server.stop(graceMs);
      await closeThreads();
    },
  };
}

/** The inspector's address, if the flags say one; rejects where it is not of this machine. */
async function inspectorOf(flags: FlagValues) {
  const address = flags.text('inspect') ?? '';
  if (address === '') return undefined;
  checkLoopback(address);
  return { addresses: [address], routes: (await import('../server/inspector-routes.js')).inspectorRoutes };
}

/** Throws an Error for an address that other machines can reach: the page shows all policies. */
function checkLoopback(address: string): void {
  if (!/^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):\d+$/.test(address))
    throw new Error(`--inspect takes an address on this machine, as 127.0.0.1:8182, not ${JSON.stringify(address)}`);
}

/** Listens for debuggers, if the flags say so. */
async function debuggersOf(flags: FlagValues, workers: number, engine: Engine, logger: Logger) {
  const address = flags.text('debug-attach');
  if (address === undefined) return undefined;
  if (workers > 1) throw usageError('--debug-attach needs --workers 1: a debugger attaches to one process');
  const { attachDebuggers } = await import('../server/debug-attach.js');
  return await attachDebuggers(address, engine, logger);
}

/** Throws an Error for flags and paths that exclude each other. */
function checkFlags(flags: FlagValues): void {
  if (!flags.on('bundle') && (flags.text('verification-key') ?? '') !== '')
    throw new Error('enable bundle mode (ie. --bundle) to verify bundle files or directories');
}

interface Sources {
  load(): Promise<void>;
  watch(): void;
  stop(): void;
}

function sourcesOf(flags: FlagValues, paths: readonly string[], engine: Engine, logger: Logger): Sources {
  const ignore = flags.all('ignore');
  if (flags.on('bundle')) {
    return new PathBundles(paths, engine, logger, { ignore, verification: bundleVerification(flags) });
  }
  const files = new LooseFiles(paths, ignore, engine);
  return { load: () => files.load(), watch: () => files.watch(logger), stop: () => files.stop() };
}

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
