import { expect, test } from 'vitest';
import { Logger } from '../logs/logger.js';
import { logComplaints, shutDown } from './sdk.js';

async function complaintsOf(shutdown: () => Promise<void>): Promise<readonly unknown[]> {
  const lines: string[] = [];
  const logger = new Logger({ level: 'info', format: 'json', write: (line) => lines.push(line) });
  logComplaints(logger, false);
  await shutDown({ shutdown }, 10, logger);
  return lines.map((line) => (JSON.parse(line) as { readonly msg: unknown }).msg);
}

test('the end does not wait for a collector that takes longer', async () => {
  const msg = 'OpenTelemetry: Error: the collector did not answer before the end';
  expect(await complaintsOf(() => new Promise(() => undefined))).toEqual([msg]);
});

test('an error at the end is reported', async () => {
  expect(await complaintsOf(() => Promise.reject(new Error('x')))).toEqual(['OpenTelemetry: Error: x']);
  expect(await complaintsOf(async () => undefined)).toEqual([]);
});
