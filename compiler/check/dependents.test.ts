import { describe, expect, test } from 'vitest';
import type { Module } from '../ast/nodes.js';
import { compileModules } from '../pipeline.js';
import { recompile } from '../recompile.js';
import type { Compiled } from '../resolve/compiled.js';
import { parseModule } from '../syntax/parse.js';

const texts = {
  library: 'package lib\nsize := 1\nf(x) := x',
  reader: 'package reader\nlarger := data.lib.size + 1',
  caller: 'package caller\nanswer := data.lib.f(1)',
};

function modules(given: Readonly<Record<string, string>>): ReadonlyMap<string, Module> {
  return new Map(Object.entries(given).map(([name, text]) => [name, parseModule(name, text)]));
}

const changed = (version: Compiled, name: string, text: string): Compiled => recompile(version, modules({ [name]: text }));

const files = ({ diagnostics }: Compiled): readonly unknown[] => diagnostics.map(({ location }) => location?.file);

const otherType = texts.library.replace('size := 1', 'size := "s"');
const otherArity = texts.library.replace('f(x) := x', 'f(x, y) := [x, y]');

describe('a change of a library', () => {
  const first = compileModules({ modules: modules(texts) });

  test.each([
    ['checks the readers of a rule whose type changed', otherType, 'reader'],
    ['compiles the callers of a function whose arity changed', otherArity, 'caller'],
  ])('%s', (_title, text, file) => {
    expect(files(changed(first, 'library', text))).toEqual([file]);
  });

  test('finds readers that came after the first version', () => {
    const second = changed(first, 'late', 'package late\nlarger := data.lib.size + 2');
    expect(files(changed(second, 'library', otherType))).toEqual(['late', 'reader']);
  });

  test('finds no reader that reads something else now', () => {
    const second = changed(first, 'reader', 'package reader\nlarger := 3');
    expect(files(changed(second, 'library', otherType))).toEqual([]);
  });

  test('finds the readers of an older version, after a later one has the index', () => {
    const second = changed(changed(first, 'late', 'package late\nlarger := 2'), 'reader', 'package reader\nlarger := 3');
    expect(files(changed(second, 'library', otherType))).toEqual([]);
    expect(files(changed(first, 'library', otherType))).toEqual(['reader']);
  });

  test('finds readers after a change that failed', () => {
    expect(files(changed(first, 'reader', 'package reader\nlarger := "s" + 1'))).toEqual(['reader']);
    expect(files(changed(first, 'library', otherType))).toEqual(['reader']);
  });
});
