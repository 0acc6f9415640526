import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import test from 'node:test';
import { checkOrders } from '../check-orders.ts';

const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
const options = { cwd: import.meta.dirname, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' } };

test('orders behind guards of Next.js', async () => {
  const built = spawnSync(process.execPath, [next, 'build'], { ...options, encoding: 'utf8' });
  assert.equal(built.status, 0, `${built.stdout}${built.stderr}`);
  const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', '0'], options);
  try {
    const base = await new Promise<string>((resolve, reject) => {
      server.on('exit', () => reject(new Error('next start ended')));
      server.stdout.on('data', (text) => {
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text));
        if (address !== null) resolve(address[0]);
      });
    });
    await checkOrders(base, { creates: false });
    // The proxy denies before any route.
    const unknown = await fetch(`${base}/orders/1`);
    assert.deepEqual([unknown.status, ((await unknown.json()) as { reasons: unknown }).reasons], [401, ['say who you are']]);
  } finally {
    server.removeAllListeners('exit');
    server.kill();
  }
});
