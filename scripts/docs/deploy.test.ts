import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { loadAll } from 'js-yaml';
import { afterAll, describe, expect, test } from 'vitest';
import { parseArguments } from '../../cli/args.js';
import { serverFlags } from '../../cli/server/flags.js';
import { readConfig } from '../../server/control/server-config.js';
import { parseConfig } from '../../services/config/service-config.js';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { serverProcess } from '../../test/harness/server/process.js';

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

test.runIf(existsSync('/usr/bin/systemd-analyze'))('systemd takes the unit', () => {
  const { stderr } = spawnSync('systemd-analyze', ['verify', join(root, 'docs/deploy/writ.service')], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('writ.service'))).toEqual([]);
});

test.each<readonly [string, string]>([
  ['config.yaml', deploy('config.yaml')],
  ...(loadAll(deploy('kubernetes/server.yaml')) as { kind: string; data?: Record<string, string> }[])
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ data }) => ['the configuration in server.yaml', data!['config.yaml']!] as const),
])('%s is a configuration without unknown keys', (_name, text) => {
  const { warnings } = readConfig(parseConfig(text, { POLICY_TOKEN: 'secret' }));
  expect(warnings).toEqual([]);
});

interface Manifest {
  readonly kind: string;
  readonly spec?: { readonly template?: { readonly spec: Pod } };
}

interface Pod {
  readonly securityContext: { readonly runAsNonRoot: boolean };
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly readinessProbe: Probe;
    readonly livenessProbe: Probe;
  }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

describe.each(['server.yaml', 'admission.yaml'])('%s', (name) => {
  const pods = (loadAll(deploy(`kubernetes/${name}`)) as Manifest[])
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec!.template!.spec);

  test('runs without root, with flags that there are', () => {
    expect(pods).toHaveLength(1);
    for (const { securityContext, containers } of pods) {
      expect(securityContext.runAsNonRoot).toBe(true);
      for (const { args } of containers) checkArguments(args);
    }
  });

  test('asks for health where it is served', () => {
    for (const { args, ports, readinessProbe, livenessProbe } of pods.flatMap(({ containers }) => containers)) {
      const address = args.find((arg) => arg.startsWith('--diagnostic-addr='))!;
      for (const { httpGet } of [readinessProbe, livenessProbe]) {
        expect(httpGet.path).toMatch(/^\/health(\?|$)/);
        expect(address.endsWith(`:${ports.find(({ name: port }) => port === httpGet.port)!.containerPort}`)).toBe(true);
      }
    }
  });
});

test('the admission policies are loaded once from a mounted ConfigMap', { timeout: 60_000 }, async () => {
  const [pod] = (loadAll(deploy('kubernetes/admission.yaml')) as Manifest[]).flatMap(({ spec }) => spec?.template?.spec ?? []);
  // A volume of Kubernetes: links to a hidden directory, which a hidden link names.
  const volume = temporaryDirectory();
  const admission = join(root, 'docs/deploy/admission');
  mkdirSync(volume, { recursive: true });
  cpSync(admission, join(volume, '..2026_11_22'), { recursive: true });
  symlinkSync('..2026_11_22', join(volume, '..data'));
  for (const file of readdirSync(admission)) symlinkSync(join('..data', file), join(volume, file));
  const args = pod!.containers[0]!.args.slice(2).filter((arg) => !/^--(addr|diagnostic-addr|tls-)/.test(arg));
  const server = await serverProcess(...args.map((arg) => arg.replace('/policies', volume)));
  const review = { request: { uid: 'u', kind: { kind: 'Pod' }, object: { spec: { containers: [{ name: 'c', image: 'x/y' }] } } } };
  expect((await server.ask('POST', '/', JSON.stringify(review))).body).toMatchObject({ response: { uid: 'u', allowed: false } });
  const { body } = await server.ask('GET', '/v1/policies');
  expect((body as { result: unknown[] }).result).toHaveLength(3);
});

test('the admission policies pass their tests', () => {
  const { status, stdout } = spawnSync(join(root, 'bin/writ'), ['test', join(root, 'docs/deploy/admission')], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('PASS: 3/3') });
});
