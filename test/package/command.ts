import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Output, root, run, withNode } from './project.js';

const input = '{"user":"alice","action":"write","document":"budget"}';
const policyTest = `package authz_test

test_allow if {
\tdata.authz.allow with input as {"user": "alice", "action": "write", "document": "budget"}
}
`;

/** The linter's configuration of the project names the documents of its data file. */
const lintConfig = `rules:
  idiomatic:
    directory-package-mismatch: {level: ignore}
    no-defined-entrypoint: {level: ignore}
  imports:
    unresolved-reference: {except-paths: [data.documents, data.roles, data.users]}
`;

/** A configuration file, and the policy in the folder where `verify` looks for it. */
const deployment = 'kind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n';
const deploymentPolicy = `package main

deny contains "one replica is none" if {
\tinput.kind == "Deployment"
\tinput.spec.replicas < 2
}
`;

/** The commands in the README, without those that serve until they are interrupted. */
const shown = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^ {4}bin\/writ (?!run |playground )(.*?)(?: +#.*)?$/gm)].map(
  ([, line]) => line!,
);

/** The installed command. */
export function testCommand(project: string, node: string | undefined): void {
  const command = join(project, 'node_modules/.bin/writ');

  function writ(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    return run(command, args, project, { ...withNode(node!), ...env });
  }

  /** The server's decision. */
  async function served(): Promise<unknown> {
    const args = ['run', '--server', '--addr', '127.0.0.1:0', '--log-level', 'debug', '--log-format', 'json', 'policies'];
    const server = spawn(command, args, { cwd: project, env: withNode(node!), stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(server, 'exit');
    try {
      const url = await new Promise<string>((resolve, reject) => {
        server.once('exit', () => reject(new Error('the server ended')));
        createInterface(server.stderr).on('line', (line) => {
          const [, found] = /"urls":\["([^"]+)"/.exec(line) ?? [];
          if (found !== undefined) resolve(found);
        });
      });
      return await (await fetch(`${url}/v1/data/authz/allow`, { method: 'POST', body: `{"input":${input}}` })).json();
    } finally {
      server.kill();
      await ended;
    }
  }

  describe.skipIf(node === undefined)('the command', () => {
    beforeAll(() => {
      cpSync(join(root, 'fixtures/example'), join(project, 'policies'), { recursive: true });
      writeFileSync(join(project, 'policies/authz_test.rego'), policyTest);
      writeFileSync(join(project, 'input.json'), input);
      writeFileSync(join(project, '.regal.yaml'), lintConfig);
      writeFileSync(join(project, 'deployment.yaml'), deployment);
      mkdirSync(join(project, 'policy'), { recursive: true });
      writeFileSync(join(project, 'policy/deployment.rego'), deploymentPolicy);
    });

    test.each(shown)('%s', async (line) => {
      const { status, stderr } = await writ(line.split(' '));
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });

    test('evaluates', async () => {
      const { stdout } = await writ(['eval', '-f', 'raw', '-d', 'policies/', '-i', 'input.json', 'data.authz.allow']);
      expect(stdout).toBe('true\n');
    });

    test('serves', async () => {
      expect(await served()).toMatchObject({ result: true });
    });

    test('keeps what Node compiled in the folder for caches, and does without one', async () => {
      const caches = mkdtempSync(join(project, 'caches-'));
      expect(await writ(['version'], { XDG_CACHE_HOME: caches })).toMatchObject({ status: 0, stderr: '' });
      expect(readdirSync(caches)).toEqual(['writ']);
      for (const env of [{ HOME: '' }, { HOME: '/dev/null' }, { NODE_DISABLE_COMPILE_CACHE: '1' }]) {
        expect(await writ(['version'], env)).toMatchObject({ status: 0, stderr: '' });
      }
    });
  });
}
