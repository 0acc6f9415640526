/** The state of a compilation between two stages, and the stages that need all modules. */

import { allAtOnce, compareStrings, type Steps, visitSteps } from '../values/index.js';
import type { Module } from './ast/nodes.js';
import { checkTypes } from './check/check-types.js';
import { checkConflicts } from './check/conflicts.js';
import { Dependents } from './check/dependents.js';
import { checkRecursion } from './check/recursion.js';
import type { Types } from './check/rule-types.js';
import { type Diagnostic, Diagnostics } from './diagnostics/diagnostics.js';
import { type AnnotationSet, annotationSet } from './resolve/annotation-set.js';
import { BuiltinTable } from './resolve/builtin-table.js';
import type { CompileOptions } from './resolve/compile-options.js';
import type { Compiled } from './resolve/compiled.js';
import type { CompiledModule } from './resolve/compiled-rule.js';
import { RuleGraph } from './resolve/graph.js';
import { exportsOf, packageKey } from './resolve/imports.js';
import { LocalNames } from './resolve/local-names.js';
import { type ModuleTree, moduleTree, type RuleTree, rulesPerStep, ruleTree } from './resolve/tree.js';
import { VersionedMap } from './resolve/versioned-map.js';
import { type Context, WorkingModule, WorkingRule } from './resolve/working-module.js';
import { compareLocations, nowhere } from './source/location.js';

/** For stages that generate no variables. */
const nobody = new LocalNames('__local', '');

/** Compiles all modules. `Recompilation` starts from a previous compilation instead. */
export class Compilation {
  readonly options: CompileOptions;
  readonly diagnostics: Diagnostics;
  readonly builtins: BuiltinTable;
  /** The modules to compile, in order of their names. */
  modules: readonly WorkingModule[];
  /** The module that a stage has come to. */
  at: WorkingModule | undefined;
  moduleTree: ModuleTree = allAtOnce(moduleTree([]));
  ruleTree: RuleTree = allAtOnce(ruleTree([]));
  annotations: AnnotationSet = annotationSet([]);
  types: Types | undefined;
  #all: VersionedMap<CompiledModule> | undefined;
  #graph: RuleGraph | undefined;
  #exports: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(modules: ReadonlyMap<string, Module>, options: CompileOptions, builtins?: BuiltinTable) {
    this.options = options;
    this.diagnostics = new Diagnostics(options.errorLimit);
    this.builtins = builtins ?? new BuiltinTable(options.capabilities, options.builtins);
    this.modules = [...modules]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, module]) => new WorkingModule(name, module));
  }

  /** All modules by name, in that order. */
  get all(): VersionedMap<CompiledModule> {
    return (this.#all ??= VersionedMap.of(this.modules.map((module) => [module.name, module])));
  }

  /** The dependencies between rules, once their reads are set. */
  get graph(): RuleGraph {
    const { all } = this;
    return (this.#graph ??= new RuleGraph(() => rulesOf(all.values()), this.ruleTree));
  }

  context(module?: WorkingModule): Context {
    const { options, diagnostics, builtins, ruleTree: rules } = this;
    const context = { options, diagnostics, builtins, locals: module?.locals ?? nobody, rules };
    return module ? { ...context, lookups: module.lookups, lines: module.lines } : context;
  }

  /** The names that the rules of a module's package define. */
  exports({ parsed }: WorkingModule): ReadonlySet<string> | undefined {
    this.#exports ??= exportsOf(this.modules.map((module) => module.parsed));
    return this.#exports.get(packageKey(parsed.package));
  }

  *setModuleTree(): Steps {
    for (const module of this.modules) yield* setRules(module);
    this.moduleTree = yield* moduleTree(this.modules);
  }

  *setRuleTree(): Steps {
    this.ruleTree = yield* ruleTree(this.modules);
  }

  *setAnnotations(): Steps {
    this.annotations = annotationSet(this.all.values(), this.diagnostics);
    yield;
  }

  *checkConflicts(): Steps {
    yield* checkConflicts(this.ruleTree, this.moduleTree, this.all.values(), this.context());
  }

  *checkRecursion(): Steps {
    yield* this.graph.group();
    yield* checkRecursion(this.graph, this.context());
  }

  *checkTypes(): Steps {
    this.types = yield* checkTypes({ ...this.typeCheckInput(), modules: this.all });
  }

  protected typeCheckInput() {
    const { ruleTree: rules, graph, annotations, builtins, options, diagnostics } = this;
    return { ruleTree: rules, graph, annotations, builtins, options, diagnostics };
  }

  /** Ends the compilation, and returns its result. */
  finish(): Compiled {
    const { diagnostics } = this;
    // The reference reports the limit as soon as the number of errors reaches it.
    if (diagnostics.limit > 0 && diagnostics.list.length === diagnostics.limit)
      diagnostics.report('errorLimit', nowhere, {});
    const { all: modules, moduleTree: packages, ruleTree, graph, annotations, types, builtins, options } = this;
    const dependents = new Dependents(modules);
    return {
      modules,
      moduleTree: packages,
      ruleTree,
      graph,
      annotations,
      types,
      dependents,
      diagnostics: inSourceOrder(diagnostics.list),
      warnings: diagnostics.warnings.list,
      builtins,
      options,
    };
  }
}

/** Errors of several stages in the order of their places. The note about the limit stays last. */
function inSourceOrder(list: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!list.some(({ isRecoverable }) => isRecoverable)) return list;
  return [...list].sort((a, b) => compareLocations(a.location, b.location) || compareStrings(a.message, b.message));
}

/** Creates the rules of a module after their heads are rewritten. */
export function* setRules(module: WorkingModule): Steps {
  const rules: WorkingRule[] = [];
  yield* visitSteps(module.current, rulesPerStep, (rule) => rules.push(new WorkingRule(module, rule)));
  module.rules = rules;
}

function* rulesOf(modules: Iterable<CompiledModule>) {
  for (const { rules } of modules) yield* rules;
}
