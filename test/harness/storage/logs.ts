/** For tests: logs of writes, each new, and engines' states to compare. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { startPostgres } from '../databases/postgres.js';
import { type TestOptions, type TestServer, testServer } from '../server/app.js';
import { onTestFinished } from '../set-up/concurrent-tests.js';

/** Until the test ends. */
export function temporaryFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'writ-log-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A kind of log, of which tests make new ones. */
export interface LogKind {
  readonly name: string;
  /** The section `storage` of a new log; undefined where this machine has no such log. */
  make(): Promise<PlainObject | undefined>;
}

export const fileLogs: LogKind = {
  name: 'a file',
  async make() {
    return { file: { directory: temporaryFolder() } };
  },
};

let postgres: ReturnType<typeof startPostgres> | undefined;
let schemas = 0;

/** One cluster for all tests of a file, a schema for each log. */
export const postgresLogs: LogKind = {
  name: 'PostgreSQL',
  async make() {
    const database = await (postgres ??= startPostgres());
    return database && { postgres: { url: database.url, schema: `log_${++schemas}` } };
  },
};

export async function closePostgres(): Promise<void> {
  await (await postgres)?.close();
}

/** Of an answer. */
interface LogAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** That of the answer's header. */
  readonly revision: number;
}

export interface LogServer extends Omit<TestServer, 'ask'> {
  ask(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<LogAnswer>;
}

/** A server over a log, until the test ends. */
export async function serverOver(storage: PlainObject, options: TestOptions = {}): Promise<LogServer> {
  const server = await testServer({ ...options, config: { ...options.config, storage } });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await server.close();
    isClosed = true;
  };
  onTestFinished(close);
  return {
    ...server,
    close,
    async ask(method, path, body, headers = {}) {
      const request = new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) });
      const answer = await server.app.fetch(request);
      const { status } = answer;
      return { status, text: await answer.text(), headers: answer.headers, revision: Number(answer.headers.get('revision')) };
    },
  };
}

/** Policies and documents of a server as text, without those of the engine itself. */
export function stateOf({ context: { engine } }: Pick<TestServer, 'context'>): string {
  const { system: _, ...documents } = engine.store.root;
  return toJson({ policies: Object.fromEntries(engine.policies().map(({ id, raw }) => [id, raw])), documents });
}
