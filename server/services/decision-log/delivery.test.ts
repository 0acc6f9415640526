import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { eventually, temporaryDirectory } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { started } from '../../../test/harness/server/plugins.js';
import { onTestFinished, tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import type { PlainObject } from '../../../values/value.js';

tellTestsApart();

/** A log service that can be killed, and the numbers that it has stored. */
async function killableService() {
  // A port that was free a moment ago.
  const placeholder = await serve((_, response) => response.end());
  await placeholder.close();
  const { port } = new URL(placeholder.url);
  const file = join(temporaryDirectory(), 'numbers');
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const start = async () => {
    child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/harness/server/log-service.ts'), port, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout!, 'data');
  };
  onTestFinished(kill);
  const stored = () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').map(Number) : []);
  return { url: placeholder.url, start, kill, stored };
}

test.concurrent.each([
  ['a buffer without a limit', {}],
  ['a buffer of 2,000 events', { buffer_type: 'event', buffer_size_limit_events: 2000 }],
  ['a buffer of 8,000 bytes', { buffer_size_limit_bytes: 8000 }],
])('with %s, a log service that is killed and restarted misses nothing but what is counted', async (_title, reporting) => {
  const service = await killableService();
  await service.start();
  const { manager } = await started({
    services: { s: { url: service.url } },
    decision_logs: {
      reporting: { trigger: 'immediate', min_delay_seconds: 0, max_delay_seconds: 1, upload_size_limit_bytes: 2000, ...reporting },
    },
    status: { console: true },
  });
  const count = 12_000;
  for (let n = 0; n < count; n++) {
    void manager.decisionLog!.record({ decisionId: manager.decisionLog!.newId(), input: { n } });
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    if (n === count / 3) await service.kill();
    if (n === (2 * count) / 3) await service.start();
  }
  await eventually(() => expect(service.stored().at(-1)).toBe(count - 1));
  await manager.stop();
  const numbers = service.stored();
  const { metrics = {} } = ((manager.status() as PlainObject).decision_logs ?? {}) as { metrics?: PlainObject };
  const dropped = Object.values(metrics).reduce((sum: number, n) => sum + Number(n), 0);
  const missing = count - new Set(numbers).size;
  // At the kill one chunk may be stored without an answer. It comes again, or is dropped.
  const chunk = 300;
  expect(missing).toBeLessThanOrEqual(dropped);
  expect(dropped - missing).toBeLessThan(chunk);
  expect(numbers.length - new Set(numbers).size).toBeLessThan(chunk);
  if (Object.keys(reporting).length === 0) expect(dropped).toBe(0);
  else expect(dropped).toBeGreaterThan(0);
});

test.concurrent('a log service that closes each connection behind its answer gets all events without a failed upload', async () => {
  // Events that were sent again are stored once, as by their ids.
  const stored = new Set<number>();
  const service = await serve(({ body }, response) => {
    const events = JSON.parse(gunzipSync(body).toString()) as { input: { n: number } }[];
    for (const { input } of events) stored.add(input.n);
    const { socket } = response;
    response.end('{}', () => socket!.end());
  });
  const { manager, lines } = await started({
    services: { s: { url: service.url } },
    decision_logs: { reporting: { min_delay_seconds: 1, max_delay_seconds: 2, upload_size_limit_bytes: 2000 } },
  });
  const count = 2000;
  for (let n = 0; n < count; n++) void manager.decisionLog!.record({ decisionId: manager.decisionLog!.newId(), input: { n } });
  await eventually(() => expect(stored.size).toBe(count));
  expect(service.requests.length).toBeGreaterThan(20);
  expect(lines.filter((line) => JSON.stringify(line).includes('failed'))).toEqual([]);
  await manager.stop();
});
