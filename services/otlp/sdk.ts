/** What traces and metrics have in common in the packages of OpenTelemetry. */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { Logger } from '../plugin.js';
import type { CollectorConfig } from './collector-config.js';

/** The logs of all that send. */
const logs = new Set<Logger>();

/**
 * The packages report the faults of traces and of metrics at one place of the process, without a
 * difference: each log gets all.
 * @param isGuest whether the process is another program's, whose own OpenTelemetry stays as it is
 */
export function logFaults(logger: Logger, isGuest: boolean): void {
  logs.add(logger);
  setGlobalErrorHandler((error) => {
    const complaint = `OpenTelemetry failed: ${error instanceof Error ? error.message : JSON.stringify(error)}.`;
    for (const log of logs) log.error(complaint);
  });
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
 * down is only reported. The log gets no more faults.
 */
export async function shutDown(provider: { shutdown(): Promise<void> }, timeMs: number, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the collector did not answer before the end')), timeMs);
  });
  await Promise.race([provider.shutdown(), expired]).catch((error: unknown) => logger.warn(`OpenTelemetry: ${String(error)}`));
  clearTimeout(timer);
  logs.delete(logger);
}
