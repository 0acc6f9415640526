/** Modules in Chromium: in a page and in a worker, where scripts may not make code of text. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { buildExample, calls, exampleFiles, expected } from '../../test/harness/example-module.js';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
const isRequired = process.env.WRIT_CHROMIUM === 'required';
if (chromium === undefined) console.log('modules: not tested in Chromium, which is not installed');

const run = `import * as m from '/policy.mjs';
const console = { log: (text) => globalThis.outcome = text };
${calls}`;

const scripts: Readonly<Record<string, string>> = {
  '/': '<!doctype html><script type="module" src="/page.mjs"></script>',
  '/page.mjs': `${run}
const post = (path, body) => fetch(path, { method: 'POST', body });
addEventListener('error', ({ message }) => post('/failed', message));
const worker = new Worker('/worker.mjs', { type: 'module' });
worker.onerror = ({ message }) => post('/failed', 'worker: ' + message);
worker.onmessage = ({ data }) => post('/done', JSON.stringify({ page: JSON.parse(globalThis.outcome), worker: JSON.parse(data) }));`,
  '/worker.mjs': `${run}
postMessage(globalThis.outcome);`,
};

test.skipIf(chromium === undefined && !isRequired)(
  'a module decides in a page and in a worker of a browser',
  { timeout: 90_000 },
  async () => {
    await withFiles(exampleFiles, async (directory) => {
      const module = readFileSync(await buildExample(directory, 'policy.mjs'), 'utf8');
      const outcome = JSON.parse(await outcomeOfPage({ ...scripts, '/policy.mjs': module })) as unknown;
      expect(outcome).toEqual({ page: expected(directory), worker: expected(directory) });
    });
  },
);

/** The message that a page of some files posts at its end. */
async function outcomeOfPage(files: Readonly<Record<string, string>>): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'writ-chromium-'));
  const done = Promise.withResolvers<string>();
  const server = createServer((request, response) => void answer(request, response, files, done).catch(done.reject));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = spawn(chromium!, [...flags, url], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  browser.stderr.on('data', (text: Buffer) => (complaints += text));
  const ended = new Promise<void>((resolve) => browser.on('close', () => resolve()));
  browser.on('close', (code) => done.reject(new Error(`chromium ended with ${code}: ${complaints}`)));
  try {
    return await done.promise;
  } finally {
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: Readonly<Record<string, string>>,
  done: PromiseWithResolvers<string>,
): Promise<void> {
  const path = request.url ?? '';
  const text = files[path];
  if (request.method === 'POST') {
    let body = '';
    for await (const part of request) body += part;
    response.end();
    if (path === '/done') done.resolve(body);
    else done.reject(new Error(body));
  } else if (text === undefined) response.writeHead(404).end();
  else {
    const type = path === '/' ? 'text/html' : 'text/javascript';
    // No `unsafe-eval`: the browser refuses code made of text.
    response.writeHead(200, { 'content-type': type, 'content-security-policy': "default-src 'self'" }).end(text);
  }
}
