import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { parseArguments } from '../../cli/args.js';
import { serverFlags } from '../../cli/server/flags.js';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../services/config/service-config.js';

const root = join(import.meta.dirname, '..', '..');
const deploy = (name: string) => readFileSync(join(root, 'docs/deploy', name), 'utf8');

/** Instructions of the Dockerfile: name and rest. */
const instructions = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
const last = (name: string) => instructions.findLast(([found]) => found === name)![1];

describe('the image', () => {
  test('has the Node of the tests, twice', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const images = instructions.filter(([name]) => name === 'FROM').map(([, rest]) => rest.split(' ')[0]);
    expect(images).toEqual(Array(2).fill(`node:${devDependencies.node}-slim`));
  });

  test('runs without root', () => {
    expect(last('USER')).toBe('node');
  });

  test('ignores what it builds itself', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    for (const name of ['node_modules', 'dist', '.git']) expect(ignored).toContain(name);
  });

  // The steps behind `npm ci`, which has run here, with the folders of this test.
  test('packs a command that serves, and a health check that passes', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'writ-image-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const steps = instructions.filter(([name, rest]) => name === 'RUN' && /npm pack|tar /.test(rest)).map(([, rest]) => rest);
    expect(steps).toHaveLength(2);
    for (const step of steps) {
      const here = step.replaceAll('/tmp', folder).replaceAll('/package', join(folder, 'package'));
      const { status, stderr } = spawnSync('sh', ['-c', here], { cwd: root, encoding: 'utf8' });
      expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    }
    const command = join(folder, 'package/bin/writ');
    expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['writ']);
    const args = (JSON.parse(last('CMD')) as string[]).map((arg) => arg.replace('0.0.0.0:8181', '127.0.0.1:0'));
    const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
    const server = spawn(command, [...args, '--log-level', 'debug'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
        createInterface(server.stderr).on('line', (line) => {
          const [, found] = /"urls":\["([^"]+)"/.exec(line) ?? [];
          if (found !== undefined) resolve(found);
        });
      });
      const check = JSON.parse(last('HEALTHCHECK').replace(/^.* CMD /, '')) as string[];
      const [program, ...rest] = check.map((part) => part.replace('http://127.0.0.1:8181', url));
      expect(spawnSync(program!, rest, { env }).status).toBe(0);
      const [, ...wrong] = check.map((part) => part.replace('/health', '/nothing').replace('http://127.0.0.1:8181', url));
      expect(spawnSync(program!, wrong, { env }).status).toBe(1);
    } finally {
      server.kill();
    }
  });
});

/** Throws for a flag that the command does not have. */
function checkArguments(args: readonly string[]): void {
  expect(args[0]).toBe('run');
  expect(parseArguments('run', serverFlags, args.slice(1), {}).flags.on('server')).toBe(true);
}

test('the unit starts the command with flags that it has', () => {
  const [, line] = /^ExecStart=\/usr\/bin\/env writ (.*)$/m.exec(deploy('writ.service'))!;
  checkArguments(line!.split(' '));
});

describe('the unit', () => {
  const unit = join(root, 'docs/deploy/writ.service');

  test('starts again for as long as a fault lasts, and tells when it is ready', () => {
    const settings = deploy('writ.service').split('\n');
    expect(settings).toEqual(expect.arrayContaining(['StartLimitIntervalSec=0', 'Restart=on-failure', 'Type=notify', 'NotifyAccess=all']));
  });

  // V8 writes machine code, and the filter must have all calls that Node makes.
  test('lets Node run', () => {
    expect(deploy('writ.service')).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(deploy('writ.service')).toMatch(/^SystemCallErrorNumber=EPERM$/m);
  });

  const analyze = test.runIf(existsSync('/usr/bin/systemd-analyze'));

  analyze('is one that systemd takes', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('writ.service'))).toEqual([]);
  });

  analyze('is hardened', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit], { encoding: 'utf8' });
    const [, exposure] = /exposure level for writ.service: ([\d.]+)/.exec(stdout)!;
    expect(Number(exposure)).toBeLessThanOrEqual(3);
  });
});

test('config.yaml is a configuration without unknown keys', () => {
  expect(readConfig(parseConfig(deploy('config.yaml'), { POLICY_TOKEN: 'secret' })).warnings).toEqual([]);
});
