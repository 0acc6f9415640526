/** A server by the flags of `run`: its configuration, engine, sources, debuggers and addresses. */
import type { Engine } from '../../engine/index.js';
import type { Logger, OwnRoutes, ServerConfig } from '../../server/index.js';
import {
  collectYoung,
  IdleCollector,
  keepHeapSteady,
  LooseFiles,
  PathBundles,
  Primary,
  RecentDecisions,
  readConfig,
  Server,
  startTracing,
} from '../../server/index.js';
import { isObject, type PlainObject } from '../../values/index.js';
import type { Arguments } from '../args.js';
import { bundleVerification, verificationConfig } from '../bundles/signing.js';
import { CommandError, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { errorText } from '../output/error-output.js';
import { DownloadProgress } from './download-progress.js';
import { engineOfFlags, loggersOf, modesOf, refreshCertificates, socketPermissions } from './engine-of-flags.js';
import { isLocalAddress } from './local-address.js';
import { withRemoteBundles } from './remote-bundles.js';
import { givenConfig, useYamlOf } from './run-config.js';
import { tlsFloor, tlsOptions } from './tls.js';
import { spawnWorker, workerCount } from './worker-processes.js';

/** A running server. */
export interface Running {
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

async function start(args: Arguments, io: Io, { write, ending }: StartOptions): Promise<Running> {
  const { flags } = args;
  checkFlags(flags);
  const downloads = io.progressLine && new DownloadProgress(io.stderr, io.progressLine);
  const loggers = loggersOf(flags, io, write ?? downloads?.log.bind(downloads));
  const { logger } = loggers;
  const configured = configurationOf(args, io, logger);
  const tls = tlsOfFlags(flags, logger);
  const serving = await engineFor(configured, flags, io, logger);
  const { engine } = serving;
  const sources = sourcesOf(flags, configured.paths, engine, logger);
  // Filled where the configuration says so: for the page, and for `POST /v1/diff`.
  const recent = new RecentDecisions();
  const debuggers = await debuggersOf(flags, serving.workers, engine, logger);
  const server = new Server({
    ...configured,
    ...serving,
    ...loggers,
    ...addressesOf(flags),
    ...modesOf(flags),
    ...settingsOf(flags),
    others: [...(await inspectorOf(flags)), ...(await uiOf(flags, recent))],
    recent,
    tls,
    watchDownloads: downloads?.network.bind(downloads),
    gate: debuggers?.gate,
  });
  const parts: Parts = { engine, server, sources, debuggers, closeThreads: serving.closeThreads, logger };
  await startServing(parts, addressesOf(flags), ending);
  return runningServer(parts, flags);
}

/** The parts of a server that are started and stopped. */
interface Parts {
  readonly engine: Engine;
  readonly server: Server;
  readonly sources: Sources;
  readonly debuggers: Awaited<ReturnType<typeof debuggersOf>>;
  readonly closeThreads: () => Promise<void>;
  readonly logger: Logger;
}

interface Addresses {
  readonly addresses: readonly string[];
  readonly diagnosticAddresses: readonly string[];
}

function addressesOf(flags: FlagValues): Addresses {
  return {
    addresses: flags.has('addr') ? flags.all('addr') : ['localhost:8181'],
    diagnosticAddresses: flags.all('diagnostic-addr'),
  };
}

/** The settings of a server that flags state one by one. */
function settingsOf(flags: FlagValues) {
  return {
    readyTimeoutMs: 1000 * Math.max(0, flags.number('ready-timeout') ?? 0),
    watch: flags.on('watch'),
    skipsSchemaCheck: flags.on('skip-known-schema-check'),
    h2c: flags.on('h2c'),
    unixSocketPermissions: socketPermissions(flags),
    tlsFloor: tlsFloor(flags),
  };
}

interface Configured {
  readonly config: ServerConfig;
  /** The whole configuration, for workers. */
  readonly configuration: PlainObject;
  /** Paths that are no URLs of bundles. */
  readonly paths: readonly string[];
}

/** The configuration of flags and files, whose warnings are logged. */
function configurationOf({ flags, positionals }: Arguments, io: Io, logger: Logger): Configured {
  const verification = flags.on('skip-verify') ? undefined : verificationConfig(flags);
  const remote = withRemoteBundles(givenConfig(flags, io), positionals, verification);
  const configuration = flags.has('ui') ? withRecentDecisions(remote.config) : remote.config;
  const { paths } = remote;
  const config = readConfig(configuration);
  useYamlOf(config, flags);
  for (const warning of config.warnings) logger.warn(warning);
  return { config, configuration, paths };
}

/** The events that the page shows where the configuration says nothing. */
const recentDecisions = 200;

function withRecentDecisions(config: PlainObject): PlainObject {
  const section = config.decision_logs ?? {};
  // A section that is no object has its error when it is read.
  if (section === null || !isObject(section) || 'recent' in section) return config;
  return { ...config, decision_logs: { ...(section as PlainObject), recent: recentDecisions } };
}

function tlsOfFlags(flags: FlagValues, logger: Logger): ReturnType<typeof tlsOptions> {
  const tls = tlsOptions(flags);
  if (tls === undefined && flags.text('authentication') === 'tls')
    logger.warn(
      '--authentication=tls without --tls-cert-file: no connection is one of TLS, so no request has an identity',
    );
  return tls;
}

/** The engine with its threads, spans and worker processes. */
async function engineFor({ config }: Configured, flags: FlagValues, io: Io, logger: Logger) {
  const workers = workerCount(flags, io);
  const tracing = await startTracing(config.tracing, logger);
  // Set before the engine has its first change.
  let primary: Primary | undefined;
  const serving = engineOfFlags(flags, io, config.runtime, logger, {
    tracing,
    replicate: workers > 1 ? (change, revision) => primary!.replicate(change, revision) : undefined,
  });
  const { engine } = serving;
  if (workers > 1) primary = new Primary({ count: workers, spawn: () => spawnWorker(io), engine, logger });
  return { ...serving, tracing, primary, workers };
}

/** Loads the sources and takes requests, unless the process ends before. */
async function startServing(
  { server, sources, debuggers, logger }: Parts,
  { addresses, diagnosticAddresses }: Addresses,
  ending: Promise<void> | undefined,
): Promise<void> {
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
}

/** Starts the work that goes on beside requests. */
function runningServer(
  { engine, server, sources, debuggers, closeThreads, logger }: Parts,
  flags: FlagValues,
): Running {
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
async function inspectorOf(flags: FlagValues): Promise<readonly OwnRoutes[]> {
  const address = flags.text('inspect') ?? '';
  if (address === '') return [];
  if (!isLocalAddress(address))
    throw new Error(`--inspect takes an address on this machine, as 127.0.0.1:8182, not ${JSON.stringify(address)}`);
  return [{ addresses: [address], routes: (await import('./inspector-routes.js')).inspectorRoutes }];
}

/**
 * The address of the page of the server, if the flags say one; rejects where others could read it
 * without authorization.
 */
async function uiOf(flags: FlagValues, recent: RecentDecisions): Promise<readonly OwnRoutes[]> {
  const address = flags.text('ui') ?? '';
  if (address === '') return [];
  if (!isLocalAddress(address) && flags.text('authorization') !== 'basic')
    throw new Error(
      `--ui ${JSON.stringify(address)} can be reached from other machines: it needs --authorization=basic`,
    );
  return [{ addresses: [address], routes: (await import('./ui/ui-routes.js')).uiRoutes(recent) }];
}

/** Listens for debuggers, if the flags say so. */
async function debuggersOf(flags: FlagValues, workers: number, engine: Engine, logger: Logger) {
  const address = flags.text('debug-attach');
  if (address === undefined) return undefined;
  if (workers > 1) throw usageError('--debug-attach needs --workers 1: a debugger attaches to one process');
  const { attachDebuggers } = await import('./debug-attach.js');
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
