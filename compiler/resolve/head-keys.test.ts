import { expect, test } from 'vitest';
import { printTerm } from '../ast/print.js';
import { compileModules } from '../pipeline.js';
import { parseModule } from '../syntax/parse.js';
import { headKeys } from './head-keys.js';

test('keys of an object are in the head, or in the package of the rule', () => {
  const texts = ['package a\n\nm[k] := 1 if some k in input', 'package a.m.n\n\nx.y := 2'];
  const modules = new Map(texts.map((text, i) => [`${i}.rego`, parseModule(`${i}.rego`, text)] as const));
  const rules = [...compileModules({ modules }).modules.values()].flatMap((module) => module.rules);
  expect(rules.map(({ module, rule }) => headKeys(module, rule.head, 2).map(printTerm))).toEqual([
    [expect.stringMatching(/^__local/)],
    ['"n"', '"x"', '"y"'],
  ]);
});
