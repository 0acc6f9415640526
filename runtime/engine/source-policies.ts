/** Policies in source as an engine asks them: compiled together, planned path by path when first asked for. Loaded only where there are any. */
import type { Module } from '../../compiler/ast/nodes.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import { Units } from '../../compiler/plan/units.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Builtin } from '../builtins/builtin.js';
import type { Bundle } from '../bundle/bundle.js';
import { regoVersionOf } from '../bundle/manifest.js';
import { assemble } from '../program/assemble.js';
import { linkLoaded } from '../vm/executable.js';
import { checkDataConflicts, type Occupied } from './data-conflicts.js';
import { partOf, type Question, Questions } from './entrypoints.js';
import type { Target } from './evaluate.js';

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

export class SourcePolicies {
  readonly modules: Modules;
  readonly #compiled: Compiled;
  readonly #units: Units;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  /** By path of a rule or a package: there are only as many as there are rules. */
  readonly #targets = new Map<string, Target>();
  readonly #questions = new Questions();

  private constructor(modules: Modules, compiled: Compiled, builtins: ReadonlyMap<string, Builtin>) {
    this.modules = modules;
    this.#compiled = compiled;
    this.#units = new Units(compiled.ruleTree);
    this.#builtins = builtins;
  }

  /** Rejects with CompileErrors, also where a document stands where a rule does. */
  static async compile(modules: Modules, occupied: Occupied, builtins: ReadonlyMap<string, Builtin>): Promise<SourcePolicies> {
    const compiled = compileOrThrow({ modules, options: { print: true, builtins, dataExists: occupied } });
    // Decisions are made at once, so whatever their built-ins need is there before. A name in a comment costs a library loaded in vain.
    const texts = [...modules.values()].map(({ source }) => source.text);
    const heavy = [...builtins.values()].filter(({ name, load }) => load !== undefined && texts.some((text) => text.includes(name)));
    await Promise.all(heavy.map(({ load }) => load?.()));
    return new SourcePolicies(modules, compiled, builtins);
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
    const key = path.join('\u0000');
    let target = this.#targets.get(key);
    if (target === undefined) {
      const executable = linkLoaded(assemble(plan(this.#compiled, [{ name: 'decision', path }])), this.#builtins);
      this.#targets.set(key, (target = { executable, plan: executable.program.plans.get('decision')! }));
    }
    return target;
  }

  /** Throws a PolicyError where documents, as they are after a write at a path, meet a rule. */
  checkData(occupied: Occupied, written: readonly string[]): void {
    checkDataConflicts(this.#compiled.ruleTree, occupied, [written]);
  }
}
