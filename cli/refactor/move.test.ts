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
