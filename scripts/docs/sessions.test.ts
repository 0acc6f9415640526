/** The commands in the pages of services, platforms and operators print what the pages say. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../services/config/service-config.js';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { freePort } from '../../test/harness/server/free-port.js';
import { pagesIn } from './sessions.js';

const root = join(import.meta.dirname, '../..');
const pages = pagesIn('operator', 'platform', 'service');
const working = pages.filter(({ blocks }) => blocks.some(({ kind }) => kind === 'commands'));

/** A shell in the folder of a page. Servers that a page starts run until its end. */
class Shell {
  readonly #folder = temporaryDirectory();
  readonly #servers = new Map<string, ChildProcess>();
  /** The ports of the page, and those in their place. */
  readonly #ports: ReadonlyMap<string, string>;

  constructor(ports: ReadonlyMap<string, string>) {
    this.#ports = ports;
    mkdirSync(join(this.#folder, '.bin'), { recursive: true });
    symlinkSync(join(root, 'bin/writ'), join(this.#folder, '.bin/writ'));
  }

  write(name: string, text: string): void {
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.#moved(text));
  }

  /** The output of both streams, with the ports of the page. */
  async run(command: string): Promise<string> {
    const [, address] = /^(?:\w+=\S+ )*writ run --server .*--addr localhost:(\d+)/s.exec(command) ?? [];
    if (address !== undefined) return this.#serve(address, command);
    const child = this.#spawn(command);
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

  #spawn(command: string): ChildProcess {
    const { VITEST, VITEST_MODE, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_ENV, ...env } = process.env;
    const PATH = [join(this.#folder, '.bin'), join(root, 'node_modules/.bin'), env.PATH].join(delimiter);
    return spawn('bash', ['-c', this.#moved(command)], { cwd: this.#folder, env: { ...env, PATH, NO_COLOR: '1' } });
  }

  #moved(text: string): string {
    return text.replaceAll(/(localhost|127\.0\.0\.1):(\d{4})\b/g, (whole, host: string, port: string) =>
      this.#ports.has(port) ? `${host}:${this.#ports.get(port)}` : whole,
    );
  }
}

async function shell(text: string): Promise<Shell> {
  const named = new Set([...text.matchAll(/(?:localhost|127\.0\.0\.1):(\d{4})\b/g)].map(([, port]) => port!));
  const ports = new Map<string, string>();
  for (const port of named) ports.set(port, String(await freePort()));
  const made = new Shell(ports);
  onTestFinished(() => made.end());
  return made;
}

/** An output in which `…` stands for any text of a line, and alone for any lines. */
function pattern(output: string): RegExp {
  const lines = output.split('\n').map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literally).join('.*')}\\n`));
  return new RegExp(`^${lines.join('')}$`);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

test.each(working)('the commands of $page print what it says', { timeout: 120_000 }, async ({ blocks }) => {
  const all = blocks.map((block) => (block.kind === 'commands' ? JSON.stringify(block.commands) : block.text)).join('\n');
  const page = await shell(all);
  for (const block of blocks) {
    if (block.kind === 'file') page.write(block.name, block.text);
    if (block.kind !== 'commands') continue;
    for (const { command, output } of block.commands) {
      const printed = await page.run(command);
      if (output.includes('…')) expect(`${printed}\n`, command).toMatch(pattern(output));
      else expect(printed, command).toBe(output);
    }
  }
});

const snippets = pages.flatMap(({ page, blocks }) => blocks.flatMap((block) => (block.kind === 'snippet' ? [{ page, ...block }] : [])));

test.each(snippets.filter(({ language, text }) => language === 'yaml' && !text.startsWith('scrape_configs')))(
  'the configuration at $page:$row has no unknown keys',
  ({ text }) => {
    expect(Object.keys(load(text) as object).length).toBeGreaterThan(0);
    expect(readConfig(parseConfig(text, { TOKEN: 'a' })).warnings).toEqual([]);
  },
);

// TypeScript and JavaScript have tests of their own.
test('all else in the pages is run', () => {
  expect(
    snippets.filter(({ language }) => !['yaml', 'ts', 'js', 'mermaid'].includes(language)).map(({ page, row }) => `${page}:${row}`),
  ).toEqual([]);
  expect(working.length).toBeGreaterThan(0);
});

test('each file of a page is used by a command', () => {
  const unused = pages.flatMap(({ page, blocks }) => {
    const commands = blocks.flatMap((block) => (block.kind === 'commands' ? block.commands.map(({ command }) => command) : []));
    return blocks.flatMap((block) => {
      if (block.kind !== 'file') return [];
      const [folder] = block.name.split('/');
      return commands.some((command) => command.includes(block.name) || command.includes(folder!)) ? [] : [`${page}: ${block.name}`];
    });
  });
  expect(unused).toEqual([]);
});
