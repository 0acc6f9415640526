import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { own, run, type Tools } from './project.js';

const policy = `package authz

default allow := false

allow if input.user == "ann"

deny contains {"msg": "is too long", "path": ["user"]} if count(input.user) > 3
`;

const program = `import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { Engine } from 'writ';
import { validator } from 'writ/validator';
import { z } from 'zod';

const schemas = {
  zod: z.object({ user: z.string(), age: z.number().optional() }),
  arktype: type({ user: 'string', 'age?': 'number' }),
  valibot: toStandardJsonSchema(v.object({ user: v.string(), age: v.optional(v.number()) })),
};
const found: unknown[] = [];
{
  await using engine = await Engine.open('authz.rego', { schemas: { input: schemas.zod } });
  const allowed: boolean = engine.decide('authz/allow', { user: 'ann' }).result;
  const deny = validator(await engine.prepare('authz/deny'));
  found.push(allowed, (await deny['~standard'].validate({ user: 'Annabel' })).issues);
  // @ts-expect-error TS2769
  found.push(engine.decide('authz/allow', { user: 5 }).result);
}
{
  await using engine = await Engine.open('authz.rego', { schemas: { input: schemas.arktype } });
  // @ts-expect-error TS2769
  found.push(engine.decide('authz/allow', { user: 'ann', age: 'old' }).result);
}
{
  await using engine = await Engine.open('authz.rego', { schemas: { input: schemas.valibot } });
  // @ts-expect-error TS2769
  found.push(engine.decide('authz/allow', { user: 'ann', age: 'old' }).result);
}
for (const input of Object.values(schemas)) {
  const policies = { 'p.rego': 'package p\\n\\nx if input.usr' };
  await Engine.open({ policies }, { schemas: { input } }).catch((error: unknown) => found.push((error as Error).message.split('\\n')[0]));
}
console.log(JSON.stringify(found));
`;

const packages = ['zod', 'arktype', 'valibot', '@valibot/to-json-schema'];

/** Schemas of libraries, and the map of `writ types`, in a project that has both. */
export function testSchemas(project: string, node: string, tools: Tools): void {
  const isThere = packages.every((name) => existsSync(tools.path(name) ?? ''));
  test.skipIf(!isThere)('schemas of zod, ArkType and Valibot check policies and type inputs', async () => {
    const folder = join(project, 'schemas-of-libraries');
    const writ = join(project, 'node_modules/writ');
    const links = [['writ', writ], ...packages.map((name) => [name, tools.path(name)!])] as const;
    for (const [name, target] of links) {
      const link = join(folder, 'node_modules', name!);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(target!, link);
    }
    const compilerOptions = {
      module: 'NodeNext',
      target: 'esnext',
      lib: ['esnext', 'dom'],
      strict: true,
      skipLibCheck: true,
      types: [],
      outDir: 'out',
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'authz.rego'), policy);
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts', 'decisions.d.ts'] }));
    const typed = await run(join(writ, 'bin/writ'), ['types', '--engine', 'decisions.d.ts', 'authz.rego'], folder);
    expect(typed).toMatchObject({ status: 0, stdout: 'decisions.d.ts\n', stderr: '' });
    const compiled = await run(own('node/bin/node'), [own('typescript/bin/tsc'), '-p', folder], folder);
    expect({ status: compiled.status, stdout: compiled.stdout }).toEqual({ status: 0, stdout: '' });
    const { stdout, stderr } = await run(node, ['out/program.js'], folder);
    const error = '1 error occurred: p.rego:3: rego_type_error: undefined ref: input.usr';
    const issues = [{ message: 'is too long', path: ['user'] }];
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual([true, issues, false, true, true, error, error, error]);
  });
}
