/**
 * The upper limit for a server with the same HTTP library: it reads the same body and always gives
 * the same answer. `http-limit.ts PORT [PROCESSES]`: several processes share the port.
 */
import { fork } from 'node:child_process';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

const [port, processes = '1'] = process.argv.slice(2);
const app = new Hono();
app.post('/v1/data/*', async (c) => {
  await c.req.json();
  return c.json({ result: true });
});
if (processes === '1')
  createAdaptorServer({ fetch: app.fetch }).listen({ port: Number(port), host: '127.0.0.1', reusePort: true });
else {
  const all = Array.from({ length: Number(processes) }, () => fork(import.meta.filename, [port!]));
  process.on('SIGTERM', () => {
    for (const child of all) child.kill();
    process.exit();
  });
}
