/**
 * The upper limit for a server with the same HTTP library: it reads the same body and always gives
 * the same answer. `http-limit.ts PORT`.
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const app = new Hono();
app.post('/v1/data/*', async (c) => {
  await c.req.json();
  return c.json({ result: true });
});
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' });
