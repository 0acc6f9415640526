import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { quietServerProcess } from '../../test/harness/server/process.js';

const question = {
  subject: { type: 'user', id: 'alice' },
  action: { name: 'read' },
  resource: { type: 'record', id: 'record-1' },
};

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

test.each<[string, string[]]>([
  ['one process', []],
  ['workers', ['--workers', '2']],
])('%s answers, with the authorization, status and metrics of the server', { timeout: 60_000 }, async (_title, args) => {
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
