/**
 * Type checking. Each rule is checked by itself, after the rules that it reads: its body gives
 * types to its variables, and its head adds to the types of `data`. Contributions are stored by
 * rule: a later check of almost the same rules repeats the changed rules and their readers only.
 */

import { compareStrings, type Steps, visitSteps } from '../../values/index.js';
import type { Body } from '../ast/nodes.js';
import { type Diagnostic, Diagnostics } from '../diagnostics/diagnostics.js';
import { renderDiagnostic } from '../diagnostics/render.js';
import type { AnnotationSet } from '../resolve/annotation-set.js';
import type { BuiltinTable } from '../resolve/builtin-table.js';
import type { CompileOptions } from '../resolve/compile-options.js';
import type { CompiledModule, CompiledRule } from '../resolve/compiled-rule.js';
import type { RuleGraph } from '../resolve/graph.js';
import { type RuleTree, rulesPerStep } from '../resolve/tree.js';
import { VersionedMap } from '../resolve/versioned-map.js';
import type { Dependents } from './dependents.js';
import { QueryTypes, Types } from './rule-types.js';
import { BodyChecker } from './typing/body.js';
import { keysOfRef } from './typing/constant-part.js';
import { DataTypes } from './typing/data-types.js';
import { isError } from './typing/details.js';
import { Globals } from './typing/env.js';
import { ChangedPaths } from './typing/readers.js';
import { Replacements } from './typing/replaced.js';
import { checkRule, type RuleTypes } from './typing/rule.js';
import { RuleSchemas } from './typing/schemas.js';

/** The input of type checking: modules after the stages before it. */
interface TypeCheckInput {
  readonly modules: ReadonlyMap<string, CompiledModule>;
  readonly ruleTree: RuleTree;
  readonly graph: RuleGraph;
  readonly annotations: AnnotationSet;
  readonly builtins: BuiltinTable;
  readonly options: CompileOptions;
  readonly diagnostics: Diagnostics;
  /** Whether types have all values that schemas admit: see `typing/admitted-type.ts`. */
  readonly admitted?: boolean;
  /** Whether a change checks the rules of other modules whose `with` may replace a part of it. */
  readonly checksReplacements?: boolean;
}

/** An earlier check without errors, under the same options. */
interface CheckedBefore {
  readonly types: Types;
  readonly modules: ReadonlyMap<string, CompiledModule>;
  readonly ruleTree: RuleTree;
  readonly dependents: Dependents;
}

/** Checks all rules and reports type errors in the order of the text. */
export function* checkTypes(input: TypeCheckInput): Steps<Types> {
  const check = new TypeCheck(input);
  for (const rule of input.graph.sorted) {
    check.rule(rule);
    yield;
  }
  return yield* check.finish();
}

/**
 * Types after a change of some modules: checks their rules, then the readers of paths whose
 * type changed, and so on. `redone` has the names of added, removed and changed modules.
 */
export function* recheckTypes(input: TypeCheckInput, before: CheckedBefore, redone: Iterable<string>): Steps<Types> {
  if (soleRule(before.modules) || soleRule(input.modules)) return yield* checkTypes(input);
  const found = new Diagnostics(input.diagnostics.limit);
  const check = new TypeCheck({ ...input, diagnostics: found }, before);
  if (!(yield* check.redo([...redone].sort()))) return yield* checkTypes(input);
  const types = yield* check.finish();
  if (types.globals.listsPackages) return yield* checkTypes(input);
  for (const error of found.list) input.diagnostics.add(error);
  return types;
}

/**
 * Chains of rules whose types change one after the other are shorter, if they are worth following.
 */
const maxRounds = 100;

class TypeCheck {
  readonly #input: TypeCheckInput;
  readonly #before: CheckedBefore | undefined;
  readonly #globals: Globals;
  readonly #schemas: RuleSchemas;
  readonly #data: DataTypes;
  readonly #sole: CompiledRule | undefined;
  readonly #errors: Diagnostic[] = [];
  /** The types of the rules checked so far, and the round of each. */
  readonly #fresh = new Map<CompiledRule, RuleTypes>();
  readonly #checkedAt = new Map<CompiledRule, number>();
  /** The names of modules that changed; none where all are checked. */
  #redone: readonly string[] = [];

  constructor(input: TypeCheckInput, before?: CheckedBefore) {
    this.#input = input;
    this.#before = before;
    this.#sole = soleRule(input.modules);
    this.#globals = new Globals(input.builtins, new Replacements(input.ruleTree, input.graph));
    this.#schemas = new RuleSchemas(input.options, input.annotations, input.admitted);
    const previous = before?.types.globals.documents;
    this.#data = new DataTypes(
      input.ruleTree,
      input.graph,
      (rule) => this.#fresh.get(rule) ?? this.#old(rule),
      before && { rules: before.ruleTree, tree: previous!.get('data')! },
    );
    if (previous) {
      const type = previous.get('input');
      if (type) this.#globals.documents.set('input', type);
      return;
    }
    const type = this.#schemas.input();
    if (type !== undefined && 'kind' in type) this.#globals.document('input').type = type;
    else if (type) this.#errors.push(type);
  }

  #old(rule: CompiledRule): RuleTypes | undefined {
    return this.#before?.types.rules.get(rule.module.name)?.get(rule);
  }

  rule(rule: CompiledRule): void {
    if (rule !== this.#sole) this.#globals.documents.set('data', this.#data.seenBy(rule));
    this.#fresh.set(rule, checkRule(rule, this.#globals, this.#schemas, this.#input.options));
    this.#checkedAt.set(rule, this.#data.tick());
    this.#data.checked(rule);
  }

  /** Returns false if it exceeds its number of rounds. */
  *redo(names: readonly string[]): Steps<boolean> {
    this.#redone = names;
    const { modules, graph } = this.#input;
    const before = this.#before!;
    let round: readonly CompiledRule[] = names.flatMap((name) => modules.get(name)?.rules ?? []);
    for (const name of names) {
      yield* visitSteps(before.modules.get(name)?.rules ?? [], rulesPerStep, (rule) => {
        this.#data.open(rule).before.push({ module: name, types: this.#old(rule) });
      });
    }
    yield* visitSteps(round, rulesPerStep, (rule) => this.#data.open(rule).after.push(rule));
    const isWhole = this.#input.checksReplacements !== false;
    const replacing = isWhole ? yield* this.#replacing(new Set(names)) : [];
    for (const rule of replacing) this.#reopen(rule);
    round = [...round, ...replacing];
    for (let rounds = 0; rounds < maxRounds; rounds++) {
      for (const rule of yield* graph.sort(new Set(round))) {
        this.rule(rule);
        yield;
      }
      yield* this.#data.makeAll();
      round = yield* this.#outdated();
      if (round.length === 0) return true;
      for (const rule of round) {
        if (!this.#fresh.has(rule)) this.#reopen(rule);
      }
    }
    return false;
  }

  #reopen(rule: CompiledRule): void {
    const part = this.#data.open(rule);
    part.before.push({ module: rule.module.name, types: this.#old(rule) });
    part.after.push(rule);
  }

  /**
   * The rules of other modules whose modifiers may now replace what other rules depend on: those
   * that read a changed module, also through others.
   */
  *#replacing(redone: ReadonlySet<string>): Steps<readonly CompiledRule[]> {
    const found: CompiledRule[] = [];
    for (const name of yield* this.#readersOf(redone)) {
      if (redone.has(name)) continue;
      yield* visitSteps(this.#before!.types.rules.get(name) ?? [], rulesPerStep, ([rule, { replaces }]) => {
        if (replaces) found.push(rule);
      });
    }
    return found;
  }

  /** Some modules, and all that read their rules, in this version or the one before, and so on. */
  *#readersOf(names: ReadonlySet<string>): Steps<readonly string[]> {
    const { modules, dependents } = this.#before!;
    const found = new Set(names);
    for (let round: Iterable<string> = names; ; ) {
      const paths = new Map<string, readonly string[]>();
      for (const name of round) {
        for (const module of [modules.get(name), this.#input.modules.get(name)]) {
          for (const { ref } of module?.rules ?? []) paths.set(keysOfRef(ref).join(' '), keysOfRef(ref));
          yield;
        }
      }
      const next = [...(yield* dependents.ofReads(paths.values()))].filter((name) => !found.has(name));
      if (next.length === 0) return [...found].sort();
      for (const name of next) found.add(name);
      round = next;
    }
  }

  /** Rules that read a path whose type changed after they were checked. */
  *#outdated(): Steps<readonly CompiledRule[]> {
    const changed = [...this.#data.parts].filter(({ changedAt }) => changedAt > 0);
    if (changed.length === 0) return [];
    const paths = yield* ChangedPaths.of(changed);
    const checkedAt = (rule: CompiledRule): number => this.#checkedAt.get(rule) ?? 0;
    const names = yield* this.#before!.dependents.ofReads(paths.list);
    const rules: CompiledRule[] = [];
    for (const name of [...new Set([...names, ...this.#redone])].sort()) {
      const module = this.#input.modules.get(name);
      for (const rule of module ? yield* paths.readersIn(module, checkedAt) : []) rules.push(rule);
      yield;
    }
    return rules;
  }

  *finish(): Steps<Types> {
    const { options, diagnostics, modules } = this.#input;
    yield* this.#data.makeAll();
    this.#globals.documents.set('data', this.#data.tree);
    const before = this.#before?.types.rules;
    const begun = new Map<CompiledModule, Map<CompiledRule, RuleTypes>>();
    yield* visitSteps(this.#fresh, rulesPerStep, ([rule, types]) => {
      const { module } = rule;
      let own = begun.get(module);
      if (!own) {
        const isOld = this.#before?.modules.get(module.name) === module;
        own = new Map(isOld ? before!.get(module.name) : undefined);
        begun.set(module, own);
      }
      own.set(rule, types);
      for (const error of types.errors) this.#errors.push(error);
    });
    for (const error of inOrder(this.#errors)) diagnostics.add(error);
    const changes = new Map<string, ReadonlyMap<CompiledRule, RuleTypes> | undefined>();
    for (const name of this.#redone) if (!modules.has(name)) changes.set(name, undefined);
    for (const [{ name }, own] of begun) changes.set(name, own);
    return new Types(this.#globals, options, (before ?? VersionedMap.of([])).with(changes));
  }
}

/**
 * The one rule that there is, if there is no other: to it, nothing is known of `data`, not even
 * that its keys are strings.
 */
function soleRule(modules: CheckedBefore['modules']): CompiledRule | undefined {
  let sole: CompiledRule | undefined;
  for (const { rules } of modules.values()) {
    if (rules.length > 1 || (sole && rules.length > 0)) return undefined;
    sole ??= rules[0];
  }
  return sole;
}

/** Errors in the order of their places, then of their texts; those without a place come first. */
function inOrder(errors: readonly Diagnostic[]): readonly Diagnostic[] {
  return errors.toSorted((a, b) => {
    const [left, right] = [a.location, b.location];
    if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
    const order = compareStrings(left.file, right.file) || left.row - right.row || left.col - right.col;
    return order || compareStrings(renderDiagnostic(a), renderDiagnostic(b));
  });
}

/**
 * Checks a query against the types of rules, and reports type errors in the order of its
 * expressions. `types` is the result of `checkTypes`; without it nothing is checked. `names` are
 * the written names of generated variables.
 */
export function typeOfQuery(
  body: Body,
  types: Types | undefined,
  names: ReadonlyMap<string, string>,
  diagnostics: Diagnostics,
): QueryTypes | undefined {
  if (types === undefined) return undefined;
  const checker = new BodyChecker(types.globals, names, types.options.allowUndefinedFunctions === true);
  const { scope, errors } = checker.body(body);
  for (const error of errors) if (isError(error) || types.options.strict) diagnostics.add(error.diagnostic);
  return new QueryTypes(scope);
}
