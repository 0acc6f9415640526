/** The options of OTLP's exporters that reach a collector. */
import type { AgentOptions } from 'node:https';
import type { CollectorConfig } from './collector-config.js';

/** The URL of a collector, without a path. */
export function collectorUrl({ address, tls }: CollectorConfig): string {
  return `${tls === undefined ? 'http' : 'https'}://${address}`;
}

/** Options of an exporter over HTTP. */
export function httpOptions(collector: CollectorConfig, path: string): { readonly url: string; readonly httpAgentOptions?: AgentOptions } {
  const { tls } = collector;
  const url = collectorUrl(collector) + path;
  if (tls === undefined) return { url };
  const httpAgentOptions = {
    keepAlive: true,
    rejectUnauthorized: !tls.allowsInsecure,
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.certificate !== undefined && { cert: tls.certificate, key: tls.key }),
  };
  return { url, httpAgentOptions };
}
