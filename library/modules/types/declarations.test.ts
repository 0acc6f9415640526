import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';

const policy = `# METADATA
# scope: package
# schemas:
#   - input: schema.request
#   - data.users: {type: array, items: {type: object, properties: {name: {type: string}}}}
package shop.orders

# METADATA
# title: Whether the request is allowed
# entrypoint: true
default allow := false

allow if input.user == data.users[_].name

# METADATA
# entrypoint: true
reasons contains {"code": 1, "text": input.user} if not allow

# METADATA
# entrypoint: true
limits := {"max": 3, "names": ["a", "b"], "odd key": null} if input.user

# METADATA
# entrypoint: true
from_data := data.elsewhere
`;
const request = {
  type: 'object',
  properties: {
    user: { type: 'string', description: 'Who asks' },
    method: { enum: ['GET', 'PUT'] },
    parent: { $ref: '#/definitions/node' },
  },
  required: ['user'],
  additionalProperties: false,
  definitions: { node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/definitions/node' } } } } },
};
const files = { 'p.rego': policy, 'schemas/request.json': JSON.stringify(request), 'data.json': '{"users": []}' };

const use = (
  extension: string,
) => `import rules, { decide, entrypoints, EvaluationError, policy, shop, type Data } from './policy.${extension}';

const allowed: boolean = decide('shop/orders/allow', { user: 'ann' });
const same: boolean = shop.orders.allow({ user: 'ann', method: 'GET', parent: { children: [{}] } }, { timeMs: 5 });
const texts: string[] = rules.shop.orders.reasons({ user: 'ann' }).map(({ text }) => text);
const max: number = shop.orders.limits({ user: 'ann' })?.max ?? 0;
const nothing: null | undefined = shop.orders.limits({ user: 'ann' })?.['odd key'];
const unknowns: unknown = shop.orders.from_data({ user: 'ann' });
const data: Data = { users: [{ name: 'ann' }], others: 1 };
policy.withData(data).decide(entrypoints[0]!, { user: 'ann' });
if (new Error() instanceof EvaluationError) console.log(allowed, same, texts, max, nothing, unknowns);
// @ts-expect-error a member that the schema does not have
decide('shop/orders/allow', { user: 'ann', other: 1 });
// @ts-expect-error a required member is missing
decide('shop/orders/allow', {});
// @ts-expect-error the input is missing
decide('shop/orders/allow');
// @ts-expect-error the input is missing
shop.orders.allow();
// @ts-expect-error a value that is none of the schema's
decide('shop/orders/allow', { user: 'ann', method: 'POST' });
// @ts-expect-error no such entrypoint
decide('shop/orders/nothing');
// @ts-expect-error it may be undefined
const limits: number = shop.orders.limits({ user: 'ann' }).max;
// @ts-expect-error no such option
decide('shop/orders/allow', { user: 'ann' }, { timeout: 1 });
// @ts-expect-error described by a schema
policy.setData({ users: 'none' });
console.log(limits);
`;

const settings = { compilerOptions: { strict: true, noEmit: true, target: 'ES2022', module: 'NodeNext', types: [] } };

test.each(['js', 'mjs', 'cjs'])('a .%s module has declarations that TypeScript checks users by', async (extension) => {
  await withFiles(files, async (directory) => {
    const output = join(directory, `policy.${extension}`);
    const paths = [join(directory, 'p.rego'), join(directory, 'data.json')];
    const built = await runCommand(
      'build',
      '-t',
      'js',
      '--schema',
      join(directory, 'schemas'),
      '-e',
      'shop/orders',
      '-o',
      output,
      ...paths,
    );
    expect(built).toEqual({ exit: 0, stdout: '', stderr: '' });
    writeFileSync(join(directory, 'use.mts'), use(extension));
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ ...settings, files: ['use.mts'] }));
    const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});

test('titles of rules and descriptions of schemas are comments', async () => {
  await withFiles(files, async (directory) => {
    const output = join(directory, 'policy.js');
    await runCommand('build', '-t', 'js', '-s', join(directory, 'schemas'), '-e', 'shop/orders', '-o', output, join(directory, 'p.rego'));
    const text = readFileSync(join(directory, 'policy.d.ts'), 'utf8');
    expect(text).toContain('/** Whether the request is allowed */\n    readonly allow: Rule<"shop/orders/allow">;');
    expect(text).toContain('/** Who asks */\n  readonly user: string;');
  });
});

test('a schema that annotations name and nobody gave is unknown', async () => {
  await withFiles(files, async (directory) => {
    const output = join(directory, 'policy.js');
    const built = await runCommand('build', '-t', 'js', '-e', 'shop/orders', '-o', output, join(directory, 'p.rego'));
    expect(built.exit).toBe(0);
    expect(readFileSync(join(directory, 'policy.d.ts'), 'utf8')).toContain('readonly "shop/orders/allow": unknown;');
  });
});
