/** `/health`: whether the server can decide, and the health rules of policies. */

import type { PlainObject, Value } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import type { PluginView } from '../../services/plugin-view.js';
import type { Exchange } from '../requests/exchange.js';
import { documentSegments, refText } from '../requests/path.js';
import { type HttpAnswer, jsonAnswer } from '../responses/answer.js';

export async function getHealth({ params }: Exchange, { engine, plugins, writing }: AppContext): Promise<HttpAnswer> {
  try {
    const works = await engine.query('true', undefined, {}, (solutions) => solutions.length === 1);
    if (!works) return unhealthy('unable to perform evaluation');
  } catch {
    return unhealthy('unable to perform evaluation');
  }
  if ((params.on('bundles') || params.on('bundle')) && !plugins.bundlesActivated()) {
    return unhealthy('one or more bundles are not activated');
  }
  if (params.on('plugins')) {
    const excluded = params.all('exclude-plugin');
    const allUp = [...plugins.states()].every(([name, { state }]) => state === 'OK' || excluded.includes(name));
    if (!allUp) return unhealthy('one or more plugins are not up');
  }
  const stored = params.on('store') ? writing.state() : undefined;
  if (stored?.isHealthy === false) {
    const behind = `${stored.name} was not followed for ${Math.round(stored.lagSeconds)} s`;
    return unhealthy(`the log of writes is not followed: ${stored.problem ?? behind}`);
  }
  return jsonAnswer(200, {});
}

/** `GET /health/<rule>`: a rule of the package `system.health`. */
export async function getPolicyHealth(
  exchange: Exchange,
  { engine, plugins, settings }: AppContext,
): Promise<HttpAnswer> {
  const path = ['system', 'health', ...documentSegments('/health', exchange.path)];
  const name = refText(path);
  const options = { timeMs: settings.evaluationTimeMs };
  let value: Value | undefined;
  try {
    value = await engine.decide(path, healthInput(plugins), options, (decided) => decided.value);
  } catch (error) {
    return unhealthy(error instanceof Error ? error.message : String(error));
  }
  if (value === true) return jsonAnswer(200, {});
  return unhealthy(`health check (${name}) ${value === undefined ? 'was undefined' : 'returned unexpected value'}`);
}

function healthInput(plugins: PluginView): PlainObject {
  const states = [...plugins.states()].map(([name, { state }]) => [name, state] as const);
  return { plugins_ready: plugins.wasReady, plugin_state: Object.fromEntries(states) };
}

function unhealthy(error: string): HttpAnswer {
  return jsonAnswer(500, { error });
}
