import { expect, test } from 'vitest';
import { compileModules } from '../../../../compiler/pipeline.js';
import { recompile } from '../../../../compiler/recompile.js';
import type { Compiled } from '../../../../compiler/resolve/compiled.js';
import { parseModule } from '../../../../compiler/syntax/parse.js';
import { VariableNames } from './variable-names.js';

const texts = {
  'a.rego': 'package a\n\np contains sprintf("%v", [input.x]) if {\n\tsome y in input.ys\n\ty == 1\n}\n',
  'b.rego': 'package b\n\nimport data.a\n\nq if {\n\tz := count(a.p)\n\tz > input.n\n}\n',
};

const parsed = (name: keyof typeof texts, text: string = texts[name]) => parseModule(name, text);

/** All names of generated variables in the compiled modules, renamed. */
function namesIn(compiled: Compiled): readonly string[] {
  const names = new VariableNames(compiled, { names: new Map() });
  return [...compiled.modules.values()].flatMap(({ parsed: { source }, rules }) => {
    const found = new Set(
      JSON.stringify(
        rules.map(({ rule }) => rule.body),
        (key, value) => (key === 'loc' ? undefined : value),
      ).match(/__local\d+__/g),
    );
    const rename = names.uniqueIn(source) ?? ((name: string) => name);
    return [...found].map(rename);
  });
}

// Stage by stage: declared variables of a and b, then calls of a and b, then terms of a and b. The
// first number is that of a key that `some` leaves out, which gets another one.
const expected = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `__local${n}__`);

test('generated variables have the numbers that they have among those of all modules', () => {
  const compiled = compileModules({
    modules: new Map([
      ['a.rego', parsed('a.rego')],
      ['b.rego', parsed('b.rego')],
    ]),
  });
  expect(compiled.diagnostics).toEqual([]);
  expect([...namesIn(compiled)].sort()).toEqual(expected);
  const changed = recompile(compiled, new Map([['a.rego', parsed('a.rego', `${texts['a.rego']}\nr := 1\n`)]]));
  expect(namesIn(changed)).toEqual(namesIn(compiled));
});
