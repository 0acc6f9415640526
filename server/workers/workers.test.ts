import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { BundleService } from '../../test/harness/server/bundle-service.js';
import { serve } from '../../test/harness/server/http.js';
import { type ServerProcess, serverProcess, workersOf } from '../../test/harness/server/process.js';

const policy = 'package p\n\nx := data.n\n\nmine if input.a == data.list[_]\n';

/** The body of an answer, on a connection of its own. */
function answerAt(place: object, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...place, method: 'POST', path: '/v1/data/p/x', agent: false }, async (response) => {
      try {
        resolve((await response.toArray()).join(''));
      } catch (error) {
        reject(error as Error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Event {
  readonly path: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Asks often enough on new connections that each worker is asked. */
async function everywhere(server: ServerProcess, path: string): Promise<Set<string>> {
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await fetch(`${server.url}${path}`, { headers: { connection: 'close' } });
      return await response.text();
    }),
  );
  return new Set(answers);
}

describe.runIf(process.platform === 'linux')('run --workers', { timeout: 60_000 }, () => {
  test('answers from every worker what was written to one', async () => {
    await withFiles({ 'p.rego': policy, 'data.json': '{"n": 1, "list": ["a"]}' }, async (directory) => {
      const server = await serverProcess('--workers', '2', directory);
      expect(workersOf(server)).toHaveLength(2);
      expect(await everywhere(server, '/v1/data/p/x')).toEqual(new Set(['{"result":1}\n']));
      for (let n = 2; n < 12; n++) {
        expect((await server.ask('PUT', '/v1/data/n', `${n}`)).status).toBe(204);
        expect(await everywhere(server, '/v1/data/p/x')).toEqual(new Set([`{"result":${n}}\n`]));
      }
      expect((await server.ask('PUT', '/v1/policies/q.rego', 'package q\n\ny := 12345678901234567890')).status).toBe(200);
      expect(await everywhere(server, '/v1/data/q/y')).toEqual(new Set(['{"result":12345678901234567890}\n']));
      expect((await server.ask('PUT', '/v1/policies/q.rego', 'package q\n\ny := z')).body).toMatchObject({ code: 'invalid_parameter' });
      expect((await server.ask('PATCH', '/v1/data/list', '[{"op": "add", "path": "-", "value": "b"}]')).status).toBe(204);
      expect(await server.decide('p/mine', { a: 'b' })).toBe(true);
      // Later operations of a change must not show in earlier ones.
      const patch = '[{"op": "add", "path": "/o", "value": {"k": 1, "m": 2}}, {"op": "remove", "path": "/o/k"}]';
      expect((await server.ask('PATCH', '/v1/data', patch)).status).toBe(204);
      expect(await everywhere(server, '/v1/data/o')).toEqual(new Set(['{"result":{"m":2}}\n']));
      expect((await server.ask('DELETE', '/v1/policies/q.rego')).status).toBe(200);
      expect(await everywhere(server, '/v1/data/q/y')).toEqual(new Set(['{}\n']));
    });
  });

  test('replaces a worker that dies, with all that was written', async () => {
    const server = await serverProcess('--workers', '2');
    await server.ask('PUT', '/v1/policies/p.rego', policy);
    await server.ask('PUT', '/v1/data/n', '1');
    const [first] = workersOf(server);
    process.kill(first!, 'SIGKILL');
    // Connections may lead to the worker that dies.
    await vi.waitFor(async () => expect((await server.ask('PUT', '/v1/data/n', '2')).status).toBe(204), 10_000);
    await vi.waitFor(() => expect(workersOf(server).filter((pid) => pid !== first)).toHaveLength(2), 60_000);
    await vi.waitFor(async () => expect(await everywhere(server, '/v1/data/p/x')).toEqual(new Set(['{"result":2}\n'])), 60_000);
  });

  test('shows the measurements and the health of all', async () => {
    const server = await serverProcess('--workers', '2');
    await everywhere(server, '/v1/data/p');
    const text = await (await fetch(`${server.url}/metrics`)).text();
    expect(text).toContain('http_request_duration_seconds_count{code="200",handler="v1/data",method="get"} 40');
    expect((await server.ask('GET', '/health?plugins&bundles')).status).toBe(200);
    expect((await server.ask('GET', '/v1/config')).status).toBe(200);
  });

  test('tells watches of writes through other workers', async () => {
    const server = await serverProcess('--workers', '2');
    const streams = await Promise.all(Array.from({ length: 8 }, () => fetch(`${server.url}/v1/data/n?watch`)));
    const readers = streams.map((stream) => stream.body!.getReader());
    const read = async (reader: (typeof readers)[number]) => new TextDecoder().decode((await reader.read()).value);
    for (const reader of readers) expect(await read(reader)).toBe('{}\n');
    await server.ask('PUT', '/v1/data/n', '7');
    for (const reader of readers) expect(await read(reader)).toBe('{"result":7}\n');
    await server.end();
  });

  test('logs the decisions of all workers', async () => {
    await withFiles({ 'p.rego': policy, 'data.json': '{"n": 1, "list": ["a"]}' }, async (directory) => {
      const path = `${directory}/decisions.log`;
      const server = await serverProcess('--workers', '2', '--set', `decision_logs.file.path=${path}`, `${directory}/p.rego`);
      await everywhere(server, '/v1/data/p/x');
      await server.end();
      const events = readFileSync(path, 'utf8').trim().split('\n');
      expect(new Set(events.map((line) => JSON.parse(line).decision_id)).size).toBe(40);
    });
  });

  test('loses no event that a worker has handed over before it is killed', async () => {
    await withFiles({ 'p.rego': policy, 'data.json': '{"n": 1, "list": ["a"]}' }, async (directory) => {
      const path = `${directory}/decisions.log`;
      const server = await serverProcess('--workers', '2', '--set', `decision_logs.file.path=${path}`, `${directory}/p.rego`);
      /** The ids of the decisions that were answered. */
      const decided = async (count: number) => {
        const asked = Array.from({ length: count }, async () => {
          const response = await fetch(`${server.url}/v1/data/p/x`, { headers: { connection: 'close' } });
          return ((await response.json()) as { decision_id: string }).decision_id;
        });
        const settled = await Promise.allSettled(asked);
        return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      };
      const before = await decided(40);
      // A worker hands events over in each turn of its event loop.
      await new Promise((resolve) => setTimeout(resolve, 200));
      const during = decided(100);
      const [worker] = workersOf(server);
      process.kill(worker!, 'SIGKILL');
      await during;
      await vi.waitFor(() => expect(workersOf(server).filter((pid) => pid !== worker)).toHaveLength(2), 60_000);
      const after = await decided(40);
      expect(after).toHaveLength(40);
      await server.end();
      const logged = readFileSync(path, 'utf8').trim().split('\n');
      const ids = logged.map((line) => (JSON.parse(line) as { decision_id: string }).decision_id);
      expect(new Set(ids).size).toBe(ids.length);
      expect([...before, ...after].filter((id) => !ids.includes(id))).toEqual([]);
    });
  });

  test('keeps what a dead worker has counted', async () => {
    const server = await serverProcess('--workers', '2');
    const counted = async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const seriesOf = (series: RegExp) => Number(series.exec(text)?.[1]);
      return {
        requests: seriesOf(/^http_request_duration_seconds_count\{code="200",handler="v1\/data",method="get"\} (\d+)$/m),
        cpu: seriesOf(/^process_cpu_seconds_total (\S+)$/m),
      };
    };
    await everywhere(server, '/v1/data/p');
    const before = await counted();
    expect(before.requests).toBe(40);
    for (const worker of workersOf(server)) process.kill(worker, 'SIGKILL');
    await vi.waitFor(async () => expect(await everywhere(server, '/v1/data/p')).toEqual(new Set(['{}\n'])), 60_000);
    // A worker that is busy does not answer at once how much it has counted.
    await vi.waitFor(async () => {
      const after = await counted();
      expect(after.requests).toBeGreaterThanOrEqual(80);
      expect(after.cpu).toBeGreaterThanOrEqual(before.cpu);
    }, 60_000);
  });

  test('stays up while no worker is left', async () => {
    const server = await serverProcess('--workers', '2');
    // Workers that end soon after their start are replaced after a pause.
    for (let round = 0; round < 2; round++) {
      const killed = workersOf(server);
      for (const worker of killed) process.kill(worker, 'SIGKILL');
      await vi.waitFor(() => expect(workersOf(server)).not.toEqual(expect.arrayContaining(killed)), 60_000);
      await vi.waitFor(async () => expect(await everywhere(server, '/v1/data/p')).toEqual(new Set(['{}\n'])), 60_000);
    }
    expect(server.isAlive()).toBe(true);
  });

  /** The status of an answer over a connection of its own. */
  const askAt = (place: { readonly port: string } | { readonly socketPath: string }) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', ...place, path: '/v1/data', agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      })
        .on('error', reject)
        .end();
    });

  test.each(['a port', 'a Unix socket'])('keeps clients of %s waiting while no worker is left', async (kind) => {
    await withFiles({}, async (directory) => {
      const socketPath = kind === 'a port' ? undefined : `${directory}/s`;
      const server = await serverProcess('--workers', '2', ...(socketPath === undefined ? [] : ['--addr', `unix://${socketPath}`]));
      const place = socketPath === undefined ? { port: new URL(server.url).port } : { socketPath };
      const killed = workersOf(server);
      for (const worker of killed) process.kill(worker, 'SIGKILL');
      await vi.waitFor(() => expect(workersOf(server).filter((pid) => killed.includes(pid))).toEqual([]), { interval: 1 });
      expect(await Promise.all(Array.from({ length: 20 }, () => askAt(place)))).toEqual(new Array(20).fill(200));
      expect(await askAt(place)).toBe(200);
      await server.end();
    });
  });

  test('passes connections on again that a killed worker has not taken', async () => {
    await withFiles({}, async (directory) => {
      const place = { socketPath: `${directory}/s` };
      const server = await serverProcess('--workers', '2', '--addr', `unix://${place.socketPath}`);
      const [first] = workersOf(server);
      process.kill(first!, 'SIGSTOP');
      const answers = Array.from({ length: 10 }, () => askAt(place));
      // Every second one went to the worker that stands still.
      await Promise.race(answers);
      process.kill(first!, 'SIGKILL');
      expect(await Promise.all(answers)).toEqual(new Array(10).fill(200));
      await server.end();
    });
  });

  test('asks the authorization policy in the worker, and passes allowed writes on', async () => {
    const authz = 'package system.authz\n\ndefault allow := false\n\nallow if input.method != "DELETE"\n';
    await withFiles({ 'authz.rego': authz }, async (directory) => {
      const server = await serverProcess('--workers', '2', '--authorization', 'basic', directory);
      expect((await server.ask('PUT', '/v1/data/n', '1')).status).toBe(204);
      expect((await server.ask('DELETE', '/v1/data/n')).status).toBe(401);
      expect(await everywhere(server, '/v1/data/n')).toEqual(new Set(['{"result":1}\n']));
      expect((await server.ask('PUT', '/v1/policies/a%2F..%2Fb', 'package c')).status).toBe(200);
      expect((await server.ask('GET', '/v1/policies')).body).toMatchObject({ result: [{}, {}] });
    });
  });

  test('takes over discovered settings in all workers', async () => {
    const service = await BundleService.start();
    onTestFinished(() => service.close());
    const discovered = (decision: string) => ({
      'data.json': JSON.stringify({ default_decision: decision, labels: { region: decision } }),
    });
    await service.put('1', discovered('p/x'));
    await withFiles({ 'p.rego': 'package p\n\nx := 1\n\ny := 2\n' }, async (directory) => {
      const path = `${directory}/decisions.log`;
      const polling = ['min_delay_seconds=0', 'max_delay_seconds=1'].map((field) => `discovery.polling.${field}`);
      const settings = [`services.s.url=${service.url}`, 'discovery.resource=d', ...polling, `decision_logs.file.path=${path}`];
      const server = await serverProcess('--workers', '2', ...settings.flatMap((one) => ['--set', one]), `${directory}/p.rego`);
      const decided = async () => {
        const answers = Array.from({ length: 40 }, async () => {
          const response = await fetch(server.url, { method: 'POST', body: '{}', headers: { connection: 'close' } });
          return await response.text();
        });
        return new Set(await Promise.all(answers));
      };
      await vi.waitFor(async () => expect(await decided()).toEqual(new Set(['1\n'])), 60_000);
      await service.put('2', discovered('p/y'));
      await vi.waitFor(async () => expect(await decided()).toEqual(new Set(['2\n'])), 60_000);
      expect((await server.ask('GET', '/v1/config')).body).toMatchObject({
        result: { default_decision: 'p/y', labels: { region: 'p/y' } },
      });
      await server.end();
      const events = readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Event);
      for (const { labels, path: asked } of events) expect(labels.region).toBe(asked);
    });
  });

  test('activates bundles in all workers, again after a signal', async () => {
    await withFiles({ 'b/p.rego': 'package p\n\nx := 1\n', 'b/data.json': '{"d": {"k": 1}}' }, async (directory) => {
      const server = await serverProcess('--workers', '2', '-b', `${directory}/b`);
      expect(await everywhere(server, '/v1/data/p/x')).toEqual(new Set(['{"result":1}\n']));
      writeFileSync(`${directory}/b/p.rego`, 'package p\n\nx := data.d.k + 1\n');
      process.kill(server.pid, 'SIGHUP');
      await vi.waitFor(async () => expect(await everywhere(server, '/v1/data/p/x')).toEqual(new Set(['{"result":2}\n'])), 60_000);
      const [worker] = workersOf(server);
      process.kill(worker!, 'SIGKILL');
      await vi.waitFor(() => expect(workersOf(server).filter((pid) => pid !== worker)).toHaveLength(2), 60_000);
      await vi.waitFor(async () => expect(await everywhere(server, '/v1/data/p/x')).toEqual(new Set(['{"result":2}\n'])), 60_000);
    });
  });

  test('says that the port is taken', async () => {
    const server = await serverProcess('--workers', '2');
    await expect(serverProcess('--workers', '2', '--addr', server.url)).rejects.toThrow(/EADDRINUSE|in use/);
  });

  // The first process passes on all connections to a socket, and some of those to a port.
  test.each<[string, number, readonly string[]]>([
    ['a port', 12, []],
    ['a port with HTTP/2', 12, ['--h2c']],
    ['a Unix socket', 2, []],
  ])('answers open requests before it ends: at %s', async (title, count, args) => {
    const open: (() => void)[] = [];
    const slow = await serve((_, response) => void open.push(() => response.end()));
    const policy = `package p\n\nx if http.send({"method": "GET", "url": sprintf("${slow.url}/%d", [input.n])}).status_code == 200\n`;
    await withFiles({ 'p.rego': policy }, async (directory) => {
      const socketPath = `${directory}/s`;
      const isSocket = title === 'a Unix socket';
      const server = await serverProcess('--workers', '2', ...args, ...(isSocket ? ['--addr', `unix://${socketPath}`] : []), directory);
      const place = isSocket ? { socketPath } : { host: '127.0.0.1', port: new URL(server.url).port };
      const asked = Array.from({ length: count }, (_, n) => answerAt(place, JSON.stringify({ input: { n } })));
      await vi.waitFor(() => expect(open).toHaveLength(count), 20_000);
      const ended = server.end('SIGTERM');
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (const answer of open) answer();
      expect(await Promise.all(asked)).toEqual(asked.map(() => '{"result":true}\n'));
      await ended;
    });
  });

  test('serves a Unix socket', async () => {
    await withFiles({}, async (directory) => {
      const socketPath = `${directory}/s`;
      const server = await serverProcess('--workers', '2', '--addr', `unix://${socketPath}`);
      const ask = () =>
        new Promise<number>((resolve, reject) => {
          request({ socketPath, path: '/health', agent: false }, (response) => {
            response.resume();
            resolve(response.statusCode!);
          })
            .on('error', reject)
            .end();
        });
      for (let i = 0; i < 4; i++) expect(await ask()).toBe(200);
      await server.end();
    });
  });
});
