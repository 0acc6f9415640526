/** nginx and Caddy for tests, as Debian has them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../disk.js';
import { answering } from '../server/moto.js';
import { onTestFinished } from '../set-up/concurrent-tests.js';

const programs = { nginx: ['-v'], caddy: ['version'] } as const;
export type GatewayProgram = keyof typeof programs;

/** Whether a program is installed. Tests that need it are skipped elsewhere. */
export function hasGateway(program: GatewayProgram): boolean {
  const isThere = spawnSync(program, programs[program], { stdio: 'ignore' }).status === 0;
  if (!isThere && process.env.WRIT_GATEWAYS === 'required') throw new Error(`${program} is not installed`);
  if (!isThere) console.log(`tests with ${program} are skipped: it is not installed`);
  return isThere;
}

interface Ports {
  readonly listener: number;
  /** Of forward auth. */
  readonly authz: number;
  readonly upstream: number;
}

const page = readFileSync(join(import.meta.dirname, '../../../docs/forward-auth.md'), 'utf8');

/** The page's configuration of a gateway, with other ports. */
function configOf(language: string, { listener, authz, upstream }: Ports): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)!;
  const ports: Record<string, number> = { 8000: listener, 9192: authz, 8080: upstream };
  return text!.replace(/(127\.0\.0\.1:)(\d+)/g, (_, host: string, port: string) => `${host}${ports[port]}`);
}

const configurations: Readonly<Record<GatewayProgram, (ports: Ports, folder: string) => string>> = {
  nginx: (ports, folder) => `
daemon off; pid ${folder}/pid; error_log stderr crit; worker_processes 1;
events {}
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  ${configOf('nginx', ports)}
}
`,
  caddy: (ports) => `{\n  admin off\n  auto_https off\n}\n${configOf('caddyfile', ports)}`,
};

/** Starts a gateway for one test. Resolves when it answers. */
export async function startGateway(program: GatewayProgram, ports: Ports): Promise<void> {
  const folder = temporaryDirectory();
  const file = join(folder, 'config');
  writeFileSync(file, configurations[program](ports, folder));
  const args = { nginx: ['-c', file, '-p', folder], caddy: ['run', '--config', file, '--adapter', 'caddyfile'] }[program];
  const gateway: ChildProcess = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder } });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        if (gateway.exitCode !== null) return resolve();
        gateway.on('exit', () => resolve());
        gateway.kill('SIGTERM');
      }),
  );
  await answering(`http://127.0.0.1:${ports.listener}/`, gateway);
}
