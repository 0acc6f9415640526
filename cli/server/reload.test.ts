import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { parseArguments } from '../args.js';
import type { Io } from '../io.js';
import { serverFlags } from './server-flags.js';
import { startServer } from './start-server.js';

const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };

/** Starts a server with a configured bundle and further arguments. */
async function serving(directory: string, args: readonly string[], use: (server: Serving) => Promise<void>): Promise<void> {
  const config = join(directory, 'config.json');
  const bundles = { b: { resource: `file://${directory}/b`, persist: true } };
  writeFileSync(
    config,
    JSON.stringify({
      bundles,
      persistence_directory: join(directory, 'kept'),
      decision_logs: { console: true },
      status: { prometheus: true },
    }),
  );
  const lines: string[] = [];
  const argv = ['--server', '--addr', '127.0.0.1:0', '--config-file', config, ...args];
  const running = await startServer(parseArguments('run', serverFlags, argv, {}), io, {
    write: (text) => void lines.push(text),
  });
  const ask = async (path: string) => ((await (await fetch(`${running.urls[0]}/v1/data/${path}`)).json()) as { result?: unknown }).result;
  try {
    await use({ url: running.urls[0]!, ask, reload: running.reload, lines });
  } finally {
    await running.stop(1000);
  }
}

interface Serving {
  readonly url: string;
  readonly ask: (path: string) => Promise<unknown>;
  readonly reload: () => void;
  readonly lines: readonly string[];
}

async function becomes(ask: () => Promise<unknown>, wanted: unknown): Promise<void> {
  for (let i = 0; i < 1000 && (await ask()) !== wanted; i++) await new Promise((resolve) => setTimeout(resolve, 30));
  expect(await ask()).toBe(wanted);
}

const files = {
  'b/p.rego': 'package b\n\nx := 1\n',
  'b/.manifest': '{"roots": ["b"]}',
  'p.rego': 'package p\n\nx := data.d.n\n',
  'd.json': '{"d": {"n": 1}}',
};

test('a reload reads files and bundles again; what is faulty then leaves what was', async () => {
  await withFiles(files, async (directory) => {
    const at = (name: string) => join(directory, name);
    await serving(directory, [at('p.rego'), at('d.json')], async ({ ask, reload, lines }) => {
      expect([await ask('b/x'), await ask('p/x')]).toEqual([1, 1]);
      writeFileSync(at('b/p.rego'), 'package b\n\nx := 2\n');
      writeFileSync(at('d.json'), '{"d": {"n": 2}}');
      reload();
      await becomes(() => ask('b/x'), 2);
      await becomes(() => ask('p/x'), 2);
      writeFileSync(at('b/p.rego'), 'package b\n\nx := \n');
      writeFileSync(at('d.json'), '{"d":');
      reload();
      const failures = async () => lines.filter((line) => /Bundle activation failed|Reloading files failed/.test(line)).length;
      await becomes(failures, 2);
      expect([await ask('b/x'), await ask('p/x')]).toEqual([2, 2]);
    });
    // The bundle is still faulty, so the saved version decides.
    writeFileSync(at('d.json'), '{"d": {"n": 3}}');
    await serving(directory, [at('p.rego'), at('d.json')], async ({ ask }) => {
      expect([await ask('b/x'), await ask('p/x')]).toEqual([2, 3]);
    });
  });
});

test.each([
  ['a path', (path: string) => path],
  ['a path with a place', (path: string) => `q.r:${path}`],
  ['a URL', (path: string) => `file://${path}`],
  ['a URL with a host and escapes', (path: string) => `FILE://localhost${path.replace('d.json', '%64.json')}`],
  ['a URL with a place', (path: string) => `q.r:file://${path}`],
])('--watch sees changes of a file that is given as %s', async (_title, given) => {
  await withFiles(files, async (directory) => {
    const path = given(join(directory, 'd.json'));
    await serving(directory, ['--watch', path], async ({ ask }) => {
      const place = path.startsWith('q.r:') ? 'q/r/d/n' : 'd/n';
      expect(await ask(place)).toBe(1);
      writeFileSync(join(directory, 'd.json'), '{"d": {"n": 2}}');
      await becomes(() => ask(place), 2);
    });
  });
});

test('an error is logged as the evaluation has it, and counted', async () => {
  const conflict = { 'c.rego': 'package c\n\nx := 1 if true\n\nx := 2 if true\n' };
  await withFiles({ ...files, ...conflict }, async (directory) => {
    await serving(directory, [join(directory, 'c.rego')], async ({ url, ask, lines }) => {
      expect(await ask('c/x')).toBeUndefined();
      const { result } = (await (await fetch(`${url}/v1/status`)).json()) as { result: { metrics: { prometheus: object } } };
      expect(result.metrics.prometheus).toMatchObject({
        http_request_duration_seconds: {
          type: 'HISTOGRAM',
          metric: [{ label: [{ name: 'code', value: '500' }, {}, {}], histogram: { sampleCount: '1', bucket: expect.any(Array) } }],
        },
      });
      const events = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Decision Log');
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        path: 'c/x',
        requested_by: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        req_id: expect.any(Number),
        error: { code: 'eval_conflict_error', message: 'complete rules must not produce multiple outputs' },
        bundles: { b: {} },
      });
    });
  });
});
