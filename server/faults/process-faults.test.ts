/**
 * Faults that need a process of their own: evaluations in threads, and processes that are killed.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { quietServerProcess, type ServerProcess, serverProcess } from '../../test/harness/server/process.js';
import { onTestFinished, tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';

tellTestsApart();

const longest = 300_000;

function configFile(directory: string, config: unknown): string {
  const path = join(directory, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

const many = 'numbers.range(1, 3000)';

/** Few values that contain each other many times: `x60` has 2^61 elements. */
function folded(name: string): string {
  const rules = Array.from({ length: 60 }, (_, i) => `${name}${i + 1} := [${name}${i}, ${name}${i}]`);
  return [`${name}0 := [1, 1]`, ...rules].join('\n\n');
}

/** Policies that would end after years. */
const endless = {
  comprehension: `x := count([1 | some a in ${many}; some b in ${many}; some c in ${many}; a + b + c == 0])`,
  partial_set: `s contains c if { some a in ${many}; some b in ${many}; c := a * b; some d in ${many}; d < 0 }\n\nx := count(s)`,
  partial_object: `o[k] := d if { some a in ${many}; some b in ${many}; k := sprintf("%d", [a]); some d in ${many}; d < b - 5000 }\n\nx := count(o)`,
  function_calls: `f(a) := count([1 | some b in ${many}; g(a, b)])\n\ng(a, b) if { some c in ${many}; a + b + c == 0 }\n\nx := count([1 | some a in ${many}; f(a) > 0])`,
  every_pair: `x if { every a in ${many} { every b in ${many} { every c in ${many} { a + b + c > 0 } } } }`,
  patterns: `x := count([1 | some a in ${many}; some b in ${many}; regex.match(sprintf("^(%d|a)*b$", [a * b]), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac")])`,
  equality: `${folded('a')}\n\n${folded('b')}\n\nx := a60 == b60`,
  members: `${folded('a')}\n\n${folded('b')}\n\nx := count({a60, b60})`,
  text: `${folded('a')}\n\nx := count(sprintf("%v", [a60]))`,
  globs: `x := count([1 | some a in ${many}; some b in ${many}; glob.match(sprintf("*a*%d*a*b", [a * b]), [], "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac")])`,
};

// One after the other: a busy server may refuse a write that takes longer than its deadline.
describe('while a policy does not end', () => {
  const policyOf = (name: string) => `package endless.${name}\n\n${endless[name as keyof typeof endless]}\n`;

  /** Sends other requests until the endless one has ended, and returns its answer. */
  async function besides(server: ServerProcess, request: readonly [method: string, path: string, body?: string]): Promise<string> {
    let isOver = false;
    const outcome = server.ask(...request).finally(() => {
      isOver = true;
    });
    let others = 0;
    for (let n = 1; !isOver; n++) {
      expect((await server.ask('PUT', '/v1/data/written/n', String(n))).status).toBe(204);
      if (!isOver) others++;
      expect(await server.decide('p/written')).toBe(n);
      if (n % 5 === 0) expect((await server.ask('PUT', '/v1/policies/q', `package q\n\nx := ${n}\n`)).status).toBe(200);
      expect(await server.decide('p/allow', { user: 'ann' })).toBe(true);
      if (!isOver) others++;
      // Clients that never pause would take a core of their own.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // If it blocked others, none of them would be answered before it.
    expect(others).toBeGreaterThan(0);
    const { status, body } = await outcome;
    expect(status).toBe(500);
    return JSON.stringify(body);
  }

  test(
    'others decide and write, and it ends by the deadline',
    async () => {
      const directory = temporaryDirectory();
      const config = configFile(directory, { server: { decision_timeout_seconds: 2 } });
      const files = Object.fromEntries(Object.keys(endless).map((name) => [`${name}.rego`, policyOf(name)]));
      writeFiles(join(directory, 'p'), { ...files, 'p.rego': 'package p\n\nallow if input.user == "ann"\n\nwritten := data.written.n\n' });
      const server = await serverProcess('-c', config, join(directory, 'p'));
      for (const name of Object.keys(endless)) {
        expect(await besides(server, ['POST', `/v1/data/endless/${name}/x`, '{"input": {}}']), name).toContain('eval_cancel_error');
      }
      expect(await besides(server, ['POST', '/v1/data/endless', '{"input": {}}'])).toContain('eval_cancel_error');
      const query = JSON.stringify({ query: `some a in ${many}; some b in ${many}; some c in ${many}; a + b + c == 0` });
      expect(await besides(server, ['POST', '/v1/query', query])).toContain('eval_cancel_error');
    },
    longest,
  );

  test(
    'nor does it matter that it waited before, and what it waited for is asked for once',
    async () => {
      const directory = temporaryDirectory();
      const config = configFile(directory, { server: { decision_timeout_seconds: 3 } });
      let requests = 0;
      const other = createServer((_request, response) => {
        requests++;
        response.setHeader('content-type', 'application/json').end('{"n": 12345678901234567890}');
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void other.close());
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const asks = `r := http.send({"method": "post", "url": "http://127.0.0.1:${port}/"})`;
      const policies = {
        'p.rego': 'package p\n\nallow if input.user == "ann"\n\nwritten := data.written.n\n',
        'w.rego': `package endless.waits\n\n${asks}\n\n${endless.comprehension.replace('[1 | ', '[1 | r.status_code == 200; ')}\n`,
        'l.rego': `package long\n\n${asks}\n\nx := [r.body.n, count(numbers.range(1, 900000)), count([1 | some a in numbers.range(1, 2500000); a < 0])]\n`,
      };
      writeFiles(join(directory, 'p'), policies);
      const server = await serverProcess('-c', config, join(directory, 'p'));
      expect(await besides(server, ['POST', '/v1/data/endless/waits/x', '{"input": {}}'])).toContain('eval_cancel_error');
      expect(requests).toBe(1);
      // The last decision has time enough for a busy machine.
      writeFiles(join(directory, 'patient'), { 'config.json': '{"server": {"decision_timeout_seconds": 120}}' });
      const patient = await serverProcess('-c', join(directory, 'patient/config.json'), join(directory, 'p'));
      const response = await fetch(`${patient.url}/v1/data/long/x`, { method: 'POST', body: '{"input": {}}' });
      expect(await response.text()).toBe('{"result":[12345678901234567890,900000,0]}\n');
      expect(requests).toBe(2);
    },
    longest,
  );

  test(
    'neither does one of a plan keep anybody waiting, alone or with others',
    async () => {
      const directory = temporaryDirectory();
      const config = configFile(directory, { server: { decision_timeout_seconds: 2 } });
      const policies = { 'a.rego': policyOf('comprehension'), 'b.rego': 'package endless.b\n\nx := 1\n' };
      const plan = compile({ policies, entrypoints: ['endless/comprehension/x', 'endless/b/x'] });
      const beside = 'package p\n\nallow if input.user == "ann"\n\nwritten := data.written.n\n';
      writeFiles(join(directory, 'b'), { 'plan.json': JSON.stringify(plan), '.manifest': '{"roots": ["endless"]}' });
      const server = await serverProcess('-c', config, '-b', join(directory, 'b'));
      expect((await server.ask('PUT', '/v1/policies/p', beside)).status).toBe(200);
      expect(await server.decide('endless/b/x')).toBe(1);
      expect(await besides(server, ['POST', '/v1/data/endless/comprehension/x', '{}'])).toContain('eval_cancel_error');
      expect(await besides(server, ['POST', '/v1/data/endless', '{}'])).toContain('eval_cancel_error');
    },
    longest,
  );
});

describe.concurrent('what a server kept', () => {
  const policyOf = (mark: number) => `package p\n\nmark := ${mark}\n\nallow if input.user == data.list[0]\n`;

  function writeBundle(directory: string, mark: number): void {
    writeFiles(join(directory, 'b'), {
      '.manifest': JSON.stringify({ revision: `r${mark}`, roots: ['p', 'list'] }),
      'p.rego': policyOf(mark),
      'data.json': JSON.stringify({ list: Array(50_000).fill(mark) }),
    });
  }

  function configured(directory: string): string {
    return configFile(directory, {
      bundles: { b: { resource: `file://${directory}/b`, persist: true } },
      persistence_directory: join(directory, 'kept'),
      status: { prometheus: true },
    });
  }

  const startOf = (directory: string, ...args: readonly string[]) => serverProcess('-c', configured(directory), ...args);

  async function expectWhole(server: ServerProcess): Promise<number> {
    const mark = (await server.decide('p/mark')) as number;
    expect(typeof mark).toBe('number');
    expect(await server.decide('list')).toEqual(Array(50_000).fill(mark));
    const { body } = await server.ask('GET', '/v1/data/p/mark?provenance');
    expect(body).toMatchObject({ provenance: { bundles: { b: { revision: `r${mark}` } } } });
    return mark;
  }

  test(
    'answers when it was killed while it kept something, though the bundle is gone',
    async () => {
      const directory = temporaryDirectory();
      let mark = 1;
      for (let round = 0; round < 3; round++) {
        writeBundle(directory, mark);
        const server = await startOf(directory, '--watch');
        // The bundle may be read while it is written. Then its parts do not fit together, as is
        // inevitable with loose files.
        const until = performance.now() + 500 + round * 37;
        while (performance.now() < until) {
          writeBundle(directory, ++mark);
          await new Promise((resolve) => setTimeout(resolve, 130));
        }
        await server.end('SIGKILL');
        rmSync(join(directory, 'b'), { recursive: true });
        const again = await startOf(directory);
        expect(await again.decide('p/mark')).toBeGreaterThan(0);
        expect(((await again.decide('list')) as number[]).length).toBe(50_000);
        expect((await again.ask('GET', '/health?bundles')).status).toBe(200);
        await again.end('SIGKILL');
      }
      expect(readdirSync(join(directory, 'kept/bundles/b'))).toEqual(['bundle.msgpack']);
    },
    longest,
  );

  test(
    'is not compiled again, neither with the bundle nor when that is gone',
    async () => {
      const directory = temporaryDirectory();
      writeBundle(directory, 1);
      const timers = async (server: ServerProcess) => {
        const { body } = await server.ask('GET', '/v1/status');
        const { bundles } = (body as { result: { bundles: { b: { metrics?: object } } } }).result;
        const measured = Object.entries(bundles.b.metrics ?? {}).filter(([, nanoseconds]) => nanoseconds !== 0);
        return measured.map(([timer]) => timer).filter((timer) => timer.startsWith('timer_rego_module_'));
      };
      const first = await startOf(directory);
      expect(await timers(first)).toContain('timer_rego_module_compile_ns');
      await expectWhole(first);
      expect(await first.decide('p/allow', { user: 1 })).toBe(true);
      await first.end();
      for (const isThere of [true, false]) {
        if (!isThere) rmSync(join(directory, 'b'), { recursive: true });
        const next = await startOf(directory);
        expect(await expectWhole(next)).toBe(1);
        expect(await next.decide('p/allow', { user: 1 })).toBe(true);
        expect(await timers(next)).toEqual([]);
        await next.end();
      }
    },
    longest,
  );

  const files = ['bundles/b/bundle.msgpack', 'programs.msgpack'];

  test(
    'may be cut off, empty or changed: that is told, and what is right is taken from the bundle',
    async () => {
      const directory = temporaryDirectory();
      writeBundle(directory, 1);
      const first = await startOf(directory);
      await expectWhole(first);
      await first.end();
      for (const name of files) {
        const path = join(directory, 'kept', name);
        const bytes = readFileSync(path);
        const flipped = Buffer.from(bytes);
        flipped[bytes.length >> 1]! ^= 1;
        for (const damaged of [bytes.subarray(0, bytes.length >> 1), Buffer.alloc(0), flipped, Buffer.from('rubbish')]) {
          writeFileSync(path, damaged);
          const server = await startOf(directory);
          expect(await expectWhole(server)).toBe(1);
          expect(server.log.join('\n')).toMatch(/Failed to load (bundle|programs) from disk/);
          await server.end();
          expect(statSync(path).size).toBeGreaterThan(100);
        }
      }
    },
    longest,
  );

  test(
    'and is damaged, with the bundle gone, leaves a server that is up and takes the bundle when it comes',
    async () => {
      const directory = temporaryDirectory();
      writeBundle(directory, 1);
      const first = await startOf(directory);
      await expectWhole(first);
      await first.end();
      rmSync(join(directory, 'b'), { recursive: true });
      writeFileSync(join(directory, 'kept', files[0]!), 'rubbish');
      const server = await startOf(directory, '--watch');
      expect((await server.ask('GET', '/health')).status).toBe(200);
      expect((await server.ask('GET', '/health?bundles')).status).toBe(500);
      expect(await server.decide('p/mark')).toBeUndefined();
      writeBundle(directory, 2);
      for (let i = 0; i < 1000 && (await server.decide('p/mark')) !== 2; i++) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await server.decide('p/mark')).toBe(2);
    },
    longest,
  );
});

test.each([
  ['', true],
  ['--max-semi-space-size=8', false],
  ['--no-warnings --max_semi_space_size=8', false],
])('a size of young values in NODE_OPTIONS counts: %j', async (options, isOurs) => {
  const { pid } = await quietServerProcess([], { NODE_OPTIONS: options });
  expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('semi-space')).toBe(isOurs);
});

// Alone: it takes the memory of a process.
test(
  'a change or a body that needs more memory than there is, is refused; the process goes on',
  async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, { 'p.rego': 'package p\n\nallow if input.user == "ann"\n' });
    const config = configFile(directory, { server: { decision_timeout_seconds: 200 } });
    const args = ['--config-file', config, '--log-level=error', join(directory, 'p.rego')];
    const server = await quietServerProcess(args, { NODE_OPTIONS: '--max-old-space-size=256' });
    const rules = `package attack\n\n${Array.from({ length: 600_000 }, (_, i) => `r${i} := ${i}`).join('\n')}\n`;
    const policy = await server.ask('PUT', '/v1/policies/attack', rules);
    expect(policy).toEqual({
      status: 413,
      body: { code: 'invalid_parameter', message: 'the change is too large: it needs more memory than there is' },
    });
    const body = `input:\n${'- {a: 1, b: [c]}\n'.repeat(400_000)}`;
    const yaml = await fetch(`${server.url}/v1/data/p/allow`, { method: 'POST', body, headers: { 'content-type': 'application/yaml' } });
    expect(yaml.status).toBe(413);
    expect(await server.decide('p/allow', { user: 'ann' })).toBe(true);
    expect(server.isAlive()).toBe(true);
  },
  longest,
);
