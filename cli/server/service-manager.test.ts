import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { eventually, temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { quietServerProcess } from '../../test/harness/server/process.js';

const policy = () => join(writeFiles(temporaryDirectory(), { 'p.rego': 'package p\n\nx := 1\n' }), 'p.rego');

/** A directory with a command `systemd-notify`. */
function commandOf(script: string): string {
  const directory = writeFiles(temporaryDirectory(), { 'systemd-notify': `#!/bin/sh\n${script}\n` });
  chmodSync(join(directory, 'systemd-notify'), 0o755);
  return directory;
}

const withPath = (directory: string) => `${directory}${delimiter}${process.env.PATH}`;

test('systemd is told once that the server accepts requests, by the first process of workers too', async () => {
  const told = join(temporaryDirectory(), 'told');
  const PATH = withPath(commandOf(`echo "$NOTIFY_SOCKET $*" >>${told}`));
  const server = await quietServerProcess(['--workers', '2', policy()], { PATH, NOTIFY_SOCKET: '@socket' });
  await eventually(() => expect(existsSync(told)).toBe(true));
  expect(await server.decide('p/x')).toBe(1);
  await server.end();
  expect(readFileSync(told, 'utf8')).toBe('@socket --ready --status=Serving requests\n');
});

test('nothing is told where nothing waits for it', async () => {
  const told = join(temporaryDirectory(), 'told');
  const PATH = withPath(commandOf(`echo >>${told}`));
  const server = await quietServerProcess([policy()], { PATH, NOTIFY_SOCKET: '' });
  await server.end();
  expect(existsSync(told)).toBe(false);
});

test.each([
  ['fails', () => withPath(commandOf('echo "no such socket" >&2; exit 1')), 'no such socket'],
  ['is missing', () => join(process.cwd(), 'node_modules/.bin'), 'ENOENT'],
])('a command that %s is logged, and the server goes on', async (_title, path, message) => {
  const server = await quietServerProcess([policy()], { PATH: path(), NOTIFY_SOCKET: '@socket' });
  await eventually(() => expect(server.log.join('\n')).toMatch(new RegExp(`Notifying systemd failed: .*${message}`)));
  expect(await server.decide('p/x')).toBe(1);
});

const receiver = `
import socket, sys
receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiving.bind(sys.argv[1])
print('bound', flush=True)
print(receiving.recv(4096).decode().split()[0], flush=True)`;

test.runIf(
  [
    ['systemd-notify', '--version'],
    ['python3', '--version'],
  ].every(([name, flag]) => spawnSync(name!, [flag!]).status === 0),
)("systemd's command sends the message", async () => {
  const socket = join(temporaryDirectory(), 'notify');
  const receiving = spawn('python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void receiving.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface(receiving.stdout).on('line', (line) => void lines.push(line));
  await eventually(() => expect(lines).toEqual(['bound']));
  await quietServerProcess([policy()], { NOTIFY_SOCKET: socket });
  await eventually(() => expect(lines).toEqual(['bound', 'READY=1']));
});
