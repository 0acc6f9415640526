/** A project with nothing but the packed package, and the tools to test it beside it. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import published from '../../package.json' with { type: 'json' };

export const root = join(import.meta.dirname, '../..');

/** A path in this repository's own node_modules. */
export const own = (path: string): string => join(root, 'node_modules', path);

export interface Output {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it ends. */
export function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<Output> {
  return new Promise((resolve, reject) => {
    const started = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      started[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    }
    started.on('error', reject);
    started.on('close', (status) => resolve({ status, ...texts }));
  });
}

/** An environment in which programs find this Node only. */
export function withNode(node: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...rest } = process.env;
  return { ...rest, PATH: [dirname(node), '/usr/bin', '/bin'].join(':') };
}

/**
 * Packs the current dist/, and installs the package into a new project, without a registry. Returns
 * the project's folder.
 */
export async function installPackage(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-package-'));
  const packed = await pack(folder);
  // A package that is named here and not on the command line is unpacked once less to be read.
  const manifest = { name: 'project', version: '1.0.0', private: true, dependencies: { writ: `file:${packed}` } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  await npm(['install', '--offline'], folder);
  cpSync(join(import.meta.dirname, 'project'), folder, { recursive: true });
  for (const name of ['builtins', 'bundles', 'tls'])
    cpSync(join(root, 'fixtures', name), join(folder, 'fixtures', name), { recursive: true });
  return folder;
}

/** The name of the packed package. */
export const packedName = `writ-${published.version}.tgz`;

/** Packs the current dist/ into a folder. Returns the name of the file. */
export async function pack(folder: string): Promise<string> {
  const printed = await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root);
  return printed.trim().split('\n').at(-1)!;
}

export interface Tools {
  readonly folder: string;
  /** The reason for missing tools. */
  readonly missing?: string;
  /** A path in the tools' packages, undefined if they are missing. */
  path(inside: string): string | undefined;
}

/** Tools that users may have and this repository does not. */
const versions = {
  '@arethetypeswrong/cli': '^0.18.2',
  '@rollup/plugin-commonjs': '^29.0.3',
  '@rollup/plugin-node-resolve': '^16.0.3',
  '@valibot/to-json-schema': '^1.8.0',
  arktype: '^2.2.9',
  bun: '^1.4.5',
  deno: '^2.9.6',
  jest: '^30.5.2',
  node: '^22.23.3',
  publint: '^0.3.25',
  rollup: '^4.68.8',
  typescript: '~5.4.3',
  valibot: '^1.5.0',
  webpack: '^5.113.0',
  workerd: '^1.20261117.1',
  zod: '^4.6.7',
};

/** Dependencies whose install scripts are not needed, as in package.json. */
const withoutScripts = { '@parcel/watcher': false, 'unrs-resolver': false };

/**
 * Installs the tools once; they stay in node_modules. They come from the registry; throws without
 * them if they are required.
 */
export async function installTools(): Promise<Tools> {
  return await installOnce(own('.package-tools'), {
    private: true,
    dependencies: versions,
    allowScripts: { node: true, bun: true, deno: true, workerd: true, ...withoutScripts },
  });
}

/**
 * Installs the packages of the apps in examples/, the packed package beside them, and copies the
 * apps there. Not into node_modules, where Node runs no TypeScript.
 */
export async function installExamples(): Promise<Tools> {
  const manifest = JSON.parse(readFileSync(join(root, 'examples/package.json'), 'utf8')) as object;
  const tools = await installOnce(join(root, '.package-examples'), manifest);
  if (tools.missing !== undefined) return tools;
  const folder = tools.folder;
  const packed = join(folder, await pack(folder));
  const writ = join(folder, 'node_modules/writ');
  rmSync(writ, { recursive: true, force: true });
  mkdirSync(writ);
  const { status, stderr } = await run('tar', ['-xzf', packed, '--strip-components=1', '-C', writ], folder);
  if (status !== 0) throw new Error(stderr);
  cpSync(join(root, 'examples'), folder, { recursive: true, filter: (path) => !path.endsWith('package.json') });
  return tools;
}

/**
 * Installs the packages of a package.json in a folder, unless they are there. Throws without them
 * if they are required.
 */
export async function installOnce(folder: string, packages: object): Promise<Tools> {
  const manifest = JSON.stringify(packages);
  const done = join(folder, 'installed.json');
  if (!existsSync(done) || readFileSync(done, 'utf8') !== manifest) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), manifest);
    try {
      await npm(['install', '--no-package-lock', '--fetch-retries=0', '--fetch-timeout=30000'], folder);
    } catch (error) {
      if (process.env.WRIT_PACKAGE_TOOLS === 'required') throw error;
      return { folder, missing: (error as Error).message, path: () => undefined };
    }
    writeFileSync(done, manifest);
  }
  return { folder, path: (inside) => join(folder, 'node_modules', inside) };
}

/** Runs the machine's npm: the Node of the tests has none. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], cwd);
  if (status !== 0) throw new Error(`npm ${args[0]}: ${(stderr || stdout).trim().split('\n').slice(0, 2).join(' ')}`);
  return stdout;
}
