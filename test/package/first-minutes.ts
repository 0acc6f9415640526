/**
 * Follows the pages of `docs/start` word by word, each in an empty folder that has the packed
 * package: every command prints what the page says. `npm run -s first-minutes` needs a
 * built `dist/`, and no network. Exits 1 at the first difference.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { outputPattern, type Page, pagesIn } from '../../scripts/docs/sessions.js';
import { freePort } from '../harness/server/free-port.js';

const root = join(import.meta.dirname, '../..');
/** What a reader types at the most, and how long it may take with a slow machine. */
const [mostLines, mostSeconds] = [10, 300];

/** The port of the pages. */
const shownPort = 8181;

const work = mkdtempSync(join(tmpdir(), 'writ-first-minutes-'));
const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', work], { cwd: root, encoding: 'utf8' });
const archive = packed.stdout.trim().split('\n').at(-1)!;
if (packed.status !== 0) end(packed.stderr);

for (const [i, page] of pagesIn('start').entries()) {
  const folder = join(work, String(i));
  mkdirSync(folder);
  cpSync(join(work, archive), join(folder, archive));
  await follow(page, folder, await freePort());
}
end();

async function follow({ page, blocks }: Page, folder: string, port: number): Promise<void> {
  const start = performance.now();
  const typed = blocks.flatMap((block) => (block.kind === 'commands' ? block.commands.flatMap(({ command }) => command.split('\n')) : []));
  if (typed.length === 0 || typed.length > mostLines) end(`${page}: a reader types ${typed.length} lines, not 1 to ${mostLines}`);
  const servers: ChildProcess[] = [];
  for (const block of blocks) {
    if (block.kind === 'file') write(join(folder, block.name), block.text);
    if (block.kind !== 'commands') continue;
    for (const { command, output } of block.commands) {
      const isServer = command.includes('run --server');
      const printed = isServer ? await serve(command, folder, port, servers) : await run(command, folder, port);
      if (!outputPattern(output).test(`${printed}\n`)) {
        for (const server of servers) kill(server);
        end(`${page}, line ${block.row}\n$ ${command}\n${printed}\n\nThe page says:\n${output}`);
      }
    }
  }
  for (const server of servers) {
    kill(server);
    await once(server, 'close');
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(`${page}: ${typed.length} lines typed, ${seconds.toFixed(1)} s`);
  if (seconds > mostSeconds) end(`${page}: it takes over ${mostSeconds} seconds`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function run(command: string, folder: string, port: number): Promise<string> {
  const child = shell(command, folder, port);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  await once(child, 'close');
  return output.trimEnd();
}

/** Waits until the server answers. Returns what it said if it ends instead. */
async function serve(command: string, folder: string, port: number, servers: ChildProcess[]): Promise<string> {
  const child = shell(`exec ${command}`, folder, port);
  servers.push(child);
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  for (let i = 0; i < 600 && child.exitCode === null; i++) {
    if (
      await fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return '';
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return said;
}

/** The processes that a command started, too: `npx` has one of its own. */
function kill({ pid }: ChildProcess): void {
  process.kill(-pid!);
}

/** A shell as a reader has it: with Node and npm, without this project. */
function shell(command: string, folder: string, port: number): ChildProcess {
  const { HOME, npm_config_cache = '', npm_config_registry = '' } = process.env;
  const PATH = [dirname(process.execPath), ...(process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'))].join(
    ':',
  );
  const npm = { npm_config_cache, npm_config_registry, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const given = Object.fromEntries(Object.entries(npm).filter(([, value]) => value !== ''));
  const moved = command.replaceAll(`localhost:${shownPort}`, `127.0.0.1:${port}`);
  return spawn('bash', ['-c', moved], {
    cwd: folder,
    env: { HOME, PATH, NO_COLOR: '1', ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

function end(problem?: string): never {
  rmSync(work, { recursive: true, force: true });
  if (problem !== undefined) console.error(problem);
  process.exit(problem === undefined ? 0 : 1);
}
