/** Trees that are deeper than the parser lets through, as of callers with little stack left. */
import { expect, test } from 'vitest';
import type { Body, CallExpr, Module, Term } from './ast/nodes.js';
import { compileModules, compileQuery } from './pipeline.js';
import { nowhere } from './source/location.js';
import { parseModule } from './syntax/parse.js';
import { parseQuery } from './syntax/query.js';

function deepPattern(levels: number): Term {
  let term: Term = { type: 'var', loc: nowhere, name: 'x' };
  for (let i = 0; i < levels; i++) term = { type: 'array', loc: nowhere, items: [term] };
  return term;
}

/** The same body with a deep pattern on the left of its assignment. */
function deepened([first, ...rest]: Body): Body {
  const call = first as CallExpr;
  return [{ ...call, args: [deepPattern(100_000), ...call.args.slice(1)] }, ...rest];
}

const expected = [{ code: 'rego_compile_error', message: 'nested too deeply to be compiled' }];

test.each([undefined, () => {}])('a stage that overflows the stack ends the compilation with a diagnostic', (onTimer) => {
  const parsed = parseModule('p.rego', 'package p\n\nr if {\n\ty := input\n}\n');
  const module: Module = { ...parsed, rules: parsed.rules.map((rule) => ({ ...rule, body: deepened(rule.body) })) };
  const other = parseModule('a.rego', 'package a\n\nr := 1\n');
  const modules = new Map([
    ['a.rego', other],
    ['p.rego', module],
  ]);
  const { diagnostics } = compileModules({ modules, options: onTimer ? { onTimer } : {} });
  expect(diagnostics).toMatchObject([{ ...expected[0], location: { file: 'p.rego', row: 1, col: 1 } }]);
});

test('so does a stage for queries', () => {
  const { diagnostics } = compileQuery(compileModules({ modules: new Map() }), deepened(parseQuery('y := input')));
  expect(diagnostics).toMatchObject(expected);
});
