/** Decision logs through a real pipe whose reader pauses. */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { onTestFinished, tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';

tellTestsApart();

const command = join(import.meta.dirname, '../../../bin/writ');
const count = 3000;

interface Unread {
  /** Where it takes requests. */
  readonly socketPath: string;
  /** Ends it, and reads all that it has written. */
  end(): Promise<string>;
}

/** Starts the command with decision logs that are read only after its end. */
async function startUnread(): Promise<Unread> {
  const directory = temporaryDirectory();
  const socketPath = join(directory, 'socket');
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const readEnd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(pipe, constants.O_WRONLY);
  const flags = ['--addr', `unix://${socketPath}`, '--set', 'decision_logs.console=true', '--log-level', 'error'];
  const child = spawn(command, ['run', '--server', ...flags], { stdio: ['ignore', 'ignore', writeEnd] });
  closeSync(writeEnd);
  onTestFinished(() => void child.kill('SIGKILL'));
  while (!existsSync(socketPath)) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    socketPath,
    end() {
      child.kill('SIGTERM');
      const reader = new Socket({ fd: readEnd });
      return new Promise((resolve, reject) => {
        let text = '';
        reader.setEncoding('utf8').on('data', (part) => (text += part));
        reader.on('end', () => resolve(text)).on('error', reject);
      });
    },
  };
}

function post(socketPath: string, agent: Agent, path: string, body: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, agent, path, method: 'POST' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

const shownPolicy = `package p

x := input.n if print("printed", input.n)
`;
const maskPolicy = `package system.log

mask contains "/input/secret"

drop if input.input.n < 0
`;

/** Starts the command with its log in a file, which is complete whenever it is read. */
async function startIntoFile(flags: readonly string[], files: Readonly<Record<string, string>>) {
  const directory = writeFiles(temporaryDirectory(), files);
  const [socketPath, log] = [join(directory, 'socket'), join(directory, 'log')];
  const out = openSync(log, 'w');
  const paths = Object.keys(files).map((name) => join(directory, name));
  const args = ['run', '--server', '--addr', `unix://${socketPath}`, '--set', 'decision_logs.console=true', ...flags, ...paths];
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', out] });
  closeSync(out);
  onTestFinished(() => void child.kill('SIGKILL'));
  while (!existsSync(socketPath)) await new Promise((resolve) => setTimeout(resolve, 50));
  return { socketPath, log: () => readFileSync(log, 'utf8') };
}

test.concurrent.each<[readonly string[], Readonly<Record<string, string>>]>([
  [[], { 'p.rego': shownPolicy }],
  [[], { 'p.rego': shownPolicy, 'mask.rego': maskPolicy }],
  [['--workers', '2'], { 'p.rego': shownPolicy }],
])('with %j and %o whoever has an answer finds its lines in the log', async (flags, files) => {
  const server = await startIntoFile(flags, files);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  onTestFinished(() => agent.destroy());
  const ask = async (n: number) => {
    expect(await post(server.socketPath, agent, '/v1/data/p/x', { input: { n, secret: 'hidden' } })).toBe(200);
    const log = server.log();
    expect(log).toContain(`"msg":"printed ${n}"`);
    expect(log).toMatch(new RegExp(`"input":{"n":${n}[,}].*"msg":"Decision Log"`));
  };
  for (let n = 1; n < 20; n++) await ask(n);
  await Promise.all(Array.from({ length: 60 }, (_, n) => ask(100 + n)));
});

test.concurrent('a reader that pauses loses no decision log, and keeps nobody waiting', async () => {
  const server = await startUnread();
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  onTestFinished(() => agent.destroy());
  const pad = 'x'.repeat(500);
  const asked = Array.from({ length: count }, (_, i) => post(server.socketPath, agent, '/v1/data/p', { input: { i, pad } }));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  const log = await server.end();
  const numbers = [...log.matchAll(/"input":\{"i":(\d+)/g)].map(([, i]) => Number(i));
  expect(numbers.length).toBe(count);
  expect(new Set(numbers).size).toBe(count);
});
