/** Rules in the place of base documents, or below one that is no object, are errors everywhere. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Engine } from '../library/index.js';
import { runCommand, withFiles } from '../test/harness/command.js';
import type { PlainObject } from '../values/value.js';

const rows: readonly (readonly [title: string, data: unknown, policy: string, path: string | undefined])[] = [
  ['a package below a number', { a: { b: 2 } }, 'package a.b.c\n\nd := 1', 'a/b/c/d'],
  ['a package below a text', { a: 'x' }, 'package a.b\n\nd := 1', 'a/b/d'],
  ['a package below null', { a: null }, 'package a.b\n\nd := 1', 'a/b/d'],
  ['a package below false', { a: false }, 'package a\n\nd if true', 'a/d'],
  ['a package below an array', { a: [1] }, 'package a\n\nd := 1', 'a/d'],
  ['a position of an array', { a: [1] }, 'package a["0"]\n\nd := 1', 'a/0/d'],
  ['a partial set below a scalar', { a: 1 }, 'package a\n\nd contains 1', 'a/d'],
  ['a function below a scalar', { a: 1 }, 'package a\n\nd(x) := x', 'a/d'],
  ['a ref head below a scalar', { a: { b: 1 } }, 'package a\n\nb.c.d := 1', 'a/b/c/d'],
  ['a ref head with a variable below a scalar', { a: { b: 1 } }, 'package a\n\nb[x] := 1 if some x in ["c"]', 'a/b'],
  ['a rule where a document is', { a: { b: {} } }, 'package a\n\nb := 1', 'a/b'],
  ['a rule beside a document', { a: { b: 1 } }, 'package a\n\nc := 1', undefined],
  ['a rule below an empty object', { a: {} }, 'package a.b\n\nc := 1', undefined],
];

const commands: readonly (readonly [title: string, args: (at: (name: string) => string) => readonly string[]])[] = [
  ['eval -b', (at) => ['eval', '-b', at('src'), 'data']],
  ['eval -d', (at) => ['eval', '-d', at('src/data.json'), '-d', at('src/p.rego'), 'data']],
  ['eval --partial', (at) => ['eval', '--partial', '-b', at('src'), 'data.a == input.x']],
  ['test -b', (at) => ['test', '-b', at('src')]],
  ['test', (at) => ['test', at('src')]],
  ['check -b', (at) => ['check', '-b', at('src')]],
  ['bench', (at) => ['bench', '-b', at('src'), '--count', '1', '1 == 1']],
  ['exec', (at) => ['exec', '-b', at('src'), '--decision', 'q/x', at('in/in.json')]],
];

describe.each(rows)('%s', (_title, data, policy, path) => {
  const message = path === undefined ? undefined : `conflicting rule for data path ${path} found`;
  const files = {
    'src/data.json': JSON.stringify(data),
    'src/p.rego': `${policy}\n`,
    'src/p_test.rego': 'package q\n\nx := 1\n\ntest_x if x == 1\n',
    'in/in.json': '{}',
  };

  test.each(commands)('%s', async (_command, args) => {
    await withFiles(files, async (directory) => {
      const { exit, stdout, stderr } = await runCommand(...args((name) => join(directory, name)));
      if (message === undefined) expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      else {
        expect(stdout + stderr).toContain(message);
        expect(stdout + stderr).toMatch(/p\.rego:3|"row": 3/);
        expect(exit).toBeGreaterThan(0);
      }
    });
  });

  test('the library', async () => {
    const opened = Engine.open({ policies: { 'p.rego': policy }, data: data as PlainObject });
    if (message === undefined) await (await opened).close();
    else await expect(opened).rejects.toThrow(message);
  });
});
