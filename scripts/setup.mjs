// Prepares a checkout: installs missing packages and builds an outdated dist/. Plain JavaScript
// without dependencies, because on a fresh clone it runs on the machine's own Node, which may be
// older than the Node that the project installs.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './fingerprint.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const oldestHost = 20;

if (Number.parseInt(process.versions.node, 10) < oldestHost) {
  fail(
    `this machine's Node is ${process.versions.node}: install Node ${oldestHost} or newer (the project then brings its own Node 24)`,
  );
}
if (!isInstalled()) install();
if (!isBuilt(root)) build();

/**
 * npm writes node_modules/.package-lock.json last, so its time is that of the last complete
 * install.
 */
function isInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  const wanted = join(root, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs && existsSync(ownNode());
}

function install() {
  say('installing dependencies (npm ci): some 400 MB, one to three minutes the first time, then the build');
  // The install deletes and replaces the project's own Node, so npm must not run on it.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter);
  run(
    'npm',
    // At a terminal npm shows that it works; a log of a build has no use for that.
    ['ci', process.stderr.isTTY ? '--progress' : '--no-progress', '--loglevel=error'],
    path,
    'see the errors above (the packages come from the registry that npm is set to)',
  );
}

function build() {
  say('building dist/');
  const path = [join(root, 'node_modules/.bin'), process.env.PATH ?? ''].join(delimiter);
  run(join(root, 'node_modules/.bin/tsx'), ['scripts/build/build.ts'], path, 'see the errors above');
}

function ownNode() {
  return join(root, 'node_modules/.bin/node');
}

function run(command, args, path, hint) {
  // Both write to standard error: standard output belongs to the command that follows.
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, PATH: path } });
  if (done.error) fail(`cannot run ${command}: ${done.error.message}`);
  if (done.signal) fail(`${command} ${args.join(' ')} was ended by ${done.signal}`);
  if (done.status !== 0) fail(`${command} ${args.join(' ')} failed: ${hint}`);
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
