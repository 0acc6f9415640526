/** PostgreSQL for tests: a cluster of its own in a temporary folder, without a port. */

import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, Row } from './database.js';
import type { SmallDisk } from './small-disk.js';

/** The parts of the package `pg` that tests need. */
interface Client {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}

export interface Postgres extends Database {
  readonly url: string;
  /** From now on nothing is answered. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  /** After it was stopped, or has ended by itself. Rejects where it ends before it answers. */
  start(): Promise<void>;
}

/**
 * Undefined where PostgreSQL is not installed; then one line says so, unless the environment
 * requires it, as `.ci/run` does.
 *
 * @param disk where its files are. Where it is full, the server may end by itself.
 */
export async function startPostgres(disk?: SmallDisk): Promise<Postgres | undefined> {
  const programs = programsFolder();
  const Client = await clientClass();
  if (programs === undefined || Client === undefined) {
    const message =
      programs === undefined ? 'PostgreSQL is not installed (Debian: apt-get install postgresql)' : 'run npm ci: the package pg is missing';
    if (process.env.WRIT_POSTGRES === 'required') throw new Error(message);
    console.log(`${message}: tests with PostgreSQL are skipped`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'writ-postgres-'));
  const user = userOf(folder);
  if (disk !== undefined) userOf(disk.folder);
  const data = join(disk?.folder ?? folder, 'data');
  const settings = disk === undefined ? [] : ['-c', 'max_wal_size=64MB'];
  const options = { cwd: folder, ...user, env: { ...process.env, LC_ALL: 'C' }, stdio: 'ignore' as const };
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'tests', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options);
  let server = spawned();
  function spawned() {
    const child = spawn(join(programs!, 'postgres'), ['-D', data, '-k', folder, '-h', '', '-F', ...settings], options);
    return { child, ended: new Promise<void>((resolve) => child.once('exit', () => resolve())) };
  }
  const hasEnded = () => server.child.exitCode !== null || server.child.signalCode !== null;
  const stop = async () => {
    if (!hasEnded()) signalAll(server.child.pid!, 'SIGCONT');
    server.child.kill('SIGINT');
    await server.ended;
  };
  const kill = () => server.child.kill('SIGINT');
  process.once('exit', kill);
  let client = await connected(Client, folder, hasEnded);
  return {
    url: `postgres://tests@/postgres?host=${folder}`,
    pause: () => signalAll(server.child.pid!, 'SIGSTOP'),
    resume: () => signalAll(server.child.pid!, 'SIGCONT'),
    async stop() {
      await client.end();
      await stop();
    },
    async start() {
      if (hasEnded()) server = spawned();
      client = await connected(Client, folder, hasEnded);
    },
    dialect: 'postgresql',
    async execute(text) {
      await client.query(text);
    },
    async query(text, values) {
      return (await client.query(text, values)).rows;
    },
    async close() {
      await client.end();
      await stop();
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server and its processes for connections. */
function signalAll(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const one of [pid, ...(children === '' ? [] : children.split(' ').map(Number))]) sendSignal(one, signal);
}

/** A process that has ended by now gets none. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The folder of the newest release of Debian's package, or of programs in the path. */
function programsFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  const releases = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...releases.map((release) => join(root, release, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL refuses to run as root: then the folder and the server are another user's. */
function userOf(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' })));
  chownSync(folder, uid!, gid!);
  return { uid: uid!, gid: gid! };
}

type ClientClass = new (options: object) => Client;

async function clientClass(): Promise<ClientClass | undefined> {
  // Not a constant text: the package has no types, and these tests need three of its methods.
  const name: string = 'pg';
  try {
    const { default: pg } = (await import(name)) as { readonly default: { readonly Client: ClientClass } };
    return pg.Client;
  } catch {
    return undefined;
  }
}

async function connected(ClientOf: ClientClass, folder: string, hasEnded: () => boolean): Promise<Client> {
  for (;;) {
    const client = new ClientOf({ host: folder, user: 'tests', database: 'postgres' });
    // A connection that breaks while nobody uses it.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (hasEnded()) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
