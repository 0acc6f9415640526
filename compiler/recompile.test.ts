import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../test/harness/set-up/random-cases.js';
import type { Module } from './ast/nodes.js';
import { printRule } from './ast/print.js';
import type { Types } from './check/rule-types.js';
import { typeText } from './check/typing/print-type.js';
import type { TypeTree } from './check/typing/tree.js';
import { CompileErrors, type Diagnostic } from './diagnostics/diagnostics.js';
import { compileModules } from './pipeline.js';
import { PlanInputs } from './plan/documents/plan-inputs.js';
import { plan } from './plan/planner.js';
import { recompile } from './recompile.js';
import type { CompileOptions } from './resolve/compile-options.js';
import type { Compiled } from './resolve/compiled.js';
import type { ModuleTree, RuleTree } from './resolve/tree.js';
import { parseModule } from './syntax/parse.js';

const packages = ['a', 'a.b', 'a.b.c', 'd', 'system.x'];
const names = ['p', 'q', 'r', 'f'];

/**
 * Rules of all kinds that read, call and replace each other; `%` stands for a document that a rule
 * can read.
 */
const shapes = [
  'p := %',
  'p := 2 if { x := %; x > 1 }',
  'p contains x if { x := % }',
  'p[x] := y if { some x, y in % }',
  'p[1] := %',
  'p.k := %',
  'p[x].z contains % if some x in ["u", "v"]',
  'q := f(%)',
  'q if { f(1, %) }',
  'q := n if n := count([x | x := %])',
  'q := "s"',
  'q[x] if { x := % }',
  'f(x) := x + 1',
  'f(x) := [x, %]',
  'f(x, y) := x if y',
  'default f(_) := 0',
  'r := 1 if { % with data.a.p as 2 }',
  'r := 1 if { % with data.d.f as data.a.f }',
  'r := x if { x := % with data.a.b.q as % }',
  'r := x if { some k; x := data.a[k] } else := %',
  'default r := false',
  'r := % == "s"',
  'r := concat(",", %)',
  'r := data.a[%]',
  'r := x if { some x; data.a[x]; x + 1 }',
  'r := rego.metadata.chain()',
  '# METADATA\n# scope: document\n# title: t\nr := 1',
  '# METADATA\n# schemas:\n# - input: schema.s\nq := input.x',
  '# METADATA\n# schemas:\n# - input.y: schema.t\np if { input.y.z > %; input.x }',
  '# METADATA\n# schemas:\n# - data.d: schema.s\nr := data.d.x + %',
  '# METADATA\n# schemas:\n# - data.a.b.q: {type: string}\nr := x if { x := %; data.a.b.q == 1 }',
  '# METADATA\n# scope: document\n# schemas:\n# - input: schema.s\nq := input.x',
  'q := input.x',
  'q contains input.y.z if %',
  'p { % }',
  'q := data.a.b',
];

const sources = [
  'data.a.p',
  'data.a.q',
  'data.a.b.p',
  'data.a.b.q',
  'data.a.b.c.r',
  'data.d.p',
  'data.d.f(1)',
  'data.a.b.f(2)',
  'p',
  'q',
  'l.q',
  '1',
  '"s"',
];

const fragment = fc
  .tuple(fc.constantFrom(...shapes), fc.array(fc.constantFrom(...sources), { minLength: 2, maxLength: 2 }), fc.constantFrom(...names))
  .map(([shape, [first, second], name]) =>
    shape
      .replace('%', first!)
      .replace('%', second!)
      .replace(/^[pqr]\b(?=.*$)/, name === 'f' ? 'p' : name),
  );

const moduleText = fc
  .tuple(
    fc.constantFrom(...packages),
    fc.array(fragment, { maxLength: 4 }),
    fc.constantFrom(
      '',
      '',
      '# METADATA\n# title: all\n# scope: subpackages\n',
      '# METADATA\n# schemas:\n# - input: schema.s\n',
      '# METADATA\n# scope: subpackages\n# schemas:\n# - input.y: schema.t\n# - data.a.p: {type: number}\n',
    ),
  )
  .map(([name, rules, metadata]) => `${metadata}package ${name}\nimport data.a.b as l\n${rules.join('\n')}\n`);

const fileNames = ['1.rego', '2.rego', '3.rego', '4.rego', '5.rego'];

/** A change of one module, or of two at once. */
const edit = fc.array(
  fc.tuple(fc.constantFrom(...fileNames), fc.option(moduleText, { freq: 6, nil: undefined }), fc.constantFrom('v0', 'v1', 'v1')),
  {
    minLength: 1,
    maxLength: 2,
  },
);

function parsed(name: string, text: string, regoVersion: 'v0' | 'v1'): Module | undefined {
  try {
    return parseModule(name, text, { regoVersion });
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}

function shownErrors(diagnostics: readonly Diagnostic[]): unknown {
  return diagnostics.map(({ code, message, location, details }) => ({
    code,
    message,
    location,
    details: JSON.stringify(details),
    lines: (details as { lines?: () => unknown } | undefined)?.lines?.(),
  }));
}

function shownRules(tree: RuleTree): unknown {
  const { hidden, rules, children } = tree;
  const texts = rules.map(({ module, rule }) => `${module.name}: ${printRule(rule)} ${[...module.names]}`);
  return { hidden, texts, children: [...children].map(([key, child]) => [key, shownRules(child)]) };
}

function shownPackages({ modules, children }: ModuleTree): unknown {
  return { names: modules.map(({ name }) => name), children: new Map([...children].map(([key, child]) => [key, shownPackages(child)])) };
}

function shownTypes(tree: TypeTree | undefined): unknown {
  if (!tree) return undefined;
  const children = new Map(
    [...tree.children].map((child) => [JSON.stringify(child.key, ['type', 'value', 'text']), shownTypes(child.tree)]),
  );
  return { type: tree.type && typeText(tree.type), children };
}

function shownPlan(compiled: Compiled, path: string, inputs = new PlanInputs()): unknown {
  try {
    return plan(compiled, [{ name: 'x', path: path.split('/').filter((key) => key !== '') }], { inputs });
  } catch (error) {
    return String(error);
  }
}

const schemas = new Map<string, unknown>([
  ['schema.s', { type: 'object', properties: { x: { type: 'number' }, y: { type: 'object' } } }],
  ['schema.t', { type: 'object', properties: { z: { type: 'string' } }, additionalProperties: false }],
]);

const entrypoints = ['', 'a', 'a/p', 'a/q', 'a/r', 'a/b', 'a/b/r', 'd/p', 'd/q', 'd/r'];

/** Cached plans with valid inputs must equal newly made plans. */
class KeptPlans {
  readonly #plans = new Map<string, { readonly inputs: PlanInputs; readonly planned: unknown }>();
  used = 0;

  expectSame(compiled: Compiled): void {
    for (const path of entrypoints) {
      const kept = this.#plans.get(path);
      const inputs = new PlanInputs();
      const planned = shownPlan(compiled, path, inputs);
      if (kept?.inputs.hold(compiled.ruleTree)) {
        this.used++;
        expect(kept.planned).toEqual(planned);
      }
      this.#plans.set(path, { inputs, planned });
    }
  }
}

function shown(compiled: Compiled): unknown {
  if (compiled.diagnostics.length > 0) return shownErrors(compiled.diagnostics);
  const { modules, annotations, graph } = compiled;
  const reads = [...modules.values()].flatMap(({ name, rules }) =>
    rules.map((rule) => [name, [...graph.dependencies(rule)].map(({ module, rule: { loc } }) => `${module.name}:${loc.start}`)]),
  );
  return {
    modules: [...modules.keys()],
    packages: shownPackages(compiled.moduleTree),
    rules: shownRules(compiled.ruleTree),
    annotations: [...annotations.byPackage, ...annotations.bySubpackages, ...annotations.byDocument],
    reads,
    types: shownTypes((compiled.types as Types).globals.documents.get('data')),
    plans: ['a', 'a/q', 'a/b/r', 'd/p', 'd/q'].map((path) => shownPlan(compiled, path)),
  };
}

let keptPlans = 0;

/**
 * Applies each edit to the last version that compiled, as a server does. Returns the number of
 * accepted edits.
 */
function expectSame(edits: readonly (readonly (readonly [string, string | undefined, 'v0' | 'v1'])[])[], options: CompileOptions): number {
  let modules: ReadonlyMap<string, Module> = new Map();
  let compiled = compileModules({ modules, options });
  let taken = 0;
  const plans = new KeptPlans();
  for (const each of edits) {
    const changes = new Map<string, Module | undefined>();
    const next = new Map(modules);
    for (const [name, text, version] of each) {
      const module = text === undefined ? undefined : parsed(name, text, version);
      if (module) next.set(name, module);
      else next.delete(name);
      if (module || modules.has(name) || changes.has(name)) changes.set(name, module);
    }
    const before = shown(compiled);
    const again = recompile(compiled, changes);
    expect(shown(again)).toEqual(shown(compileModules({ modules: next, options })));
    expect(shown(compiled)).toEqual(before);
    if (again.diagnostics.length > 0) continue;
    taken++;
    modules = next;
    compiled = again;
    plans.expectSame(compiled);
  }
  keptPlans += plans.used;
  return taken;
}

describe('compiling again after a change', () => {
  test.each<[string, CompileOptions]>([
    ['all errors', { errorLimit: 0 }],
    ['some errors', { errorLimit: 3 }],
    ['strict', { strict: true }],
    ['data beside rules', { dataExists: (path) => ['a', 'a/b', 'a/b/q', 'd', 'd/p'].includes(path.join('/')) }],
    ['undefined functions', { allowUndefinedFunctions: true }],
    ['schemas', { errorLimit: 0, schemaAnnotations: true, schemas }],
  ])(
    'answers what compiling everything does (%s)',
    (_title, options) => {
      let taken = 0;
      const cases = randomCases(150);
      fc.assert(
        fc.property(fc.array(edit, { minLength: 4, maxLength: 12 }), (edits) => {
          taken += expectSame(edits, options);
        }),
        { numRuns: cases },
      );
      expect(taken).toBeGreaterThan(cases);
      expect(keptPlans).toBeGreaterThan(cases);
    },
    600_000,
  );
});
