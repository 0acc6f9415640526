import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testServer } from '../../test/harness/server/app.js';
import type { ToWorker } from './messages.js';
import { Primary } from './primary.js';
import { SharedAddresses } from './shared-addresses.js';

/** A worker's process whose messages and end the test decides on. */
class FakeWorker extends EventEmitter {
  connected = true;
  pid: number | undefined = 1;
  send({ kind }: ToWorker): void {
    if (kind === 'stop') this.end();
  }
  kill(): void {
    this.end();
  }
  ready(): void {
    this.emit('message', { kind: 'ready' });
  }
  /** The system has no room for another process. */
  fail(): void {
    this.connected = false;
    this.pid = undefined;
    this.emit('error', new Error('spawn node EAGAIN'));
  }
  end(): void {
    this.connected = false;
    this.emit('exit', 1, null);
  }
}

async function starting() {
  const { app, context } = await testServer({});
  const { engine, logger, durations, writing } = context;
  const workers: FakeWorker[] = [];
  const spawn = () => {
    workers.push(new FakeWorker());
    return workers.at(-1) as unknown as ChildProcess;
  };
  const primary = new Primary({ count: 2, spawn, engine, logger });
  const settings = { labels: {}, decisionLogs: undefined, defaultDecision: [], authorizationDecision: [], authzen: undefined };
  const addresses = new SharedAddresses({ hasTls: false, unixSocketPermissions: undefined, pass: () => undefined });
  const whole = { app, writing, config: '{}', settings: () => settings, decisionLog: () => undefined, durations, addresses };
  const bundles = { bundlesActivated: () => true, onBundles: () => undefined };
  const started = primary.start({ ...whole, ...bundles, gateways: [], checks: undefined });
  onTestFinished(() => primary.stop(0));
  return { primary, workers, started };
}

test('a worker that took requests and ends while others start is replaced', async () => {
  const { workers, started } = await starting();
  workers[0]!.ready();
  workers[0]!.end();
  workers[1]!.ready();
  await started;
  await vi.waitFor(() => expect(workers).toHaveLength(3));
});

test('a worker whose process cannot be made is replaced, and no write waits for it', async () => {
  const { primary, workers, started } = await starting();
  for (const worker of workers) worker.ready();
  await started;
  workers[0]!.end();
  await vi.waitFor(() => expect(workers).toHaveLength(3));
  const changed = primary.replicate({ data: [] }, 1)();
  workers[2]!.fail();
  workers[1]!.emit('message', { kind: 'changed', number: 1, error: undefined });
  await changed;
  await vi.waitFor(() => expect(workers).toHaveLength(4), 5000);
});

test('a worker that ends before it takes requests fails the start', async () => {
  const { workers, started } = await starting();
  workers[0]!.ready();
  workers[1]!.end();
  await expect(started).rejects.toThrow('a worker ended with 1');
  expect(workers).toHaveLength(2);
});
