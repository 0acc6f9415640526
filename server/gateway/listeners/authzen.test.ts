import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/disk.js';
import { question } from '../../../test/harness/server/authzen.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { quietServerProcess } from '../../../test/harness/server/process.js';

const authz = `package system.authz

default allow := false

allow if input.identity == "pep"

allow if input.path[0] in {"metrics", "health", "v1", ".well-known"}
`;

async function started(...args: string[]) {
  const folder = temporaryDirectory();
  const config = { plugins: { authzen: { search: { subject: 'directory/subjects' } } }, status: { console: true } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'authz.rego'), authz);
  const files = ['fixtures/authzen/records.rego', 'fixtures/authzen/data.json', join(folder, 'authz.rego')];
  return await quietServerProcess(
    ['-c', join(folder, 'config.json'), '--authentication', 'token', '--authorization', 'basic', ...args, ...files],
    {},
  );
}

interface Reply {
  readonly status: number;
  readonly id: string | undefined;
  readonly text: string;
}

/** Bytes of the id are sent and returned as they are. */
function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/access/v1/${path}`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode!, id: response.headers['x-request-id'] as string | undefined, text }),
        );
      },
    );
    sent.on('error', reject);
    // With a text Node would write the headers as UTF-8.
    sent.end(Buffer.from(JSON.stringify(body)));
  });
}

describe.each<[string, string[]]>([
  ['one process', []],
  ['workers', ['--workers', '2']],
])('%s', { timeout: 60_000 }, (_title, args) => {
  test('answers, with the authorization, status and metrics of the server', async () => {
    const { url, ask } = await started(...args);
    const pep = { authorization: 'Bearer pep', 'x-request-id': 'caf\u00c3\u00a9 \u00ff' };
    expect(await post(url, 'evaluation', question, { 'x-request-id': '7' })).toEqual({
      status: 401,
      id: '7',
      text: 'request rejected by administrative policy\n',
    });
    for (let i = 0; i < 8; i++)
      expect(await post(url, 'evaluation', question, pep)).toEqual({ status: 200, id: pep['x-request-id'], text: '{"decision":true}\n' });
    const batch = await post(url, 'evaluations', { ...question, evaluations: [{}, { subject: { type: 'user', id: 'x' } }] }, pep);
    expect(JSON.parse(batch.text)).toEqual({ evaluations: [{ decision: true }, { decision: false }] });
    const first = await post(url, 'search/subject', { ...question, page: { limit: 1 } }, pep);
    const { page } = JSON.parse(first.text) as { page: { next_token: string } };
    // Another worker may give the next page.
    for (let i = 0; i < 4; i++) {
      const next = await post(url, 'search/subject', { ...question, page: { token: page.next_token } }, pep);
      expect(JSON.parse(next.text)).toEqual({
        page: { count: 1, next_token: '' },
        results: [{ type: 'user', id: 'bob', properties: { role: 'admin' } }],
      });
    }
    const metadata = await (await fetch(`${url}/.well-known/authzen-configuration`)).json();
    expect(metadata).toMatchObject({ policy_decision_point: url, access_evaluation_endpoint: `${url}/access/v1/evaluation` });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/http_request_duration_seconds_count\{code="200",handler="access\/v1\/evaluation",method="post"\} 8/);
    expect(await ask('GET', '/v1/status')).toMatchObject({ body: { result: { plugins: { authzen: { state: 'OK' } } } } });
  });

  test('answers once its plugin is discovered, by the path of now, and no longer once it is gone', async () => {
    const service = await BundleService.start();
    onTestFinished(() => service.close());
    const discover = async (etag: string, config: object) => await service.put(etag, { 'data.json': JSON.stringify(config) });
    await discover('1', { labels: { a: 'b' } });
    const folder = temporaryDirectory();
    const polling = { min_delay_seconds: 0, max_delay_seconds: 1 };
    const config = { services: { s: { url: service.url } }, discovery: { resource: 'd', polling }, status: { console: true } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'p.rego'), 'package p\n\nno := false\n\nyes := true\n');
    const { url, log } = await quietServerProcess(['-c', join(folder, 'config.json'), ...args, join(folder, 'p.rego')], {});
    /** Of many requests: each worker has the configuration at a time of its own. */
    const answers = async () => {
      const replies = await Promise.all(Array.from({ length: 10 }, () => post(url, 'evaluation', question, { connection: 'close' })));
      return [...new Set(replies.map(({ status, text }) => `${status} ${text.trim()}`))];
    };
    const become = async (answer: string) => await vi.waitFor(async () => expect(await answers()).toEqual([answer]), 30_000);
    const gone = '404 404 page not found';
    await become(gone);
    await discover('2', { plugins: { authzen: { path: 'p/no' } } });
    await become('200 {"decision":false}');
    await discover('3', { plugins: { authzen: { path: 'p/yes' } } });
    await become('200 {"decision":true}');
    await discover('4', { plugins: { authzen: { path: '' } } });
    await vi.waitFor(() => expect(log.join('\n')).toContain('plugins.authzen.path: path must be non-empty'), 30_000);
    expect(await answers()).toEqual(['200 {"decision":true}']);
    await discover('5', { labels: { a: 'c' } });
    await become(gone);
    expect((await fetch(`${url}/.well-known/authzen-configuration`)).status).toBe(404);
  });
});
