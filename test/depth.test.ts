/** Chains and nested brackets of thousands of levels, in whatever reads policies. */
import { constants } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { moduleToJson } from '../compiler/ast/ast-json.js';
import { printModule } from '../compiler/ast/print.js';
import { CompileErrors } from '../compiler/diagnostics/diagnostics.js';
import { formatText } from '../compiler/format/format.js';
import { parseModule } from '../compiler/syntax/parse.js';
import { Engine } from '../library/index.js';
import { deepInput, deepKinds, deepModule } from './generators/deep-policies.js';
import { runCommand, runWith, withFiles } from './harness/command.js';
import { equalModules } from './harness/equal-modules.js';

const rows = deepKinds.map((kind) => [kind.name, kind] as const);

/** Indented JSON grows with the square of the levels: that of 3,000 has up to 1.1 GB. */
const levelsOfTree = 1000;

describe.each(rows)('%s', (_name, kind) => {
  const deep = deepModule(kind, 3000);

  test('of 3,000 levels are read, printed and formatted', () => {
    const module = parseModule('t.rego', deep);
    expect(equalModules(module, parseModule('t.rego', printModule(module)))).toBe(true);
    expect(moduleToJson(module)).toHaveProperty('rules');
    const formatted = formatText('t.rego', deep);
    expect(formatText('t.rego', formatted)).toBe(formatted);
    expect(equalModules(module, parseModule('t.rego', formatted))).toBe(true);
  });

  test.each([1, 63, 150, 3000])('of %i levels decide, cold and hot', async (levels) => {
    const engine = await Engine.open({ policies: { 't.rego': deepModule(kind, levels) } });
    const text = JSON.stringify(kind.value(levels));
    expect(JSON.stringify(engine.decide('t/r', deepInput).result)).toBe(text);
    for (let i = 0; i < 60; i++) engine.decide('t/r', deepInput);
    expect(JSON.stringify(engine.decide('t/r', deepInput).result)).toBe(text);
  });

  test('of 3,000 levels pass the commands', async () => {
    const text = JSON.stringify(kind.value(3000)) ?? '';
    const files = { 't.rego': deep, 'tree.rego': deepModule(kind, levelsOfTree), 'input.json': JSON.stringify(deepInput) };
    await withFiles(files, async (directory) => {
      const at = (name: string): string => `${directory}/${name}`;
      const [policy, input, plan] = [at('t.rego'), at('input.json'), at('plan.tar.gz')];
      const decided = { exit: 0, stdout: text === '' ? '' : `${text}\n`, stderr: '' };
      expect(await runCommand('check', '--strict', policy)).toEqual({ exit: 0, stdout: '', stderr: '' });
      expect(await runCommand('parse', policy)).toMatchObject({ exit: 0, stderr: '' });
      expect(await runWith({ stdout: () => {} }, ['parse', '-f', 'json', at('tree.rego')])).toMatchObject({ exit: 0, stderr: '' });
      expect(await runCommand('eval', '-f', 'raw', '-d', policy, '-i', input, 'data.t.r')).toEqual(decided);
      expect(await runCommand('build', '-t', 'plan', '-e', 't/r', '-o', plan, policy)).toMatchObject({ exit: 0, stderr: '' });
      expect(await runCommand('eval', '-f', 'raw', '-b', plan, '-i', input, 'data.t.r')).toEqual(decided);
    });
  });
});

test('the JSON of a tree of 3,000 levels is longer than a string can be, and written in parts', async () => {
  const deep = deepModule(deepKinds.find(({ name }) => name === 'or')!, 3000);
  let length = 0;
  const stdout = (text: string): void => {
    length += text.length;
  };
  await withFiles({ 't.rego': deep }, async (directory) => {
    const written = await runWith({ stdout }, ['parse', '-f', 'json', `${directory}/t.rego`]);
    expect(written).toMatchObject({ exit: 0, stderr: '' });
  });
  expect(length).toBeGreaterThan(constants.MAX_STRING_LENGTH);
});

describe.each(rows)('%s in partial evaluation', (_name, kind) => {
  const partial = async (levels: number): Promise<string> => {
    const { exit, stdout, stderr } = await withFiles({ 't.rego': deepModule(kind, levels) }, (directory) =>
      runCommand('eval', '--partial', '-f', 'source', '-d', `${directory}/t.rego`, 'data.t.r'),
    );
    return exit === 0 ? stdout.slice(0, 100) : stderr.slice(0, 300);
  };

  test('of 200 levels have a residual', async () => {
    expect(await partial(200)).toMatch(/^# Query 1\n/);
  });

  test('of 3,000 levels have a residual or end with an error that tells the bound', async () => {
    expect(await partial(3000)).toMatch(/^# Query 1\n|eval_internal_error: the residual has terms that nest more than 300 levels\n$/);
  });
});

describe('beyond the bounds is an error at its place:', () => {
  test.each([
    ['brackets', `p := ${'['.repeat(4001)}${']'.repeat(4001)}`, 4006],
    ['brackets without an end', `p := ${'('.repeat(20_000)}`, 4006],
    ['operators', `p := ${'1 + '.repeat(7001)}1`, 28_008],
    ['branches', `p := 1 if { false }${' else := 2'.repeat(10_001)}`, 100_021],
    ['comprehensions', `p := ${'[x | x := '.repeat(201)}1${']'.repeat(201)}`, 2011],
    ['every', `p if ${'every x in [1] { '.repeat(201)}x == 1${' }'.repeat(201)}`, 3423],
    ['templates', `p := ${'$"{'.repeat(201)}1${'}"'.repeat(201)}`, 609],
    ['patterns', `p if { ${'['.repeat(600)}x${']'.repeat(600)} := input; x == 1 }`, 508],
    ['defaults', `default p := ${'['.repeat(600)}1${']'.repeat(600)}`, 514],
  ])('%s', (_name, text, col) => {
    let thrown: unknown;
    try {
      parseModule('p.rego', `package p\n${text}\n`);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(CompileErrors);
    const [first] = (thrown as CompileErrors).diagnostics;
    expect(first).toMatchObject({ code: 'rego_parse_error', message: 'max parsing recursion depth exceeded', location: { row: 2, col } });
  });
});
