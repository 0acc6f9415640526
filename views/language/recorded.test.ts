/**
 * The recorded messages of an editor, sent in their order: each request that the recorded server
 * answers has an answer, none null or empty where that is not, with the same members.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformanceFolder } from '../../test/conformance/cases.js';
import { LanguageServer } from './connection/language-server.js';
import type { Message } from './connection/messages.js';
import { RpcConnection } from './connection/rpc.js';

const folder = join(conformanceFolder() ?? '', '..', 'lsp');
const record = join(folder, 'regal-1.20-dev.jsonl');

interface Line {
  readonly to: 'server' | 'client';
  readonly message: Message;
}

/** Answers that differ on purpose. */
const differing: ReadonlySet<string> = new Set([
  // It keeps the server's own name and abilities.
  'initialize',
  // It has no answer but that it was received.
  'shutdown',
]);

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).length === 0;
}

/** The members of a value that another one lacks. */
function lacking(value: unknown, wanted: unknown, path = ''): readonly string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value)) return [path];
    return wanted.length > 0 ? lacking(value[0], wanted[0], `${path}[0]`) : [];
  }
  if (wanted === null) return [];
  // One place, or a list of them.
  if (Array.isArray(value)) return lacking(value[0], wanted, path);
  if (typeof wanted !== 'object') return typeof value === typeof wanted ? [] : [path];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(wanted).flatMap(([key, inner]) => {
    const own = (value as Record<string, unknown>)[key];
    // Links and notes beside a value are each server's own.
    if (['data', 'tooltip', 'documentation', 'children', 'detail', 'command', 'output', 'codeDescription'].includes(key)) return [];
    return own === undefined ? [`${path}.${key}`] : lacking(own, inner, `${path}.${key}`);
  });
}

test.skipIf(!existsSync(record))('every recorded request has an answer', async () => {
  const lines = readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const root = 'file:///workspace';
  const workspace = join(folder, 'workspace');
  const files = new Map<string, string>(
    globSync('**/*', { cwd: workspace, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [`${root}/${path.slice(workspace.length + 1)}`, readFileSync(path, 'utf8')] as const),
  );
  const answers = new Map<unknown, Message>();
  const asked: string[] = [];
  const published = new Map<string, number>();
  const waiting = new Map<unknown, () => void>();
  const connection: RpcConnection = new RpcConnection(
    (message) => {
      if (message.method !== undefined && message.id !== undefined) {
        asked.push(message.method);
        connection.receive({ id: message.id, result: message.method === 'workspace/applyEdit' ? { applied: true } : null });
      } else if (message.method === undefined) {
        answers.set(message.id, message);
        waiting.get(message.id)?.();
      } else if (message.method === 'textDocument/publishDiagnostics') {
        const { uri, diagnostics } = message.params as { uri: string; diagnostics: unknown[] };
        published.set(uri, Math.max(published.get(uri) ?? 0, diagnostics.length));
      }
    },
    (self) =>
      new LanguageServer(
        {
          files: { list: () => files.keys(), read: async (uri) => files.get(uri) },
          version: '1.0.0',
          debugPort: async () => 4711,
        },
        self,
      ),
  );
  const wrong: string[] = [];
  for (const { to, message } of lines) {
    if (to !== 'server' || message.method === undefined) continue;
    if (message.id === undefined) {
      connection.receive(message);
      continue;
    }
    const wanted = lines.find(
      (line) => line.to === 'client' && line.message.id === message.id && line.message.method === undefined,
    )?.message;
    await new Promise<void>((resolve) => {
      waiting.set(message.id, resolve);
      connection.receive(message);
    });
    if (differing.has(message.method)) continue;
    const { result, error } = answers.get(message.id)!;
    const name = `${message.id} ${message.method}`;
    if (error !== undefined) wrong.push(`${name}: ${error.message}`);
    else if (!isEmpty(wanted?.result) && isEmpty(result)) wrong.push(`${name}: empty`);
    else wrong.push(...(isEmpty(wanted?.result) ? [] : lacking(result, wanted?.result, name)));
  }
  expect(wrong).toEqual([]);
  for (const method of ['regal/showEvalResult', 'regal/startDebugging', 'regal/showExplorerResult']) expect(asked).toContain(method);
});
