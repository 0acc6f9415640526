import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseArguments } from '../../cli/args.js';
import { serverFlags } from '../../cli/server/server-flags.js';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../server/services/config/service-config.js';
import { hasDeployTool, runDeployTool } from '../../test/harness/kubernetes/tools.js';
import { freePort } from '../../test/harness/server/free-port.js';

const root = join(import.meta.dirname, '..', '..');
const deploy = (name: string) => readFileSync(join(root, 'docs/deploy', name), 'utf8');

const tlsFile = (name: string) => join(root, 'fixtures/tls', name);

/** Instructions of the Dockerfile: name and rest. */
const instructions = readFileSync(join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/\\\n\s*/g, '')
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

  test('installs packages before it has the sources, so that the layer stays when they change', () => {
    const steps = instructions.map((instruction) => instruction.join(' '));
    const before = steps.slice(0, steps.indexOf('COPY . .'));
    expect(before.filter((step) => step.startsWith('COPY'))).toEqual(['COPY package.json package-lock.json ./']);
    expect(before.at(-1)).toMatch(/^RUN npm ci /);
  });

  test('runs as a user with a number, which Kubernetes can tell from root', () => {
    expect(last('USER')).toBe('1000:1000');
  });

  test('has the labels of its source', () => {
    for (const name of ['title', 'description', 'licenses', 'version', 'revision']) {
      expect(last('LABEL')).toMatch(new RegExp(`org\\.opencontainers\\.image\\.${name}="[^"]`));
    }
  });

  test.runIf(hasDeployTool('hadolint'))('passes its linter', () => {
    expect(runDeployTool('hadolint', [join(root, 'Dockerfile')])).toEqual({ status: 0, text: '', errors: '' });
  });

  test('ignores what it builds itself', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    for (const name of ['node_modules', 'dist', '.git']) expect(ignored).toContain(name);
  });

  // The steps behind `npm ci`, which has run here, with the folders of this test.
  test('packs a command that serves, and a health check that passes', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'writ-image-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const steps = instructions.filter(([name, rest]) => name === 'RUN' && /npm pack/.test(rest)).map(([, rest]) => rest);
    expect(steps).toHaveLength(1);
    const step = steps[0]!.replaceAll('/tmp', folder).replaceAll('/package', join(folder, 'package'));
    // The build has run here too.
    const { status, stderr } = spawnSync('sh', ['-c', step.replace('npm pack', 'npm pack --ignore-scripts')], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    const files = readdirSync(join(folder, 'package'), { recursive: true, encoding: 'utf8' });
    expect(files).toContain('dist/main.js');
    expect(files.filter((name) => /\.d\.[cm]?ts$|\.map$|^docs/.test(name))).toEqual([]);

    expect(JSON.parse(last('ENTRYPOINT'))).toEqual(['writ']);
    const [, address] = /^OPA_RUN_DIAGNOSTIC_ADDR=http:\/\/127\.0\.0\.1:(\d+)$/.exec(last('ENV'))!;
    const port = String(await freePort());
    const args = (JSON.parse(last('CMD')) as string[]).map((arg) => arg.replace('0.0.0.0:8181', '127.0.0.1:0'));
    // With a certificate, which the check knows nothing of.
    const tls = ['--tls-cert-file', tlsFile('server.pem'), '--tls-private-key-file', tlsFile('server.key')];
    const server = spawn(join(folder, 'package/bin/writ'), [...args, ...tls, '--log-level', 'debug'], {
      env: {
        ...process.env,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
        OPA_RUN_DIAGNOSTIC_ADDR: `http://127.0.0.1:${port}`,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
        createInterface(server.stderr).on('line', (line) => line.includes('Server initialized.') && resolve());
      });
      const check = JSON.parse(last('HEALTHCHECK').replace(/^.* CMD /, '')) as string[];
      expect(check[0]).toBe('bash');
      const healthy = (changed: (part: string) => string) =>
        spawnSync(
          check[0]!,
          check.slice(1).map((part) => changed(part.replace(`/${address}`, `/${port}`))),
        ).status === 0;
      expect(healthy((part) => part)).toBe(true);
      expect(healthy((part) => part.replace('/health', '/nothing'))).toBe(false);
      server.kill();
      await once(server, 'exit');
      expect(healthy((part) => part)).toBe(false);
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
