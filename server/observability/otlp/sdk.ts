/** What traces and metrics have in common in the packages of OpenTelemetry. */
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import type { Logger } from '../logger.js';
import type { CollectorConfig } from './collector-config.js';

/** The packages have one place for complaints, whose they are is not told. */
export function logFaults(logger: Logger): void {
  setGlobalErrorHandler((error) =>
    logger.error(`OpenTelemetry failed: ${error instanceof Error ? error.message : JSON.stringify(error)}.`),
  );
  const silent = () => undefined;
  const complain = (message: string) => void logger.warn(`OpenTelemetry: ${message}`);
  const options = { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true };
  diag.setLogger({ error: complain, warn: complain, info: silent, debug: silent, verbose: silent }, options);
}

/** Attributes of the process that sends. */
export function resourceOf({ serviceName, resource }: CollectorConfig): Resource {
  return defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, ...resource }));
}

/** Sends what is left; a collector that is down is only reported. */
export async function shutDown(provider: { shutdown(): Promise<void> }): Promise<void> {
  await provider.shutdown().catch((error: unknown) => diag.warn(String(error)));
}
