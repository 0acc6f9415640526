/** The parts of a server that the flags of `run` describe, for each of its processes. */

import { createContext, Engine, type EngineOptions, ThreadPool } from '../../engine/index.js';
import { nodeThreads, queriesIn, SideThread } from '../../engine/node.js';
import type { ServerTlsOptions, Tracing } from '../../server/index.js';
import { countFault, type LogFormat, Logger, type LogLevel } from '../../server/index.js';
import { type PlainObject, timerMs } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import { codegenOf } from '../compile-flags.js';
import { usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { tlsOptions } from './tls.js';

interface Loggers {
  readonly logger: Logger;
  /** The log of decisions and status, at any level of the other log. */
  readonly console: Logger;
}

export function loggersOf(flags: FlagValues, io: Io, write?: (text: string, isAwaited: boolean) => unknown): Loggers {
  const format = (flags.text('log-format') ?? 'json') as LogFormat;
  const timeLayout = flags.text('log-timestamp-format') || io.env.OPA_LOG_TIMESTAMP_FORMAT || '';
  const log = { format, timeLayout, ...(write !== undefined && { write }) };
  return {
    logger: new Logger({ level: (flags.text('log-level') ?? 'info') as LogLevel, ...log }),
    console: new Logger({ level: 'info', ...log }),
  };
}

interface ServingEngine {
  readonly engine: Engine;
  readonly sideThread: SideThread | undefined;
  closeThreads(): Promise<void>;
}

/** @param configuration as policies see it */
export function engineOfFlags(
  flags: FlagValues,
  io: Io,
  configuration: PlainObject,
  logger: Logger,
  { replicate, tracing }: Pick<EngineOptions, 'replicate'> & { readonly tracing: Tracing | undefined },
): ServingEngine {
  const pool = io.entry === undefined ? undefined : new ThreadPool(nodeThreads(io.entry));
  const sideThread = io.entry === undefined ? undefined : new SideThread(io.entry);
  const runtime = {
    env: { ...io.env } as PlainObject,
    config: configuration,
    authorization_enabled: flags.text('authorization') === 'basic',
    skip_known_schema_check: flags.on('skip-known-schema-check'),
  };
  const host = tracing === undefined ? nodeHost : { ...nodeHost, network: tracing.network(nodeHost.network) };
  const engine = new Engine({
    context: createContext({ host }, { runtime, codegen: codegenOf(flags), onFault: faultsTo(logger) }),
    onWarning: (warning) => logger.warn(warning),
    longEvaluations: pool,
    compileElsewhere: sideThread && queriesIn(sideThread),
    replicate,
    language: flags.on('v0-compatible') ? 'v0' : 'v1',
    // As in the reference: "print" calls are removed if the log level hides their output.
    compile: { errorLimit: flags.number('max-errors') ?? 10, print: logger.writes('info') },
  });
  const closeThreads = async () => void (await Promise.all([pool?.close(), sideThread?.close()]));
  return { engine, sideThread, closeThreads };
}

/** Logs and counts faults of writ. */
function faultsTo(logger: Logger): (fault: string) => void {
  return (fault) => {
    countFault();
    logger.error(`${fault.slice(0, 1).toUpperCase()}${fault.slice(1)}.`);
  };
}

/** How clients identify themselves, and whether a policy decides about their requests. */
export function modesOf(flags: FlagValues): {
  readonly authentication: 'off' | 'token' | 'tls';
  readonly authorization: 'off' | 'basic';
} {
  return {
    authentication: (flags.text('authentication') ?? 'off') as 'off',
    authorization: (flags.text('authorization') ?? 'off') as 'off',
  };
}

export function socketPermissions(flags: FlagValues): string {
  const given = flags.text('unix-socket-perm') ?? '755';
  if (!/^[0-7]{1,4}$/.test(given))
    throw usageError(`invalid argument ${JSON.stringify(given)} for "--unix-socket-perm" flag: must be octal digits`);
  return given;
}

/** Reads the certificates again in the period of the flags. */
export function refreshCertificates(
  flags: FlagValues,
  server: { reloadTls(tls: ServerTlsOptions): void },
  logger: Logger,
): NodeJS.Timeout | undefined {
  const period = flags.number('tls-cert-refresh-period') ?? 0;
  if (period <= 0) return undefined;
  return setInterval(() => {
    try {
      const tls = tlsOptions(flags);
      if (tls !== undefined) server.reloadTls(tls);
    } catch (error) {
      logger.error(`Refreshing certificates failed: ${(error as Error).message}`);
    }
  }, timerMs(period)).unref();
}
