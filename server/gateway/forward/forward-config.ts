/** The plugin `forward_auth` in a configuration. */
import { ConfigError, type ConfigSection } from '../../services/config/config-section.js';
import { envoyDefaults } from '../envoy/envoy-config.js';

export const forwardPlugin = 'forward_auth';

/** Where the original request is: see `original-request.ts`. */
const sources = ['forwarded', 'original', 'request'] as const;
export type OriginalSource = (typeof sources)[number];

export interface ForwardConfig {
  readonly addr: string;
  readonly decision: { readonly path: string } | { readonly query: string };
  readonly dryRun: boolean;
  readonly skipsBody: boolean;
  readonly source: OriginalSource;
}

const defaultAddr = ':9192';

/** Undefined where no gateway asks over HTTP. Throws a ConfigError. */
export function parseForward(config: ConfigSection): ForwardConfig | undefined {
  const plugins = config.section('plugins');
  const section = plugins?.has(forwardPlugin) === true ? plugins.section(forwardPlugin) : undefined;
  if (section === undefined) return undefined;
  const [path, query] = [section.string('path') ?? '', section.string('query') ?? ''];
  if (path !== '' && query !== '') throw new ConfigError(`plugins.${forwardPlugin}: give a path or a query, not both`);
  const source = section.string('source') ?? 'forwarded';
  const known = sources.find((name) => name === source);
  if (known === undefined)
    throw new ConfigError(`plugins.${forwardPlugin}.source: must be one of ${sources.join(', ')}`);
  return {
    addr: section.string('addr') || defaultAddr,
    decision: query === '' ? { path: path || envoyDefaults.path } : { query },
    dryRun: section.boolean('dry-run') ?? false,
    skipsBody: section.boolean('skip-request-body-parse') ?? false,
    source: known,
  };
}
