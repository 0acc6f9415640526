/** The common parts of traces and metrics in the packages of OpenTelemetry. */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { PluginLogger } from '../plugin.js';
import type { CollectorConfig } from './collector-config.js';

/**
 * Has the log told what the packages complain of.
 * @param isGuest whether the process is another program's, whose own OpenTelemetry stays as it is
 */
export function logComplaints(logger: PluginLogger, isGuest: boolean): void {
  if (isGuest) return;
  const silent = () => undefined;
  const complain = (message: string) => void logger.warn(`OpenTelemetry: ${message}`);
  const options = { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true };
  diag.setLogger({ error: complain, warn: complain, info: silent, debug: silent, verbose: silent }, options);
}

/** Attributes of the process that sends. */
export function resourceOf({ serviceName, resource }: CollectorConfig): Resource {
  return defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, ...resource }));
}

/**
 * Sends what is left, for at most `timeMs`: the packages try again for longer. A collector that is
 * down is only reported.
 */
export async function shutDown(
  provider: { shutdown(): Promise<void> },
  timeMs: number,
  logger: PluginLogger,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the collector did not answer before the end')), timeMs);
  });
  await Promise.race([provider.shutdown(), expired]).catch((error: unknown) =>
    logger.warn(`OpenTelemetry: ${String(error)}`),
  );
  clearTimeout(timer);
}
