/** Decisions for `exec`, from bundles and a configuration, without a server. */

import { createContext } from '../../engine/context.js';
import { Engine } from '../../engine/engine.js';
import type { Decided } from '../../engine/evaluation/caller.js';
import { nodeHost } from '../../runtime/host/node.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { readConfig } from '../../server/control/config.js';
import { discoveredConfigOf } from '../../server/control/discovered-config.js';
import type { Logger } from '../../server/observability/logger.js';
import { PathBundles } from '../../server/plugins/bundle/path-bundles.js';
import { ConfigSection } from '../../server/plugins/config-section.js';
import { parseKeys } from '../../server/plugins/keys.js';
import { PluginManager } from '../../server/plugins/manager.js';
import { codegenOf, languageVersion } from '../compile-flags.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { outputErrors } from '../output/failures.js';
import { givenConfig } from '../server/config.js';

export interface ExecSession {
  /** The name of the decision from the command line or the configuration. */
  readonly decision: string;
  /**
   * The document for an input. The decision is logged if the configuration enables decision logs.
   * Rejects with an EvaluationError.
   */
  decide(input: Value, id: string, signal: AbortSignal | undefined): Promise<Value | undefined>;
  /** Writes the remaining decision logs. */
  close(): Promise<void>;
}

/** Activates all bundles. Rejects with a ConfigError, a BundleError or CompileErrors. */
export async function openSession(flags: FlagValues, io: Io, logger: Logger, console: Logger): Promise<ExecSession> {
  const given = givenConfig(flags, io);
  const config = readConfig(given);
  const { plugins: wanted, labels, settings, runtime } = config;
  const engine = new Engine({
    context: createContext(
      { host: nodeHost },
      { runtime: { env: { ...io.env } as PlainObject, config: runtime }, codegen: codegenOf(flags) },
    ),
    language: languageVersion(flags) === 'v1' ? 'v1' : 'v0',
  });
  // Without a key, unsigned bundles are accepted and signed ones are rejected.
  const keys = parseKeys(new ConfigSection(given, '').section('keys')).verification;
  const verification = flags.on('skip-verify') ? undefined : { keys };
  await new PathBundles(flags.all('bundle'), engine, logger, { verification }).load();
  const plugins = new PluginManager(
    wanted,
    { engine, logger, console, labels },
    { discover: (discovered) => discoveredConfigOf(config, discovered) },
  );
  await plugins.start();
  await plugins.settled();
  if (!plugins.bundlesActivated()) {
    await plugins.stop();
    throw new Error('one or more bundles are not activated');
  }
  const decision = flags.text('decision') || String(settings.shownConfig.default_decision);
  const path = decision.replace(/^\/+|\/+$/g, '');
  const onPrint = (line: string) => io.stderr(`${line}\n`);
  const prepared = engine.prepare(path.split('/'));
  const log = (outcome: { readonly result?: Value | undefined; readonly error?: Value }, input: Value, decisionId: string) =>
    plugins.decisionLog?.record({ decisionId, path, input, bundles: engine.bundles(), ...outcome });
  return {
    decision,
    async decide(input, id, signal) {
      try {
        const use = ({ value }: Decided) => {
          void log({ result: value }, input, id);
          return value;
        };
        return await prepared.decide(input, use, undefined, { signal, onPrint });
      } catch (error) {
        await log({ error: outputErrors(error)[0]!.message }, input, id);
        throw error;
      }
    },
    close: () => plugins.stop(),
  };
}
