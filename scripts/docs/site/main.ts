/**
 * Builds the site of the documentation into `docs-out`, and serves it: `npm run docs`.
 * `npm run docs -- --build` builds it alone.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '../../..');
/** Its generator is installed apart: only readers of the site need it. */
const tools = join(root, 'node_modules/.site');
const lock = 'package-lock.json';

const { values } = parseArgs({
  options: { build: { type: 'boolean', default: false }, port: { type: 'string', default: '4173' } },
});
install();
vitepress('build', 'docs');
if (!values.build) vitepress('preview', 'docs', '--port', values.port);

function install(): void {
  const isInstalled =
    existsSync(join(tools, 'node_modules/.package-lock.json')) &&
    read(join(tools, lock)) === read(join(import.meta.dirname, lock));
  if (isInstalled) return;
  mkdirSync(tools, { recursive: true });
  for (const name of ['package.json', lock]) copyFileSync(join(import.meta.dirname, name), join(tools, name));
  run(tools, 'npm', 'ci', '--ignore-scripts', '--no-progress', '--no-audit', '--no-fund', '--loglevel=error');
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function vitepress(...args: string[]): void {
  run(root, join(tools, 'node_modules/.bin/vitepress'), ...args);
}

function run(folder: string, command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
