/** Policies in source as an engine asks them: compiled together, planned path by path when first asked for. Loaded only where there are any. */
import type { Module } from '../../compiler/ast/nodes.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import { compileSteps } from '../../compiler/pipeline.js';
import { PlanInputs } from '../../compiler/plan/plan-inputs.js';
import { plan } from '../../compiler/plan/planner.js';
import { Units } from '../../compiler/plan/units.js';
import { recompileSteps } from '../../compiler/recompile.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Builtin } from '../builtins/builtin.js';
import type { Bundle } from '../bundle/bundle.js';
import { regoVersionOf } from '../bundle/manifest.js';
import { assemble } from '../program/assemble.js';
import { inSlices } from '../values/steps.js';
import { linkLoaded } from '../vm/executable.js';
import { checkDataConflicts, type Occupied } from './data-conflicts.js';
import { partOf, type Question, Questions } from './entrypoints.js';
import type { Target } from './evaluate.js';
import { holdsFor, type Made, MadeByPath, newVersion } from './made.js';
import { pathKey } from './path-key.js';

/** Modules by name. */
export type Modules = ReadonlyMap<string, Module>;

/** How policies are read that do not say so themselves. */
export type Language = 'v0' | 'v1';

/** Throws CompileErrors. */
export function parsePolicies(policies: Readonly<Record<string, string>>, language: Language): Modules {
  return new Map(Object.entries(policies).map(([name, text]) => [name, parseModule(name, text, { regoVersion: language })]));
}

/** The modules of a bundle, in the language that it says. Throws CompileErrors or a BundleError. */
export function parseBundleModules({ manifest, modules }: Bundle, language: Language): Modules {
  return new Map(
    modules.map(({ path, bundlePath, text }) => {
      const version = regoVersionOf(manifest, bundlePath, language === 'v1' ? 1 : 0);
      return [path, parseModule(path, text, { regoVersion: version === 1 ? 'v1' : 'v0' })];
    }),
  );
}

/** Parsed modules that are new or others than before; undefined for those that are gone. */
export type ModuleChanges = ReadonlyMap<string, Module | undefined>;

export class SourcePolicies {
  readonly #compiled: Compiled;
  readonly #units: Units;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #made: MadeByPath<Made<Target>>;
  readonly #version = newVersion();
  readonly #questions = new Questions();

  private constructor(compiled: Compiled, builtins: ReadonlyMap<string, Builtin>, before?: SourcePolicies) {
    this.#compiled = compiled;
    this.#units = new Units(compiled.ruleTree);
    this.#builtins = builtins;
    this.#made = before === undefined ? new MadeByPath() : before.#made;
    this.#made.forget(compiled.ruleTree);
  }

  /** Rejects with CompileErrors, also where a document stands where a rule does. Others have their turn every few milliseconds. */
  static async compile(modules: Modules, occupied: Occupied, builtins: ReadonlyMap<string, Builtin>): Promise<SourcePolicies> {
    const compiled = await inSlices(compileSteps({ modules, options: { print: true, builtins, dataExists: occupied } }));
    await loadFor(modules.values(), builtins);
    return new SourcePolicies(withoutErrors(compiled), builtins);
  }

  /** The same policies but for some of them, in the time that those take. Rejects as `compile` does; this one stays as it is. */
  async with(changes: ModuleChanges, occupied: Occupied): Promise<SourcePolicies> {
    const options = { ...this.#compiled.options, dataExists: occupied };
    const compiled = await inSlices(recompileSteps(this.#compiled, changes, options));
    await loadFor(
      [...changes.values()].filter((module) => module !== undefined),
      this.#builtins,
    );
    return new SourcePolicies(withoutErrors(compiled), this.#builtins, this);
  }

  /** Whether there is a policy of a name. */
  has(name: string): boolean {
    return this.#compiled.modules.has(name);
  }

  /** How to answer a path, rules and base documents together. */
  ask(path: string): Question {
    return this.#questions.of(path, (segments) => {
      let unit = this.#units.root;
      for (let length = 0; ; length++) {
        if (unit.kind !== 'package' || length === segments.length) {
          const rest = segments.slice(length);
          return { targets: [this.#target(segments.slice(0, length))], answer: ([value]) => partOf(value, rest) };
        }
        const child = this.#units.child(unit, segments[length]!);
        if (child === undefined) return { targets: [], answer: (_values, data) => partOf(data, segments) };
        unit = child;
      }
    });
  }

  #target(path: readonly string[]): Target {
    const key = pathKey(path);
    const known = this.#made.get(key);
    if (known !== undefined && holdsFor(known, this.#version, this.#compiled.ruleTree)) return known.result;
    const inputs = new PlanInputs();
    const executable = linkLoaded(assemble(plan(this.#compiled, [{ name: 'decision', path }], { inputs })), this.#builtins);
    const result = { executable, plan: executable.program.plans.get('decision')! };
    this.#made.set(key, { result, inputs, version: this.#version });
    return result;
  }

  /** Throws a PolicyError where documents, as they are after a write at a path, meet a rule. */
  checkData(occupied: Occupied, written: readonly string[]): void {
    checkDataConflicts(this.#compiled.ruleTree, occupied, [written]);
  }
}

function withoutErrors(compiled: Compiled): Compiled {
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics);
  return compiled;
}

/** Decisions are made at once, so whatever their built-ins need is there before. A name in a comment costs a library loaded in vain. */
async function loadFor(modules: Iterable<Module>, builtins: ReadonlyMap<string, Builtin>): Promise<void> {
  const texts = [...modules].map(({ source }) => source.text);
  const heavy = [...builtins.values()].filter(({ name, load }) => load !== undefined && texts.some((text) => text.includes(name)));
  await Promise.all(heavy.map(({ load }) => load?.()));
}
