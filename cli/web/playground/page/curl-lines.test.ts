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

const lines = (file: string, text: string, query = 'data.a') => curlLines({ files: [{ file, text }], input: '', data: '', query });

test('a line of a policy that is the mark ends nothing', () => {
  expect(lines('a.rego', 'package a\nEND\n')).toContain("<<'END_'\npackage a\nEND\nEND_\n");
});

test.each(['sh', 'bash'])('%s runs nothing of a project', (shell) => {
  const run = 'echo run';
  const tried = [
    lines(`a'.rego`, `'\n${run}\n'`),
    lines(`$(${run});\`${run}\`\n${run}\n!*~.rego`, 'package a'),
    lines('a.rego', `package a\nE\0ND\n${run}\n`),
    lines('a.rego', `package a\nEND\0\n${run}\n`),
    lines('a.rego', `package a\r\nEND\r\n${run}\n`),
    lines('a.rego', 'package a', `'\nEND\n${run}\n$(${run})`),
  ];
  for (const each of tried) {
    const input = each.replaceAll(/^curl /gm, 'true ').replace('set -e\n', '');
    const { stdout, stderr } = spawnSync(shell, { input, encoding: 'utf8' });
    expect({ each, stdout, stderr: stderr.replaceAll(/.*null byte.*\n/g, '') }).toEqual({ each, stdout: '', stderr: '' });
  }
});

test.each(['data', 'input'] as const)('%s that is no JSON is refused', (name) => {
  const project = { files: [], input: '', data: '', query: 'x := 1', [name]: '1}, "query": {' };
  expect(() => curlLines(project)).toThrow(`${name}: `);
});
