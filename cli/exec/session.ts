/** Decisions for `exec`, from bundles and a configuration, without a server. */

import type { Asker, Bundle, Decided, Explanation, VerificationConfig } from '../../engine/index.js';
import { Asking, ask, createContext, Engine, fetchBundle, missingIn, recordedAnswers } from '../../engine/index.js';
import { FileSource } from '../../engine/node.js';
import type { PlainObject, Value } from '../../values/index.js';
import { nodeHost } from '../../values/node.js';
import { codegenOf, languageVersion } from '../compile-flags.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { outputError } from '../output/failures.js';
import { configurationOf, type Loggers, type Plugins } from './configuration.js';

export interface ExecSession {
  /** The name of the decision from the command line or the configuration. */
  readonly decision: string;
  /**
   * The document for an input. The decision is logged if the configuration enables decision logs.
   * Rejects with an EvaluationError.
   */
  decide(input: Value, id: string, signal: AbortSignal | undefined): Promise<Value | undefined>;
  /** The fault in the decision's name, where nothing has it. */
  missing(): string | undefined;
  /** Writes the remaining decision logs. */
  close(): Promise<void>;
}

/** Activates all bundles. Rejects with a ConfigError, a BundleError or CompileErrors. */
export async function openExecSession(flags: FlagValues, io: Io, loggers: Loggers): Promise<ExecSession> {
  const configuration = await configurationOf(flags, io);
  const runtime = { env: { ...io.env } as PlainObject, config: configuration.shown };
  const engine = new Engine({
    context: createContext({ host: nodeHost }, { runtime, codegen: codegenOf(flags) }),
    language: languageVersion(flags) === 'v1' ? 'v1' : 'v0',
    endsSoon: true,
    onWarning: (warning) => io.stderr(`warning: ${warning}\n`),
  });
  // The keys of a configuration have other uses, too: unsigned bundles are accepted.
  const verification = flags.on('skip-verify') ? undefined : { keys: configuration.keys, optional: true };
  await activateBundles(flags.all('bundle'), engine, verification, loggers);
  const plugins = await configuration.start?.(engine, loggers);
  const decision = flags.text('decision') || configuration.decision;
  return sessionOf(engine, decision, plugins, io);
}

/** A command has no requests. */
const asker: Asker = { fields: () => ({}), bytes: () => 0 };

/** Without plugins there are no labels to log. */
const noLogger = { error: () => undefined };

function sessionOf(engine: Engine, decision: string, plugins: Plugins | undefined, io: Io): ExecSession {
  const path = decision.replace(/^\/+|\/+$/g, '');
  const segments = path.split('/');
  const prepared = engine.prepare(segments);
  const onPrint = (line: string) => io.stderr(`${line}\n`);
  const { decisionLog: log, logger = noLogger } = plugins ?? {};
  return {
    decision,
    async decide(input, id, signal) {
      const answers = recordedAnswers(engine, log);
      const asking = new Asking(
        { engine, logger },
        log,
        asker,
        { path, segments, input, metrics: undefined, answers },
        id,
      );
      const use = (decided: Decided, explanation?: Explanation) => {
        asking.answered(decided, { explanation });
        return decided.value;
      };
      const ways = { options: asking.noting({ signal, onPrint }), why: asking.explainingEvent() };
      try {
        return await ask({ engine, prepared }, asking.question, use, ways);
      } catch (error) {
        asking.failed(() => outputError(error).message);
        throw error;
      }
    },
    missing: () => missingIn(engine, segments),
    async close() {
      await plugins?.stop();
    },
  };
}

/**
 * Activates bundles, which their paths name: all of them or none. Rejects with a BundleError or
 * CompileErrors.
 */
async function activateBundles(
  paths: readonly string[],
  engine: Engine,
  verification: VerificationConfig | undefined,
  loggers: Pick<Loggers, 'logger'>,
): Promise<void> {
  if (paths.length === 0) return;
  const sources = new Map(paths.map((path) => [path, new FileSource(path, { crypto: nodeHost.crypto, verification })]));
  const bundles = new Map<string, Bundle>();
  for (const [path, source] of sources) bundles.set(path, await fetchBundle(source));
  await engine.commit({ bundles, bundlesTransferred: true }, { ignoreRoots: true });
  for (const [path, bundle] of bundles) if (bundle.wasm.length > 0) await warnOf(path, bundle, loggers);
}

async function warnOf(path: string, bundle: Bundle, { logger }: Pick<Loggers, 'logger'>): Promise<void> {
  const { warnOfWasm } = await import('../../server/services/bundle/activation.js');
  warnOfWasm(path, bundle, await logger());
}
