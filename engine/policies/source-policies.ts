/** Policies in source as an engine asks them: compiled together, planned path by path when first asked for. Loaded only where there are any. */
import type { Module } from '../../compiler/ast/nodes.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import { annotatedEntrypoints } from '../../compiler/entrypoints.js';
import { compileSteps } from '../../compiler/pipeline.js';
import { PlanInputs } from '../../compiler/plan/plan-inputs.js';
import { plan } from '../../compiler/plan/planner.js';
import { type VirtualDocument, VirtualDocuments } from '../../compiler/plan/virtual-document.js';
import { recompileSteps } from '../../compiler/recompile.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import type { CompileCapabilities } from '../../compiler/resolve/options.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Builtin } from '../../runtime/builtins/builtin.js';
import type { Bundle } from '../../runtime/bundle/bundle.js';
import { regoVersionOf } from '../../runtime/bundle/manifest.js';
import { assemble } from '../../runtime/bytecode/assemble.js';
import { inSlices } from '../../runtime/values/steps.js';
import { linkLoaded } from '../../runtime/vm/link.js';
import type { Target } from '../evaluation/evaluate.js';
import { partOf, type Question, Questions } from '../paths/entrypoints.js';
import { pathKey } from '../paths/path-key.js';
import type { Language } from './compile-policies.js';
import { checkDataConflicts, type Occupied } from './data-conflicts.js';
import { type CacheEntry, isValidFor, MadeByPath, newVersion } from './plan-cache.js';

/** Modules by name. */
export type Modules = ReadonlyMap<string, Module>;

/** How policies are read. */
export interface Reading {
  /** Of those that do not say so themselves. */
  readonly language: Language;
  /** What they may use; undefined is everything. */
  readonly capabilities: CompileCapabilities | undefined;
}

/** Throws CompileErrors. */
export function parsePolicies(policies: ReadonlyMap<string, string>, { language, capabilities }: Reading): Modules {
  const options = { regoVersion: language, ...(capabilities && { capabilities }) };
  return new Map([...policies].map(([name, text]) => [name, parseModule(name, text, options)]));
}

/** The modules of a bundle, in the language that it says. Throws CompileErrors or a BundleError. */
export function parseBundleModules({ manifest, modules }: Bundle, { language, capabilities }: Reading): Modules {
  return new Map(
    modules.map(({ path, bundlePath, text }) => {
      const version = regoVersionOf(manifest, bundlePath, language === 'v1' ? 1 : 0);
      return [path, parseModule(path, text, { regoVersion: version === 1 ? 'v1' : 'v0', ...(capabilities && { capabilities }) })];
    }),
  );
}

/** Parsed modules that are new or others than before; undefined for those that are gone. */
export type ModuleChanges = ReadonlyMap<string, Module | undefined>;

export class SourcePolicies {
  readonly #compiled: Compiled;
  readonly #units: VirtualDocuments;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #made: MadeByPath<CacheEntry<Target>>;
  readonly #version = newVersion();
  readonly #questions = new Questions();

  private constructor(compiled: Compiled, builtins: ReadonlyMap<string, Builtin>, before?: SourcePolicies) {
    this.#compiled = compiled;
    this.#units = new VirtualDocuments(compiled.ruleTree);
    this.#builtins = builtins;
    this.#made = before === undefined ? new MadeByPath() : before.#made;
    this.#made.forget(compiled.ruleTree);
  }

  /** Rejects with CompileErrors, also where a document stands where a rule does. Others have their turn every few milliseconds. */
  static async compile(
    modules: Modules,
    occupied: Occupied,
    builtins: ReadonlyMap<string, Builtin>,
    { capabilities }: Reading,
  ): Promise<SourcePolicies> {
    const options = { print: true, builtins, dataExists: occupied, ...(capabilities && { capabilities }) };
    const compiled = await inSlices(compileSteps({ modules, options }));
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
  hasPolicy(name: string): boolean {
    return this.#compiled.modules.has(name);
  }

  /** How to answer a path, rules and base documents together. */
  ask(path: string, segmentsOf: (path: string) => readonly string[]): Question {
    return this.#questions.of(path, () => {
      const segments = segmentsOf(path);
      const place = this.#locate(segments);
      // A function has no value, and where it is there is no document either.
      if (place?.unit.kind === 'function') return { targets: [], answer: () => undefined };
      if (place === undefined) return { targets: [], answer: (_values, data) => partOf(data, segments) };
      const rest = segments.slice(place.length);
      return { targets: [this.#target(segments.slice(0, place.length))], answer: ([value]) => partOf(value, rest) };
    });
  }

  /** Whether a rule is at a path, above or below it. */
  answers(segments: readonly string[]): boolean {
    const place = this.#locate(segments);
    return place !== undefined && place.unit.kind !== 'function' && (place.unit.kind !== 'package' || this.#paths(place.unit).length > 0);
  }

  /** The paths of all rules but functions, in their order. */
  rules(): readonly (readonly string[])[] {
    return this.#paths(this.#units.root);
  }

  /** The paths that annotations name as entrypoints, in their order. */
  entrypoints(): readonly (readonly string[])[] {
    return annotatedEntrypoints([...this.#compiled.modules.values()].map(({ parsed }) => parsed)).map(({ path }) => path);
  }

  /** The unit that the start of a path leads to: a rule's, or a package's at its end. */
  #locate(segments: readonly string[]): { readonly unit: VirtualDocument; readonly length: number } | undefined {
    let unit = this.#units.root;
    for (let length = 0; length < segments.length; length++) {
      if (unit.kind !== 'package') return { unit, length };
      const child = this.#units.child(unit, segments[length]!);
      if (child === undefined) return undefined;
      unit = child;
    }
    return { unit, length: segments.length };
  }

  #paths(unit: VirtualDocument): (readonly string[])[] {
    if (unit.kind === 'function') return [];
    if (unit.kind !== 'package') return [unit.path];
    return this.#units.children(unit).flatMap(([, child]) => this.#paths(child));
  }

  #target(path: readonly string[]): Target {
    const key = pathKey(path);
    const known = this.#made.get(key);
    if (known !== undefined && isValidFor(known, this.#version, this.#compiled.ruleTree)) return known.result;
    const inputs = new PlanInputs();
    const executable = linkLoaded(assemble(plan(this.#compiled, [{ name: 'decision', path }], { inputs })), this.#builtins);
    const result = { executable, plan: executable.entrypoints.get('decision')! };
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
