import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Module } from '../../compiler/ast/nodes.js';
import { printRef } from '../../compiler/ast/print.js';
import { walk } from '../../compiler/ast/walk.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseMapping } from './mapping.js';
import { movedText } from './move.js';

const versions = ['v0', 'v1'] as const;
const fixtures = versions.flatMap((version) =>
  readdirSync(join('fixtures/syntax', version)).map(
    (file) => [`${version}/${file}`, version, readFileSync(join('fixtures/syntax', version, file), 'utf8')] as const,
  ),
);

/** All references, as text. */
function referencesOf(module: Module): string[] {
  const found: string[] = [printRef(module.package.path)];
  walk(module, (node) => {
    if (node.type === 'ref') found.push(printRef(node.terms));
  });
  return found;
}

test.each(fixtures)('%s: all of data moves below a new root, and nothing else', (_file, version, text) => {
  const options = { regoVersion: version };
  const before = parseModule('m.rego', text, options);
  const after = parseModule('m.rego', movedText(before, [parseMapping('data:data.new.root')]), options);
  const moved = (ref: string) => ref.replaceAll(/(?<![\w.$"])data(?=[.[\]),;: ]|$)/g, 'data.new.root');
  expect(referencesOf(after)).toEqual(referencesOf(before).map(moved));
});

test.each([
  ['import data.a.b\n\np := b.x', 'data.a.b:data.c.d', 'import data.c.d as b\n\np := b.x'],
  ['import data.a.b # why\n\np if b.ok(1)', 'data.a.b:data.c', 'import data.c as b # why\n\np if b.ok(1)'],
  ['import data.a["b"]\n\np := b.x', 'data.a.b:data.c["d e"]', 'import data.c["d e"] as b\n\np := b.x'],
  ['import data.a.b as x\n\np := x.x', 'data.a.b:data.c.d', 'import data.c.d as x\n\np := x.x'],
  ['import data.a.b\n\np := b.x', 'data.a.b:data.c.b', 'import data.c.b\n\np := b.x'],
  ['import data.a["b c"]\n\np := 1', 'data.a["b c"]:data.d', 'import data.d\n\np := 1'],
  ['import data.a.b\n\np := b.x', 'data.a:data.c', 'import data.c.b\n\np := b.x'],
  ['import data.a.b.q\n\np := q + data.a.b.r', 'data.a.b:data.c.d', 'import data.c.d.q\n\np := q + data.c.d.r'],
])('an import keeps its name: %j, %s', (text, mapping, wanted) => {
  const module = parseModule('m.rego', `package m\n${text}`);
  expect(movedText(module, [parseMapping(mapping)])).toBe(`package m\n${wanted}`);
});
