/** Serves the playground on the loopback interface, and a folder beside it. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { FileWatch } from '../../engine/node.js';
import { isLocalHost } from '../server/local-address.js';
import type { ProjectFolder } from './folder-project.js';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The largest file that the page may save. */
const mostBytes = 20_000_000;

interface Served {
  readonly address: string;
  close(): void;
}

/**
 * @param port 0 takes a free one
 * @param folder without one the page has its examples alone
 */
export async function servePlayground(port: number, folder: ProjectFolder | undefined): Promise<Served> {
  const followers = new Set<ServerResponse>();
  const tell = () => {
    for (const follower of followers) follower.write('data: changed\n\n');
  };
  const watch = folder && new FileWatch([folder.path], tell);
  const server = createServer((request, response) => {
    answer(request, response, folder, followers).catch((error: unknown) =>
      end(response, 500, error instanceof Error ? error.message : String(error)),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      watch?.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: ProjectFolder | undefined,
  followers: Set<ServerResponse>,
): Promise<void> {
  const { method = '', headers } = request;
  const { host = '' } = headers;
  if (!isLocalHost(host)) return end(response, 403, 'the host is not this machine');
  const isOwn = headers.origin === undefined || headers.origin === `http://${host}`;
  const path = decoded((request.url ?? '/').split('?')[0]!);
  if (path === undefined) return end(response, 400, 'the path is no UTF-8');
  if (folder !== undefined && path.startsWith('/folder/')) {
    if (!isOwn) return end(response, 403, 'the page is of another site');
    return await answerFolder(request, response, path.slice('/folder/'.length), folder, followers);
  }
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'a file is read by GET');
  const name = path === '/' ? 'index.html' : path.slice(1);
  const file = /^[\w.-]+$/.test(name) ? builtFile(name) : undefined;
  if (file === undefined) return end(response, 404, `${name} is no file of the playground`);
  const isPage = name === 'index.html' && folder !== undefined;
  const body = isPage ? file.toString().replace('<div id="app">', `<div id="app" data-folder="">`) : file;
  response.writeHead(200, {
    'cache-control': 'no-store',
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  response.end(method === 'GET' ? body : '');
}

async function answerFolder(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  folder: ProjectFolder,
  followers: Set<ServerResponse>,
): Promise<void> {
  const { method } = request;
  if (path === 'project' && method === 'GET') {
    const project = JSON.stringify(await folder.read());
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(project);
  } else if (path === 'events' && method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': begun\n\n');
    followers.add(response);
    response.on('close', () => followers.delete(response));
  } else if (path.startsWith('files/') && method === 'PUT') {
    const text = await bodyOf(request);
    if (text === undefined) return end(response, 413, `a file has at most ${mostBytes / 1_000_000} MB`);
    const problem = folder.write(path.slice('files/'.length), text);
    end(response, problem === undefined ? 204 : 400, problem ?? '');
  } else end(response, 404, `there is no ${path}`);
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function end(response: ServerResponse, status: number, text: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A file of the built package, which the sources use too; undefined for no file. */
function builtFile(name: string): Buffer | undefined {
  const places = ['playground', '.', '../../dist/playground'];
  const found = places.map((place) => join(import.meta.dirname, place, name)).find((path) => existsSync(path));
  return found === undefined ? undefined : readFileSync(found);
}
