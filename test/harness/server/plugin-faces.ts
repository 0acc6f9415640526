/** Plugins for tests as a server has them, and in an engine in the process. */

import { Engine } from '../../../library/index.js';
import { discoveredConfigOf } from '../../../server/services/config/discovered-config.js';
import { readServiceConfig } from '../../../server/services/config/service-config.js';
import { metricsText } from '../../../server/services/metrics/prometheus.js';
import { parseJson, toJson } from '../../../values/json/json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { onTestFinished } from '../set-up/concurrent-tests.js';
import { started } from './plugins.js';

interface State {
  readonly state: string;
  readonly message?: string | undefined;
}

export interface PluginFace {
  /** Lines of the log and of the console. */
  readonly lines: readonly PlainObject[];
  /** The document at a path. */
  decide(path: string, input?: Value): Promise<Value | undefined>;
  /** Logs a decision with an id. */
  log(id: string, path: string, input: PlainObject): void;
  /** The fields of `GET /v1/status`. */
  status(): PlainObject;
  /** As `/metrics` has them. */
  metrics(): string;
  states(): ReadonlyMap<string, State>;
  /** Whether all bundles were active at one time. */
  isReady(): boolean;
  setPolicy(id: string, text: string): Promise<unknown>;
  /** Resolves when each bundle was loaded, or could not be. */
  settled(): Promise<void>;
  trigger(): Promise<void>;
  /** Sends what is left, and ends. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** Whether files are read again when they change. */
  readonly watch?: boolean;
}

export type StartPlugins = (config: PlainObject, options?: StartOptions) => Promise<PluginFace>;

export const pluginFaces: readonly (readonly [string, StartPlugins])[] = [
  ['plugins of a server', ofServer],
  ['plugins in the process', inProcess],
];

async function ofServer(given: PlainObject, options?: StartOptions): Promise<PluginFace> {
  const config: PlainObject = { status: { console: true }, ...given };
  const boot = readServiceConfig(config);
  const discover = (discovered: PlainObject) => ({ ...discoveredConfigOf(boot, discovered, readServiceConfig), apply: () => {} });
  const { manager, engine, lines, decide } = await started(config, { discover, ...options });
  return {
    lines,
    decide,
    log: (decisionId, path, input) => void manager.decisionLog!.record({ decisionId, path, input }),
    status: () => manager.status() as PlainObject,
    metrics: () => metricsText(manager.metrics()),
    states: () => manager.states(),
    isReady: () => manager.bundlesActivated(),
    setPolicy: (id, text) => engine.commit({ policies: new Map([[id, text]]) }),
    settled: () => manager.settled(),
    trigger: () => manager.trigger(),
    stop: () => manager.stop(),
  };
}

async function inProcess(given: PlainObject, options?: StartOptions): Promise<PluginFace> {
  const lines: PlainObject[] = [];
  const write = (level: string) => (msg: string, fields?: object) => void lines.push({ ...(fields as PlainObject), level, msg });
  const logger = { debug: write('debug'), info: write('info'), warn: write('warning'), error: write('error') };
  const config = { status: { console: true }, ...given };
  const engine = await Engine.open({ config, logger, console: logger, readyMs: 0, onWarning: () => {}, ...options });
  onTestFinished(() => engine.close());
  const settled = () => {
    const { bundles = {}, discovery } = engine.status();
    const all = [...Object.values(bundles), ...(discovery === undefined ? [] : [discovery])];
    return all.every(({ message, last_successful_activation: time }) => message !== undefined || !time.startsWith('0001-'));
  };
  return {
    lines,
    decide: (path, input) => engine.valueAsync(path, input),
    log: (decisionId, path, input) => void engine.value(path, input, { decisionId }),
    status: () => parseJson(toJson(engine.status() as unknown as Value)) as PlainObject,
    metrics: () => engine.metrics(),
    states: () => new Map(Object.entries(engine.status().plugins)),
    isReady: () => engine.status().ready,
    setPolicy: (id, text) => engine.setPolicy(id, text),
    async settled() {
      // Those that wait for a trigger are loaded when it comes.
      const waits = JSON.stringify(given).includes('"trigger":"manual"');
      while (!waits && !settled()) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    trigger: () => engine.trigger(),
    stop: () => engine.close(),
  };
}
