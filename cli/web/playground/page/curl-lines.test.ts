import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { serverProcess } from '../../../../test/harness/server/process.js';
import { curlLines } from './curl-lines.js';
import { examples } from './examples.js';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)('the lines give a project to a server, and ask it', { timeout: 60_000 }, async () => {
  const server = await serverProcess();
  try {
    const [roles] = examples;
    const asked = (query: string) => {
      const lines = curlLines({ ...roles!, query }).replaceAll('http://127.0.0.1:8181', server.url);
      const { stdout, stderr, status } = spawnSync('sh', { input: lines, encoding: 'utf8' });
      expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
      return JSON.parse(stdout.trim().split('\n').at(-1)!) as unknown;
    };
    expect(asked('data.authz')).toMatchObject({ result: { allow: false, roles: ['editor'] } });
    expect(asked('x := data.authz.allow')).toEqual({ result: [{ x: false }] });
  } finally {
    await server.end();
  }
});

test('a line of a policy that is the mark ends nothing', () => {
  const lines = curlLines({ files: [{ file: 'a.rego', text: 'package a\nEND\n' }], input: '', data: '', query: 'data.a' });
  expect(lines).toContain("<<'END_'\npackage a\nEND\nEND_\n");
});
