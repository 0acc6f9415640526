import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../test/harness/server/free-port.js';

test('npm start serves the example, prints a command to paste, and ends on a signal', async () => {
  const port = String(await freePort());
  const started = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], { env: { ...process.env, PORT: port } });
  const text = await new Promise<string>((resolve, reject) => {
    let seen = '';
    started.stderr.on('data', (chunk) => reject(new Error(String(chunk))));
    started.stdout.on('data', (chunk) => {
      seen += chunk;
      if (seen.includes('Ctrl-C')) resolve(seen);
    });
  });
  expect(text).toContain('answers {"result":true}');
  const [, url, body] = /curl -s (\S+) -d '(.*)'/.exec(text)!;
  const answer = await fetch(url!, { method: 'POST', body: body!.replace('alice', 'eve') });
  expect(await answer.json()).toMatchObject({ result: false });
  started.kill('SIGTERM');
  expect(await new Promise((resolve) => started.on('exit', resolve))).toBe(0);
});

test('npm start says which port is taken, and how to choose another', async () => {
  const other = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { status, stdout, stderr } = start(String(port));
  other.close();
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(`start: port ${port} is taken by another program: choose another, such as \`PORT=8282 npm start\`\n`);
});

test.each(['http', '0', '65536'])('npm start refuses %j for a port', (port) => {
  expect(start(port)).toMatchObject({ status: 1, stdout: '', stderr: `start: PORT is "${port}": set it to a number from 1 to 65535\n` });
});

function start(port: string) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], { encoding: 'utf8', env: { ...process.env, PORT: port } });
}
