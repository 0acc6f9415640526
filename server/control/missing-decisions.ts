/** Decisions that a configuration names, and that no policy has. */
import { type Engine, missingName, missingText } from '../../engine/index.js';
import { authzenPlugin } from '../gateway/authzen/authzen-config.js';
import { refText } from '../http/requests/path.js';
import type { ServerConfig } from './server-config.js';

/**
 * A warning for each: gateways and clients would only see that nothing is decided.
 * @param authorizes whether a decision authorizes requests
 */
export function missingDecisions(engine: Engine, config: ServerConfig, authorizes: boolean): readonly string[] {
  const { authorizationDecision: path } = config.settings;
  const isMissing = authorizes && missingName(engine, path, 'rules') !== undefined;
  const refused = `--authorization=basic: there is no policy at ${refText(path)}, so every request is refused`;
  return [...(isMissing ? [refused] : []), ...missingOfPlugins(engine, config)];
}

function missingOfPlugins(engine: Engine, { gateways, settings: { authzen } }: ServerConfig): readonly string[] {
  const ofGateways = gateways.flatMap(({ name, config: { decision } }) =>
    'path' in decision ? [[name, decision.path.split('/').filter((segment) => segment !== '')] as const] : [],
  );
  const paths = authzen === undefined ? [] : [authzen.path, ...authzen.paths.map((row) => row.path)];
  return [...ofGateways, ...paths.map((path) => [authzenPlugin, path] as const)].flatMap(([plugin, path]) => {
    const missing = missingName(engine, path, 'all');
    return missing === undefined ? [] : [`plugins.${plugin}: ${missingText(missing)}`];
  });
}
