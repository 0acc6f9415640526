/** Incremental compilation: recompiles the modules that a change affects, and reuses the rest. */

import { allAtOnce, type Steps, toJson, type Value } from '../values/index.js';
import type { Module } from './ast/nodes.js';
import { printRef } from './ast/print.js';
import { recheckTypes } from './check/check-types.js';
import { hasConflicts } from './check/conflicts.js';
import { checkChangedRecursion } from './check/recursion.js';
import { Compilation, setRules } from './compilation.js';
import type { Warning } from './diagnostics/warnings.js';
import { compileSteps, moduleSteps } from './pipeline.js';
import type { CompileOptions } from './resolve/compile-options.js';
import type { Compiled } from './resolve/compiled.js';
import type { CompiledModule } from './resolve/compiled-rule.js';
import { exportsOf, packageKey, ruleNamesOf } from './resolve/imports.js';
import { resolveModule } from './resolve/resolve-module.js';
import { modulesOf } from './resolve/tree.js';
import { changedLookups, replaceInPackages, replaceInRules } from './resolve/tree-update.js';
import type { VersionedMap } from './resolve/versioned-map.js';
import { WorkingModule } from './resolve/working-module.js';
import { rewriteHeadRef } from './rewrite/heads.js';

/** New and changed modules by name; undefined for removed modules. */
type ModuleChanges = ReadonlyMap<string, Module | undefined>;

/**
 * Returns the same result as `compileModules` for all current modules, in time proportional to the
 * change. `previous` is not modified. If options other than `dataExists`, `dataRoots` and `onTimer`
 * have changed, everything is compiled.
 *
 * @example recompile(compiled, new Map([['a.rego', parseModule('a.rego', text)]]))
 */
export function recompile(previous: Compiled, changes: ModuleChanges, options?: CompileOptions): Compiled {
  return allAtOnce(recompileSteps(previous, changes, options));
}

/**
 * As `recompile`, for changes of conditions alone: the types of rules in other modules are not
 * checked again for what their `with` may replace.
 */
export function recompileConditions(previous: Compiled, changes: ModuleChanges, options?: CompileOptions): Compiled {
  return allAtOnce(recompileSteps(previous, changes, options, false));
}

/** As `recompile`, in steps. */
export function recompileSteps(
  previous: Compiled,
  changes: ModuleChanges,
  options: CompileOptions = previous.options,
  checksReplacements = true,
): Steps<Compiled> {
  if (!needsAll(previous, changes, options))
    return moduleSteps(() => new Recompilation(previous, changes, options, checksReplacements));
  const modules = new Map([...previous.modules].map(([name, { parsed }]) => [name, parsed]));
  for (const [name, module] of changes) {
    if (module) modules.set(name, module);
    else modules.delete(name);
  }
  return compileSteps({ modules, options });
}

/** A failed compilation has no types to start from. */
function needsAll(
  { diagnostics, types, options: before, modules }: Compiled,
  changes: ModuleChanges,
  options: CompileOptions,
): boolean {
  if (diagnostics.length > 0 || types === undefined) return true;
  if (changes.size > 8 && changes.size * 2 > modules.size) return true;
  const free: ReadonlySet<string> = new Set(['dataExists', 'dataRoots', 'onTimer'] satisfies (keyof CompileOptions)[]);
  const keys = new Set([...Object.keys(before), ...Object.keys(options)]) as ReadonlySet<keyof CompileOptions>;
  return [...keys].some((key) => !free.has(key) && before[key] !== options[key]);
}

class Recompilation extends Compilation {
  readonly #previous: Compiled;
  readonly #changes: ModuleChanges;
  readonly #exportsByPackage = new Map<string, ReadonlySet<string>>();
  readonly #annotated: boolean;
  readonly #checksReplacements: boolean;
  #all: VersionedMap<CompiledModule> | undefined;

  constructor(previous: Compiled, changes: ModuleChanges, options: CompileOptions, checksReplacements: boolean) {
    super(redoneFirst(previous, changes), options, previous.builtins);
    this.#previous = previous;
    this.#changes = changes;
    this.#annotated = changesAnnotations(previous, changes);
    this.#checksReplacements = checksReplacements;
  }

  override get all(): VersionedMap<CompiledModule> {
    return (this.#all ??= this.#merge());
  }

  #merge(): VersionedMap<CompiledModule> {
    const changes = new Map<string, CompiledModule | undefined>(this.modules.map((module) => [module.name, module]));
    for (const [name, module] of this.#changes) if (!module) changes.set(name, undefined);
    return this.#previous.modules.with(changes);
  }

  /** The previous versions of the changed, recompiled and removed modules. */
  get #removed(): readonly CompiledModule[] {
    const { modules } = this.#previous;
    const names = new Set([...this.modules.map(({ name }) => name), ...this.#changes.keys()]);
    return [...names].flatMap((name) => modules.get(name) ?? []);
  }

  override exports({ parsed }: WorkingModule): ReadonlySet<string> | undefined {
    const key = packageKey(parsed.package);
    let names = this.#exportsByPackage.get(key);
    if (!names) this.#exportsByPackage.set(key, (names = exportsNow(parsed, this.#previous, this.#changes)));
    return names;
  }

  override *setModuleTree(): Steps {
    for (const module of this.modules) yield* setRules(module);
    this.moduleTree = replaceInPackages(this.#previous.moduleTree, { removed: this.#removed, added: this.modules });
  }

  override *setRuleTree(): Steps {
    const before = this.#previous.ruleTree;
    const removed = this.#removed;
    this.ruleTree = yield* replaceInRules(before, { removed, added: this.modules }, this.moduleTree);
    const changed = yield* changedLookups(before, this.ruleTree, [...removed, ...this.modules]);
    if (changed.size > 0) yield* this.#redoReadersOf(changed);
    this.#all = undefined;
  }

  /**
   * Recompiles the modules that looked up rules at some paths. The stages before this one did not
   * use the rule tree, so they report nothing new for these modules.
   */
  *#redoReadersOf(paths: ReadonlySet<string>): Steps {
    const redone = new Set(this.modules.map(({ name }) => name));
    const removed: CompiledModule[] = [];
    const dependents = yield* this.#previous.dependents.ofLookups(paths);
    for (const name of [...dependents].sort()) {
      if (!redone.has(name) && !this.#changes.has(name)) removed.push(this.#previous.modules.get(name)!);
    }
    if (removed.length === 0) return;
    const added: WorkingModule[] = [];
    for (const { name, parsed } of removed) {
      const module = new WorkingModule(name, parsed);
      const context = this.context(module);
      module.locals.beginStages();
      const resolved = yield* resolveModule(module, this.exports(module), context);
      module.locals.beginStages();
      module.current = resolved.map((rule) => rewriteHeadRef(rule, context));
      // Two more stages come before the rule tree.
      module.locals.beginStages(2);
      yield* setRules(module);
      added.push(module);
      yield;
    }
    this.moduleTree = replaceInPackages(this.moduleTree, { removed, added });
    this.ruleTree = yield* replaceInRules(this.ruleTree, { removed, added }, this.moduleTree);
    this.modules = [...this.modules, ...added].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  override *setAnnotations(): Steps {
    if (this.#annotated) yield* super.setAnnotations();
    else this.annotations = this.#previous.annotations;
  }

  override *checkConflicts(): Steps {
    if (yield* hasConflicts(this.ruleTree, this.moduleTree, this.modules, this.context()))
      yield* super.checkConflicts();
  }

  override *checkRecursion(): Steps {
    const rules = this.modules.flatMap((module) => module.rules);
    yield* checkChangedRecursion(this.graph, rules, this.context());
  }

  override *checkTypes(): Steps {
    const { modules, ruleTree, types, dependents } = this.#previous;
    const redone = new Set([...this.modules.map(({ name }) => name), ...this.#changes.keys()]);
    const before = { modules, ruleTree, types: types!, dependents };
    this.types = yield* recheckTypes(
      { ...this.typeCheckInput(), modules: this.all, checksReplacements: this.#checksReplacements },
      before,
      redone,
    );
  }

  override finish(): Compiled {
    for (const warning of this.#keptWarnings()) this.diagnostics.warnings.add(warning);
    const compiled = super.finish();
    if (compiled.diagnostics.length === 0)
      compiled.dependents.replace(this.#previous.dependents, this.#removed, this.modules);
    return compiled;
  }

  /** The earlier warnings about modules that are not compiled again. */
  #keptWarnings(): readonly Warning[] {
    const { warnings } = this.#previous;
    if (warnings.length === 0) return warnings;
    const gone = new Set(this.#removed.map(({ parsed }) => parsed.source));
    return warnings.filter(({ span }) => !gone.has(span.source));
  }
}

/** The modules that must be recompiled, as far as the syntax trees show. */
function redoneFirst(previous: Compiled, changes: ModuleChanges): ReadonlyMap<string, Module> {
  const redone = new Map<string, Module>();
  for (const [name, module] of changes) if (module) redone.set(name, module);
  const add = (modules: Iterable<CompiledModule>): void => {
    for (const { name, parsed } of modules) if (!changes.has(name)) redone.set(name, parsed);
  };
  const packages = new Map<string, Module>();
  for (const [name, module] of changes) {
    const before = previous.modules.get(name)?.parsed;
    if (before && module && sameExports(before, module)) continue;
    for (const each of [before, module]) if (each) packages.set(packageKey(each.package), each);
  }
  for (const module of packages.values()) {
    const others = modulesOf(previous.moduleTree, module.package);
    const before = exportsOf(others.map(({ parsed }) => parsed)).get(packageKey(module.package));
    if (!sameNames(before ?? new Set(), exportsNow(module, previous, changes))) add(others);
  }
  if (changesAnnotations(previous, changes)) add(readersOfAnnotations(previous, changes));
  if (changesSchemas(previous, changes)) add(modulesAround(previous, changes));
  return redone;
}

function exportsNow(module: Module, previous: Compiled, changes: ModuleChanges): ReadonlySet<string> {
  const key = packageKey(module.package);
  const inPackage = modulesOf(previous.moduleTree, module.package).flatMap(({ name, parsed }) =>
    changes.has(name) ? [] : parsed,
  );
  for (const changed of changes.values()) if (changed && packageKey(changed.package) === key) inPackage.push(changed);
  return exportsOf(inPackage).get(key) ?? new Set();
}

function sameExports(a: Module, b: Module): boolean {
  return packageKey(a.package) === packageKey(b.package) && sameNames(ruleNamesOf(a), ruleNamesOf(b));
}

function sameNames(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}

/** Whether annotations that apply to more than one rule are added or removed. */
function changesAnnotations({ modules }: Compiled, changes: ModuleChanges): boolean {
  const applies = (module: Module | undefined): boolean =>
    module?.annotations.some(({ scope }) => scope !== 'rule') ?? false;
  return [...changes].some(([name, module]) => applies(module) || applies(modules.get(name)?.parsed));
}

/**
 * Modules that may read the annotations of a rule. Annotations of changed modules apply in and
 * below their packages, and to documents of parent packages.
 */
function* readersOfAnnotations(previous: Compiled, changes: ModuleChanges): Iterable<CompiledModule> {
  for (const module of modulesAround(previous, changes))
    if (module.parsed.source.text.includes('metadata')) yield module;
}

/** The modules in, below and above the packages of changed ones. */
function* modulesAround({ modules }: Compiled, changes: ModuleChanges): Iterable<CompiledModule> {
  const touched = [...changes].flatMap(([name, module]) =>
    [module, modules.get(name)?.parsed].flatMap((each) => (each ? packageKey(each.package) : [])),
  );
  for (const module of modules.values()) {
    const key = packageKey(module.parsed.package);
    if (touched.some((other) => key.startsWith(other) || other.startsWith(key))) yield module;
  }
}

/** Whether schemas that apply to more than one rule become others. */
function changesSchemas({ modules, options }: Compiled, changes: ModuleChanges): boolean {
  if (options.schemaAnnotations !== true) return false;
  return [...changes].some(([name, module]) => textOfSchemas(module) !== textOfSchemas(modules.get(name)?.parsed));
}

/** The schemas of a module that apply to more than one rule, and where they do. */
function textOfSchemas(module: Module | undefined): string {
  const wide = module?.annotations.filter(({ scope, schemas }) => scope !== 'rule' && schemas.length > 0) ?? [];
  return JSON.stringify(
    wide.map(({ scope, path, schemas }) => [
      scope,
      printRef(path),
      schemas.map(({ path: { terms }, schema, definition }) => [
        printRef(terms),
        schema ? printRef(schema.terms) : toJson(definition as Value),
      ]),
    ]),
  );
}
