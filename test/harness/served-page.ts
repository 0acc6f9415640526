/** Pages in a headless Chromium, served from memory, where scripts may not make code of text. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from './chromium.js';

type Files = ReadonlyMap<string, string | Uint8Array>;

/**
 * The message that a page of some files posts to `/done` at its end. Rejects with what it posts to
 * `/failed`.
 */
export async function outcomeOfPage(files: Files): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'writ-chromium-'));
  const done = Promise.withResolvers<string>();
  const server = createServer((request, response) => void answer(request, response, files, done).catch(done.reject));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = spawn(chromiumPath!, [...flags, url], { stdio: ['ignore', 'ignore', 'pipe'] });
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

async function answer(request: IncomingMessage, response: ServerResponse, files: Files, done: PromiseWithResolvers<string>): Promise<void> {
  const path = request.url ?? '';
  const text = files.get(path);
  if (request.method === 'POST') {
    let body = '';
    for await (const part of request) body += part;
    response.end();
    if (path === '/done') done.resolve(body);
    else done.reject(new Error(body));
  } else if (text === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': typeOf(path), 'content-security-policy': "default-src 'self'" }).end(text);
}

function typeOf(path: string): string {
  if (path === '/') return 'text/html';
  return path.endsWith('.json') ? 'application/json' : /\.m?js$/.test(path) ? 'text/javascript' : 'application/octet-stream';
}
