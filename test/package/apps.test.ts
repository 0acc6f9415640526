/**
 * The apps of examples/, with the packed package and the frameworks of the registry: their tests
 * pass, their types hold, and wrong inputs are errors of the compiler.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { installExamples, own, run, withNode } from './project.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const { folder, missing } = await installExamples();
if (missing !== undefined) console.warn(`skipped: the apps of examples/ (${missing})`);

const node = own('node/bin/node');
const inFolder = async (args: readonly string[]) => {
  const { status, stdout, stderr } = await run(node, args, folder, withNode(node));
  return { status, output: `${stdout}${stderr}` };
};
const compiler = 'node_modules/typescript/bin/tsc';

if (missing === undefined) {
  // Declarations for all, and a module for Next.js, which has a bundler of its own.
  for (const command of [
    ['types', 'policies'],
    ['build', '-t', 'js', '-o', 'policy.js', 'policies'],
  ]) {
    const { status, output } = await inFolder(['node_modules/writ/dist/main.js', ...command]);
    if (status !== 0) throw new Error(output);
  }
}

/** Node runs TypeScript as it is, but for decorators and markup: these are bundled first. */
const bundled: Readonly<Record<string, string>> = { nestjs: 'app.test.ts', react: 'app.test.tsx' };

async function testOf(app: string): Promise<string> {
  const source = bundled[app];
  if (source === undefined) return `${app}/app.test.ts`;
  const output = `${app}/app.test.mjs`;
  const flags = [
    '--bundle',
    '--packages=external',
    '--platform=node',
    '--format=esm',
    '--jsx=automatic',
    '--external:*.rego',
    `--outfile=${output}`,
  ];
  const { status, stderr } = await run(join(folder, 'node_modules/esbuild/bin/esbuild'), [`${app}/${source}`, ...flags], folder);
  if (status !== 0) throw new Error(stderr);
  return output;
}

interface Wrong {
  readonly title: string;
  readonly file: string;
  readonly text: string;
  readonly code: string;
}

/** Changes of an app's first input, each an error. */
const changes: readonly (readonly [title: string, from: RegExp, to: string])[] = [
  ['an action that there is not', /action: 'read'/, "action: 'raed'"],
  ['an action of another type', /action: 'read'/, 'action: 1'],
  ['no action', /action: 'read',/, ''],
  ['a member that there is not', /action: 'read'/, "action: 'read', tenant: 'x'"],
  ['a user of another type', /user(?:: .*)?,(\s+action: 'read')/, "user: 'x',$1"],
];

/**
 * The code of an app's errors: of the function that makes the input (TS2345) if the app gives its
 * parameter a type, otherwise of what it returns (TS2322).
 */
const codes: Readonly<Record<string, string | readonly string[]>> = {
  express: 'TS2322',
  fastify: 'TS2322',
  hono: 'TS2345',
  koa: 'TS2322',
  nestjs: 'TS2345',
  next: 'TS2345',
  react: ['TS2322', 'TS2322', 'TS2741', 'TS2353', 'TS2322'],
  trpc: 'TS2322',
  yoga: 'TS2345',
};

const apps = Object.keys(codes);

function wrongOnes(app: string): readonly Wrong[] {
  const path = app === 'next' ? 'next/app/orders/[id]/route.ts' : app === 'react' ? 'react/app.tsx' : `${app}/app.ts`;
  const text = readFileSync(join(folder, path), 'utf8');
  return changes.map(([title, from, to], i) => ({
    title: `${app}: ${title}`,
    file: path.replace(/(\w+)\.(tsx?)$/, `${app}-wrong-${i}.$2`),
    text: text.replace(from, to),
    code: typeof codes[app] === 'string' ? codes[app] : codes[app]![i]!,
  }));
}

const open = `import { Engine } from 'writ';
const engine = await Engine.open({ policies: { 'p.rego': 'package p\\nallow := true' } });
const allow = await engine.prepare('p/allow');
const docs: Record<string, string> = {};
`;

/** Routes whose guards and handlers read parameters and headers, without a type of their own. */
const routes: Readonly<Record<string, string>> = {
  'routes-express.ts': `import express, { type Request, Router } from 'express';
import { guard } from 'writ/express';
${open}
const app = express();
app.get('/a/:x/b/:y', guard(allow, (req) => ({ x: docs[req.params.x] })), (req, res) => void res.json(docs[req.params.y]));
app.route('/c/:id').get(guard(allow, async (req) => ({ id: docs[req.params.id] })), (req, res) => void res.json(docs[req.params.id]));
Router({ mergeParams: true }).put('/:id', guard(allow, ({ params: { id } }) => ({ id: docs[id] })), (req, res) => void res.json(docs[req.params.id]));
app.get('/w/*rest', guard(allow, (req: Request<{ rest: string[] }>) => ({ p: req.params.rest.join('/') })), (req, res) => void res.json(req.params.rest));
// @ts-expect-error a parameter is a text
app.get('/d/:id', guard(allow, (req) => req.params.id.foo));
`,
  'routes-fastify.ts': `import Fastify, { type FastifyRequest } from 'fastify';
import { guard } from 'writ/fastify';
${open}
const app = Fastify();
app.get<{ Params: { id: string } }>('/a/:id', { preHandler: [guard(allow, (req) => ({ id: docs[req.params.id] }))] }, async (req) => docs[req.params.id]);
app.get('/b', { preHandler: guard(allow, (req) => ({ url: req.url, user: req.headers['x-user'] })) }, async (req) => req.url);
app.route({ method: 'GET', url: '/c', preHandler: guard(allow, (req) => ({ ip: req.ip })), handler: async () => 1 });
app.addHook('preHandler', guard(allow, (req) => ({ method: req.method })));
const preHandler = guard(allow, (req: FastifyRequest) => ({ url: req.url }));
app.delete('/d/:id', { preHandler }, async () => 1);
// @ts-expect-error the route has no such parameter
app.get<{ Params: { id: string } }>('/e/:id', { preHandler: guard(allow, (req) => ({ id: req.params.idd })) }, async () => 1);
`,
  'routes-hono.ts': `import { type Context, Hono } from 'hono';
import { guard } from 'writ/hono';
${open}
const app = new Hono<{ Variables: { user: string } }>();
app.get('/a/:id', guard(allow, (c) => ({ id: docs[c.req.param('id')] })), (c) => c.json(docs[c.req.param('id')]));
const kept = guard(allow, (c: Context<{ Variables: { user: string } }>) => ({ user: c.get('user') }));
app.use('/b/*', kept);
app.get('/b/:id', kept, (c) => c.json(docs[c.req.param('id')]));
`,
};

describe.skipIf(missing !== undefined)('the apps of examples/', () => {
  test.each(apps)('%s allows and denies with the reason', async (app) => {
    const { status, output } = await inFolder(['--import', 'writ/register', '--test', await testOf(app)]);
    expect(status, output).toBe(0);
    expect(output).toMatch(/pass [1-9]/);
  });

  test('their types and those of other routes hold, and those of wrong inputs do not', async () => {
    const wrong = apps.flatMap((app) => wrongOnes(app));
    for (const { file, text } of wrong) writeFileSync(join(folder, file), text);
    for (const [file, text] of Object.entries(routes)) writeFileSync(join(folder, file), text);
    const found = new Map<string, string[]>();
    const unexpected: string[] = [];
    for (const project of ['.', 'next']) {
      const flags = ['--noEmit', '--allowImportingTsExtensions', '--skipLibCheck', 'false', '--pretty', 'false'];
      const { output } = await inFolder([compiler, '-p', project, ...flags]);
      for (const [line, path, code] of output.matchAll(/^(\S.*?)\(\d+,\d+\): error (TS\d+).*$/gm)) {
        // The declarations of some frameworks have errors of their own.
        if (/node_modules\/(?!writ\/)/.test(path!)) continue;
        const file = wrong.find((one) => path!.endsWith(one.file.split('/').at(-1)!))?.file;
        if (file === undefined) unexpected.push(line);
        else found.set(file, [...(found.get(file) ?? []), code!]);
      }
    }
    expect(unexpected).toEqual([]);
    expect(Object.fromEntries(wrong.map(({ title, file }) => [title, found.get(file)?.[0]]))).toEqual(
      Object.fromEntries(wrong.map(({ title, code }) => [title, code])),
    );
  });
});
