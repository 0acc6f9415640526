/** For tests: a shell that runs the commands of a page. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { temporaryDirectory } from '../disk.js';
import { freePort } from '../server/free-port.js';
import { onTestFinished } from '../set-up/concurrent-tests.js';

const root = join(import.meta.dirname, '../../..');

/** A shell in the folder of a page. Servers that a page starts run until its end. */
export class Shell {
  readonly #folder = temporaryDirectory();
  readonly #servers = new Map<string, ChildProcess>();
  /** The ports of the page, and those in their place. */
  readonly #ports: ReadonlyMap<string, string>;

  readonly #environment: Readonly<Record<string, string>>;

  constructor(ports: ReadonlyMap<string, string>, environment: Readonly<Record<string, string>>) {
    this.#ports = ports;
    this.#environment = environment;
    mkdirSync(join(this.#folder, '.bin'), { recursive: true });
    symlinkSync(join(root, 'bin/writ'), join(this.#folder, '.bin/writ'));
  }

  write(name: string, text: string): void {
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.#moved(text));
  }

  /** The output of both streams, with the ports of the page. */
  async run(command: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const [, address] = /^(?:\w+=\S+ )*writ run --server .*--addr localhost:(\d+)/s.exec(command) ?? [];
    if (address !== undefined) return this.#serve(address, command);
    const child = this.#spawn(command, more);
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    await once(child, 'close');
    for (const [shown, port] of this.#ports) output = output.replaceAll(`:${port}`, `:${shown}`);
    return output.replaceAll(`${this.#folder}/`, '').trimEnd();
  }

  read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }

  async end(): Promise<void> {
    for (const address of this.#servers.keys()) await this.#stop(address);
  }

  async #serve(address: string, command: string): Promise<string> {
    await this.#stop(address);
    const server = this.#spawn(`exec ${command}`.replace(/^exec ((?:\w+=\S+ )+)/, '$1exec '));
    this.#servers.set(address, server);
    let said = '';
    server.stderr!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const url = `http://localhost:${this.#ports.get(address)}/health`;
    // With authorization, an answer may be a refusal.
    const isUp = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    for (let i = 0; i < 400 && server.exitCode === null; i++) {
      if (await isUp()) return '';
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return said.trimEnd();
  }

  async #stop(address: string): Promise<void> {
    const server = this.#servers.get(address);
    if (server === undefined || server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }

  #spawn(command: string, more: Readonly<Record<string, string>> = {}): ChildProcess {
    const { VITEST, VITEST_MODE, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_ENV, ...env } = process.env;
    const PATH = [join(this.#folder, '.bin'), join(root, 'node_modules/.bin'), env.PATH].join(delimiter);
    return spawn('bash', ['-c', this.#moved(command)], {
      cwd: this.#folder,
      env: { ...env, ...this.#environment, ...more, PATH, NO_COLOR: '1' },
    });
  }

  #moved(text: string): string {
    return text.replaceAll(/(localhost|127\.0\.0\.1):(\d{4})\b/g, (whole, host: string, port: string) =>
      this.#ports.has(port) ? `${host}:${this.#ports.get(port)}` : whole,
    );
  }
}

/**
 * A shell in a new folder.
 * @param text of the page, whose ports are replaced by free ones
 * @param environment variables that the page expects
 */
export async function shellFor(text: string, environment: Readonly<Record<string, string>>): Promise<Shell> {
  const named = new Set([...text.matchAll(/(?:localhost|127\.0\.0\.1):(\d{4})\b/g)].map(([, port]) => port!));
  const ports = new Map<string, string>();
  for (const port of named) ports.set(port, String(await freePort()));
  const made = new Shell(ports, environment);
  onTestFinished(() => made.end());
  return made;
}
