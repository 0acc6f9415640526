// The script of `npm start`: runs a server with the example policy and data, and prints a command
// to try. `PORT` names a port other than 8181.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const port = process.env.PORT || '8181';
const address = `127.0.0.1:${port}`;
/** A label that identifies this process's server, since another one may listen on the port. */
const label = randomUUID();

if (!existsSync(join(root, 'dist/main.js'))) fail('dist/main.js is missing: run `npm run build` and see what it says');
await checkPort();
const args = [
  'run',
  '--server',
  '--addr',
  address,
  '--set',
  `labels.start=${label}`,
  '--log-level',
  'error',
  'fixtures/example',
];
const server = spawn(join(root, 'bin/writ'), args, { cwd: root, stdio: 'inherit' });
server.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));

await ready();
const input = { user: 'alice', action: 'write', document: 'budget' };
const answer = await fetch(`http://${address}/v1/data/authz/allow`, {
  method: 'POST',
  body: JSON.stringify({ input }),
});
console.log(`writ serves fixtures/example (authz.rego, data.json) at http://${address}. In another terminal:

  curl -s http://${address}/v1/data/authz/allow -d '${JSON.stringify({ input })}'

answers ${(await answer.text()).trim()}. Other users: bob, eve; other actions: read. Ctrl-C ends the server.
`);

/** Ends this process, with advice, if the server cannot listen. */
async function checkPort(): Promise<void> {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    fail(`PORT is ${JSON.stringify(port)}: set it to a number from 1 to 65535`);
  const probe = createServer().listen(Number(port), '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE' ? `port ${port} is taken by another program` : `cannot listen on port ${port} (${message})`;
    fail(`${reason}: choose another, such as \`PORT=${Number(port) === 8282 ? 8383 : 8282} npm start\``);
  }
  probe.close();
  await once(probe, 'close');
}

/** Resolves once the server responds; the process ends if the server fails to start. */
async function ready(): Promise<void> {
  for (;;) {
    try {
      const response = await fetch(`http://${address}/v1/config`);
      const { result } = (await response.json()) as { result: { labels: Record<string, string> } };
      if (result.labels.start === label) return;
    } catch {
      // The server is not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function fail(text: string): never {
  console.error(`start: ${text}`);
  process.exit(1);
}
