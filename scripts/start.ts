// What `npm start` runs: a server with the example policy and data, and a line to try it with. `PORT` names another port than 8181.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const port = process.env.PORT ?? '8181';
const address = `127.0.0.1:${port}`;

if (!existsSync(join(root, 'dist/main.js'))) {
  console.error('start: dist/main.js is missing: run `npm run build` and see what it says');
  process.exit(1);
}
const args = ['run', '--server', '--addr', address, '--log-level', 'error', 'fixtures/example'];
const server = spawn(join(root, 'bin/writ'), args, { cwd: root, stdio: 'inherit' });
server.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));

/** Resolves once the server answers; it ends this process itself where it cannot start. */
async function ready(): Promise<void> {
  for (;;) {
    try {
      const { ok } = await fetch(`http://${address}/health`);
      if (ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

await ready();
const input = { user: 'alice', action: 'write', document: 'budget' };
const answer = await fetch(`http://${address}/v1/data/authz/allow`, { method: 'POST', body: JSON.stringify({ input }) });
console.log(`writ serves fixtures/example (authz.rego, data.json) at http://${address}. In another terminal:

  curl -s http://${address}/v1/data/authz/allow -d '${JSON.stringify({ input })}'

answers ${(await answer.text()).trim()}. Other users: bob, eve; other actions: read. Ctrl-C ends the server.
`);
