import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Logger } from '../../server/services/logs/logger.js';
import { FlagValues } from '../flags.js';
import { refreshCertificates } from './engine-of-flags.js';

const file = (name: string) => join(import.meta.dirname, '../../fixtures/tls', name);
const thirtyDays = 30 * 24 * 3_600_000;

test.each([
  [10, true],
  [thirtyDays, false],
])('certificates are read again after %d milliseconds: soon %j', async (period, isSoon) => {
  const flags = new FlagValues(
    new Map<string, (string | number)[]>([
      ['tls-cert-file', [file('server.pem')]],
      ['tls-private-key-file', [file('server.key')]],
      ['tls-cert-refresh-period', [period]],
    ]),
  );
  let count = 0;
  const logger = new Logger({ level: 'error', format: 'json', write: () => {} });
  const timer = refreshCertificates(flags, { reloadTls: () => count++ }, logger);
  await new Promise((resolve) => setTimeout(resolve, 200));
  clearInterval(timer);
  expect(count > 0).toBe(isSoon);
});
