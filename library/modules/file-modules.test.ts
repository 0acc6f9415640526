/** Modules of files: the rules of a package under their own names. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { compileModule, type ModuleSources } from './compile-module.js';
import { readModuleUnits } from './units-file.js';

const units = readModuleUnits();

function moduleOf(file: string, policies: Record<string, string>, others: Omit<ModuleSources, 'policies'> = {}) {
  const { module, diagnostics } = compileModule({ policies: new Map(Object.entries(policies)), ...others }, { file, units });
  expect(module, JSON.stringify(diagnostics)).toBeDefined();
  return { ...module!, diagnostics };
}

async function load(text: string): Promise<Record<string, (input?: unknown) => unknown>> {
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Record<string, (input?: unknown) => unknown>;
}

const shop = `# METADATA
# scope: package
# schemas:
#   - input: schema.request
package shop

# METADATA
# title: Whether the request is allowed
default allow := false

allow if input.user.name in data.admins

level := "high" if input.amount > 100
else := "low" if input.amount > 10

deny contains "no name" if not input.user.name
deny contains "too much" if level == "high"

errors.user.name := "is missing" if not input.user.name
errors.amount contains sprintf("%v is too much", [input.amount]) if level == "high"

prices[name] := {"price": price} if some name, price in {"pen": 1}

delete if allow

Map := {"a": 1}

then := 2

double(x) := x * 2
`;
const others = 'package shop\n\nfrom_other_file if allow\n';
const tests = 'package shop\n\ntest_allow if not allow with input as {}\n';
const policies = { 'shop.rego': shop, 'more.rego': others, 'shop_test.rego': tests, 'other.rego': 'package other\n\nx := 1\n' };
const request = {
  title: 'Request',
  type: 'object',
  properties: {
    user: { type: 'object', properties: { name: { type: 'string', description: 'A full name' } } },
    amount: { type: 'number' },
    action: { enum: ['read', 'write'] },
  },
  required: ['user'],
  additionalProperties: false,
};
const given = { data: { admins: ['Ann'] }, schemas: new Map([['schema.request', request]]) };

test('a file exports the rules of its package by their names', async () => {
  const { text, diagnostics } = moduleOf('shop.rego', policies, given);
  const exported = await load(text);
  expect(diagnostics).toEqual([]);
  expect(Object.keys(exported).sort()).toEqual([
    '$EvaluationError',
    '$ModuleError',
    '$policy',
    'Map',
    'allow',
    'default',
    'delete',
    'deny',
    'errors',
    'from_other_file',
    'level',
    'prices',
  ]);
  const input = { user: { name: 'Ann' }, amount: 200 };
  expect(exported.allow!(input)).toBe(true);
  expect(exported.delete!(input)).toBe(true);
  expect(exported.from_other_file!({ user: {} })).toBeUndefined();
  expect(exported.deny!({ user: {}, amount: 200 })).toEqual(['no name', 'too much']);
  expect(exported.errors!(input)).toEqual({ user: {}, amount: ['200 is too much'] });
  const { user } = exported.errors as unknown as { user: { name: (input: unknown) => unknown } };
  expect(user.name({ user: {} })).toBe('is missing');
  expect((exported.$policy as unknown as { decide: (path: string) => unknown }).decide('shop/then')).toBe(2);
  expect(exported.allow!.name).toBe('shop/allow');
});

test('a CommonJS module has the same exports', () => {
  const sources = { policies: new Map(Object.entries(policies)), ...given };
  const { module } = compileModule(sources, { file: 'shop.rego', units, format: 'commonjs' });
  const exported: Record<string, (input: unknown) => unknown> = {};
  new Function('exports', module!.text)(exported);
  expect([exported.delete!({ user: { name: 'Ann' } }), exported.level!({ amount: 20 })]).toEqual([true, 'low']);
});

test('packages of several segments, quoted ones too, export their rules alone', async () => {
  const { text, declarations } = moduleOf('a.rego', {
    'a.rego': 'package a["b-c/d"]\n\nx := 1',
    'b.rego': 'package a["b-c/d"].inner\n\ny := 2',
  });
  const exported = await load(text);
  expect(exported.x!()).toBe(1);
  expect(exported).not.toHaveProperty('inner');
  expect(declarations).toContain('readonly "a/b-c%2Fd/x": ');
});

test('a file without rules is a module without any', async () => {
  expect(Object.keys(await load(moduleOf('a.rego', { 'a.rego': 'package a\n\nf(x) := x' }).text))).toHaveLength(4);
});

test('rules that no module can have are not exported, and told', async () => {
  const policy = `package a

web := http.send({"url": input.url, "method": "get"})

ok if web.status_code == 200

fine if print("fine", input) # writes a line

also := $"{input.x}"

key := io.jwt.decode_verify(input.token, {})

doc.a if ok

doc.b := 1
`;
  const { text, declarations, diagnostics } = moduleOf('a.rego', { 'a.rego': policy });
  expect(Object.keys(await load(text)).filter((name) => /^[a-z]/.test(name))).toEqual(['also', 'default', 'doc', 'fine']);
  expect(declarations).toContain('// a/ok is not exported: http.send cannot go into a module: it sends requests');
  expect(declarations).toContain('export declare const doc: {\n  readonly b: Rule<unknown, 1>;\n};');
  expect(new Set(diagnostics.map(({ location }) => location?.row))).toEqual(new Set([3, 11]));
});

test('a file that is none of the policies is an error', () => {
  expect(() => compileModule({ policies: new Map() }, { file: 'a.rego', units })).toThrow('there is no policy a.rego');
});

const use = `import shop, { allow, delete as remove, deny, errors, level, Map as map, prices, $policy, $EvaluationError, type Request } from './shop.rego';

interface User { name: string; age: number }
declare const user: User;
const request: Request = { user, action: 'read' };
const allowed: boolean = allow(request);
const same: true | undefined = remove({ user: {} }, { timeMs: 5 });
const found: 'high' | 'low' | undefined = level(request);
const messages: readonly ('no name' | 'too much')[] = deny(request);
const text: 'is missing' | undefined = errors.user.name(request);
const texts: readonly string[] | undefined = errors(request).amount;
const price: number | undefined = prices(request).pen?.price;
const one: number = map(request).a;
const two: 2 = $policy.decide('shop/then', request);
const again: boolean = $policy.withData({ admins: [] }).decide('shop/allow', request);
if (new Error() instanceof $EvaluationError) console.log(allowed, same, found, messages, text, texts, price, one, two, again);
// @ts-expect-error TS2554: the input is missing
allow();
// @ts-expect-error TS2345: a required member is missing
allow({});
// @ts-expect-error TS2322: none of the values
allow({ user: {}, action: 'delete' });
// @ts-expect-error TS2322: another type
allow({ user: 'ann' });
// @ts-expect-error TS2353: no such member
allow({ user: {}, other: 1 });
// @ts-expect-error TS2339: no such rule
shop.nothing;
// @ts-expect-error TS2345: no such path
$policy.decide('shop/nothing', request);
// @ts-expect-error TS2554: the input is missing here too
$policy.decide('shop/allow');
`;

describe('declarations of a file', () => {
  test('are those that TypeScript looks for beside it, and checks users by', async () => {
    await withFiles({ 'shop.rego': shop }, async (directory) => {
      writeFileSync(join(directory, 'shop.d.rego.ts'), moduleOf('shop.rego', policies, given).declarations);
      writeFileSync(join(directory, 'use.ts'), use);
      const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', types: [] };
      const settings = { compilerOptions: { ...compilerOptions, allowArbitraryExtensions: true }, files: ['use.ts'] };
      writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(settings));
      const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
      expect(spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8' }).stdout).toBe('');
    });
  });

  test('have titles and descriptions as comments', () => {
    const { declarations } = moduleOf('shop.rego', policies, given);
    expect(declarations).toContain(
      '/** Whether the request is allowed */\nexport declare function allow(input: Request, options?: Options): boolean;',
    );
    expect(declarations).toContain('/** A full name */\n    readonly name?: string | undefined;');
  });
});
