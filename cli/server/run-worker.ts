/** A worker of `run --workers`: it gets its configuration and its state from the primary. */
import type { Socket } from 'node:net';
import type { ToWorker, ToWorkerAlone } from '../../server/index.js';
import {
  collectYoung,
  IdleCollector,
  keepHeapSteady,
  lastExportMs,
  PrimaryLink,
  readConfig,
  startTracing,
  Worker,
} from '../../server/index.js';
import { type PlainObject, parseJson } from '../../values/index.js';
import type { Arguments } from '../args.js';
import { exitCodes } from '../exit.js';
import type { Io } from '../io.js';
import { engineOfFlags, loggersOf, modesOf, refreshCertificates, socketPermissions } from './engine-of-flags.js';
import { tlsOptions } from './tls.js';
import { workerVariable } from './worker-processes.js';

type Start = Extract<ToWorker, { kind: 'start' }>;

/** Serves until the primary ends it, or is gone. */
export async function runWorker({ flags }: Arguments, { env, ...io }: Io): Promise<number> {
  // Policies should not see the variable.
  const { [workerVariable]: _, ...shown } = env;
  delete process.env[workerVariable];
  const { logger, console } = loggersOf(flags, { env, ...io });
  // The primary gets the signals, and commands the workers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('unhandledRejection', (reason) =>
    logger.error('Unhandled rejection.', {
      error: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason),
    }),
  );
  process.on('disconnect', () => process.exit(exitCodes.ok));
  // The primary may have ended before.
  if (!process.connected) return exitCodes.ok;
  return await new Promise<number>((resolve) => {
    let close = async (_until: number): Promise<void> => undefined;
    /** Changes that come meanwhile are queued behind the state. */
    let running: Promise<{ readonly worker: Worker; readonly started: Promise<void> }>;
    const start = async (message: Start) => {
      const tls = tlsOptions(flags);
      const config = readConfig(parseJson(message.config) as PlainObject);
      const tracing = await startTracing(config.tracing, logger);
      const { engine, sideThread, closeThreads } = engineOfFlags(flags, { ...io, env: shown }, config.runtime, logger, {
        tracing,
      });
      close = async (until) => void (await Promise.all([closeThreads(), tracing?.stop(lastExportMs(until))]));
      keepHeapSteady(engine);
      const options = {
        engine,
        logger,
        console,
        sideThread,
        link,
        tls,
        tracing,
        h2c: flags.on('h2c'),
        ...modesOf(flags),
      };
      const worker = new Worker(message, { ...options, unixSocketPermissions: socketPermissions(flags) });
      refreshCertificates(flags, worker, logger);
      return { worker, started: worker.start() };
    };
    const stop = async (graceMs: number): Promise<void> => {
      const until = performance.now() + graceMs;
      const { worker } = await running;
      await worker.stop(graceMs);
      await close(until);
      await link.send({ kind: 'stopped', report: worker.report() });
      process.disconnect();
      resolve(exitCodes.ok);
    };
    const receive = (message: ToWorkerAlone, socket: Socket | undefined): void => {
      if (message.kind === 'start') {
        running = start(message);
        running
          .then(({ started }) => started)
          .then(() => link.send({ kind: 'ready' }))
          .catch(async (error: Error) => {
            await link.send({ kind: 'failed', message: error.message });
            process.exit(exitCodes.evaluationError);
          });
      } else if (message.kind === 'stop') stop(message.graceMs).catch(() => process.exit(exitCodes.evaluationError));
      else void running.then(({ worker }) => handle(message, worker, socket, link));
    };
    const link: PrimaryLink = new PrimaryLink(process, receive);
    new IdleCollector();
    collectYoung();
  });
}

function handle(
  message: Exclude<ToWorkerAlone, { kind: 'start' | 'stop' }>,
  worker: Worker,
  socket: Socket | undefined,
  link: PrimaryLink,
): void {
  if (message.kind === 'change') {
    const { number, change } = message;
    const changed = (error?: Error) => void link.send({ kind: 'changed', number, error: error?.message });
    worker.change(change).then(() => changed(), changed);
  } else if (message.kind === 'report') void link.send({ kind: 'report', id: message.id, report: worker.report() });
  else if (message.kind === 'settings') void worker.apply(message.settings);
  else if (message.kind === 'bundles') worker.bundlesActivated = message.activated;
  else if (message.kind === 'connection') {
    void link.send({ kind: 'taken', id: message.id });
    // There is no socket where the client is gone.
    if (socket !== undefined) worker.take(message.address, socket);
  }
}
