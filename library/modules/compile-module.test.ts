import { describe, expect, test } from 'vitest';
import { compileModule } from './compile-module.js';
import { readModuleUnits } from './units-file.js';

const units = readModuleUnits();
const policies = new Map([['authz.rego', 'package authz\n\ndefault allow := false\n\nallow if input.user in data.admins\n']]);

async function load(text: string): Promise<Record<string, unknown>> {
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Record<string, unknown>;
}

test('policies in memory become a module with declarations', async () => {
  const { module, diagnostics } = compileModule({ policies, data: { admins: ['ann'] } }, { entrypoints: ['authz/allow'], units });
  expect(diagnostics).toEqual([]);
  const { decide } = (await load(module!.text)) as { decide: (name: string, input: unknown) => unknown };
  expect([decide('authz/allow', { user: 'ann' }), decide('authz/allow', { user: 'bob' })]).toEqual([true, false]);
  expect(module!.declarations).toContain('readonly "authz/allow": boolean;');
});

describe('errors are diagnostics with their places:', () => {
  test.each([
    ['of all files that do not parse', { 'a.rego': 'package a\nx := )', 'b.rego': 'package b\ny := )' }, ['a.rego:2', 'b.rego:2']],
    ['of policies that do not compile', { 'a.rego': 'package a\n\nx := y' }, ['a.rego:3']],
    ['of rules that conflict with data', { 'a.rego': 'package a\n\nb.c := 1' }, ['a.rego:3']],
    ['of built-ins that cannot go into a module', { 'a.rego': 'package a\n\nx := http.send({})' }, ['a.rego:3']],
  ])('%s', (_, files, places) => {
    const sources = { policies: new Map(Object.entries(files)), data: { a: { b: { c: 1 } } } };
    const { module, diagnostics } = compileModule(sources, { entrypoints: ['a/x'], units });
    expect(module).toBeUndefined();
    expect([...new Set(diagnostics.map(({ location }) => `${location?.file}:${location?.row}`))]).toEqual(places);
  });
});

test('an entrypoint without rules is an error', () => {
  expect(() => compileModule({ policies }, { entrypoints: ['authz/deny'], units })).toThrow('authz/deny');
});

test('a line of print comes with its place', async () => {
  const printing = new Map([['dir/p.rego', 'package p\n\nallow if {\n\tx := 1\n\tprint("x is", x)\n}\n']]);
  const { module } = compileModule({ policies: printing }, { entrypoints: ['p/allow'], units });
  const { decide } = (await load(module!.text)) as { decide: (name: string, input: unknown, options: object) => unknown };
  const lines: unknown[][] = [];
  expect(decide('p/allow', {}, { onPrint: (...line: unknown[]) => void lines.push(line) })).toBe(true);
  expect(lines).toEqual([['x is 1', 'dir/p.rego:5']]);
});
