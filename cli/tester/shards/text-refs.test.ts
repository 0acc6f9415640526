import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Module } from '../../../compiler/ast/nodes.js';
import { walk } from '../../../compiler/ast/walk.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { textRefs } from './text-refs.js';

const root = join(import.meta.dirname, '../../..');

/** Each ref into `data`, up to the first term that is no string. */
function refsOf(module: Module): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  walk(module, (node) => {
    if (node.type !== 'ref' || node.terms[0]!.type !== 'var' || node.terms[0]!.name !== 'data') return;
    const path: string[] = [];
    for (const term of node.terms.slice(1)) {
      if (term.type !== 'string') break;
      path.push(term.value);
    }
    found.push(path);
  });
  return found;
}

function parsed(text: string): Module | undefined {
  for (const regoVersion of ['v1', 'v0'] as const) {
    try {
      return parseModule('p.rego', text, { regoVersion });
    } catch {
      // Not of this version.
    }
  }
  return undefined;
}

test('the refs in a text lead to all refs of the policy', () => {
  const paths = globSync(['fixtures/**/*.rego', 'docs/**/*.rego', 'bench/**/*.rego'], { cwd: root });
  const policies = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return [{ path, text, module: parsed(text) }];
  });
  let count = 0;
  for (const { path, text, module } of policies) {
    const found = textRefs(text);
    if (module === undefined || found === undefined) continue;
    count += 1;
    expect({ path, package: found.package }).toEqual({
      path,
      package: module.package.path.slice(1).map((term) => (term.type === 'string' ? term.value : '')),
    });
    const missing = refsOf(module).filter((ref) => !found.refs.some((prefix) => prefix.every((name, i) => ref[i] === name)));
    expect({ path, missing }).toEqual({ path, missing: [] });
  }
  expect(count).toBeGreaterThan(10);
});

test.each([
  ['a comment before it', '# package x\n\npackage a.b["c d"]\n', ['a', 'b', 'c d']],
  ['a comment behind it', 'package a # of x\n', ['a']],
  ['an import on the same line', 'package a; import data.b', ['a']],
  ['a part on the next line', 'package a.\n\tb', undefined],
  ['a space in it', 'package a .b', undefined],
  ['no package', 'p := 1', undefined],
])('the package of a text: %s', (_title, text, expected) => {
  expect(textRefs(text)?.package).toEqual(expected);
});
