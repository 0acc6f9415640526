import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Module } from './ast/nodes.js';
import { CompileErrors } from './diagnostics/diagnostics.js';
import { compileModules, compileQuery } from './pipeline.js';
import type { CompileOptions } from './resolve/compile-options.js';
import { parseModule } from './syntax/parse.js';
import { parseQuery } from './syntax/query.js';

const seeds = [
  `package a.b

import data.lib as l
import input.user

default allow(_) := false

allow(x) if {
	some role in user.roles
	every k, v in x { l.level[k] >= v }
	not l.denied[role] with input.a as [y | y := x[_]; y != role]
} else := $"no {user.name} {count(x)}" if print("x", x)

names[user.id] contains n if n := {i: j | some i, j in l.names}[user.id][_]

p.q[x].r := y if { [x, {"k": y}] = walk(input); x == data.a.b.names[y] }`,
  `package a
import future.keywords

xs := [z | z = {x | x := input[_]}; sum(z) > 1]
f(x, [y, _]) = x + y { not x == y; { x > 1; y } or x == 2 and not { y; x } }
g(input_) { object.get(input_, "a", rego.metadata.rule()) with data.a as xs }`,
];

import { randomCases } from '../test/harness/set-up/random-cases.js';

const tokens = (text: string): string[] => text.match(/\s+|\w+|[^\s\w]/g) ?? [];

/** A module with some of its tokens deleted, duplicated or moved. */
const stirred = fc
  .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom('drop', 'swap', 'repeat')), { maxLength: 4 }))
  .map(([text, changes]) => {
    const parts = tokens(text);
    for (const [a, b, change] of changes) {
      const i = a % parts.length;
      const j = b % parts.length;
      if (change === 'drop') parts.splice(i, 1);
      else if (change === 'repeat') parts.splice(i, 0, parts[j]!);
      else [parts[i], parts[j]] = [parts[j]!, parts[i]!];
    }
    return parts.join('');
  });

test('every module that parses compiles or gets diagnostics', () => {
  fc.assert(
    fc.property(stirred, fc.constantFrom('v0', 'v1'), fc.boolean(), (text, regoVersion, strict) => {
      try {
        const module = parseModule('a.rego', text, { regoVersion });
        const compiled = compileModules({ modules: new Map([['a.rego', module]]), options: { strict, print: strict } });
        for (const { message, location } of compiled.diagnostics) {
          expect(message).not.toMatch(/__local|\$\d/);
          expect(location === undefined).toBe(message === 'error limit reached');
        }
        if (compiled.diagnostics.length === 0) compileQuery(compiled, parseQuery('x = data.a; not x == y; y := 1'));
      } catch (error) {
        if (!(error instanceof CompileErrors)) throw error;
      }
    }),
    { numRuns: randomCases(400) },
  );
});

/** What a compilation found and made, with its trees as text. */
function outcome(modules: ReadonlyMap<string, Module>, options: CompileOptions): unknown {
  const { diagnostics, modules: compiled } = compileModules({ modules, options });
  const trees = [...compiled.values()].map(({ rules, lookups }) => [
    rules.map(({ rule, reads }) => JSON.stringify([rule, reads], (key, value) => (key === 'loc' ? [value.start, value.end] : value))),
    [...lookups],
  ]);
  return { diagnostics: diagnostics.map(({ message, location }) => [message, location]), trees: diagnostics.length > 0 || trees };
}

test('modules have the same errors and trees as stage by stage', () => {
  fc.assert(
    fc.property(fc.array(stirred, { minLength: 1, maxLength: 3 }), fc.boolean(), (texts, strict) => {
      const modules = new Map<string, Module>();
      for (const [i, text] of texts.entries()) {
        try {
          modules.set(`${i}.rego`, parseModule(`${i}.rego`, text, { regoVersion: 'v1' }));
        } catch (error) {
          if (!(error instanceof CompileErrors)) throw error;
        }
      }
      const options = { strict, print: !strict };
      // The stages of a compilation that times them run one after the other.
      expect(outcome(modules, options)).toEqual(outcome(modules, { ...options, onTimer: () => undefined }));
    }),
    { numRuns: randomCases(300) },
  );
});
