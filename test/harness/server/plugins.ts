/** An engine with plugins for tests, and the lines of its logs. */

import { Engine } from '../../../engine/engine.js';
import { createContext } from '../../../engine/shared-context.js';
import { parsePlugins } from '../../../server/services/config/plugins-config.js';
import { Logger } from '../../../server/services/logs/logger.js';
import { type ManagerContext, type ManagerOptions, PluginManager } from '../../../server/services/manager.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { onTestFinished } from '../set-up/concurrent-tests.js';

interface TestBench {
  readonly engine: Engine;
  readonly context: ManagerContext;
  /** Lines of the server's log and of the console. */
  readonly lines: PlainObject[];
}

export function bench(): TestBench {
  const lines: PlainObject[] = [];
  const logger = new Logger({ level: 'debug', format: 'json', write: (text) => lines.push(parseJson(text) as PlainObject) });
  const engine = new Engine({ context: createContext({ host: nodeHost }) });
  return { engine, lines, context: { engine, logger, console: logger, labels: { id: 'test', version: '0' } } };
}

export interface RunningPlugins extends TestBench {
  readonly manager: PluginManager;
  /** The document at a path. */
  readonly decide: (path: string, input?: Value) => Promise<Value | undefined>;
}

/** Plugins of a configuration, started; they are stopped after the test. */
export async function started(config: Value, options: ManagerOptions = {}, on: TestBench = bench()): Promise<RunningPlugins> {
  const manager = new PluginManager(parsePlugins(config), on.context, options);
  await manager.start();
  onTestFinished(() => manager.stop());
  const decide = async (path: string, input?: Value) => (await on.engine.decide(path.split('/'), input)).value;
  return { ...on, manager, decide };
}
