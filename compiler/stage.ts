/** Stages, and functions that make them from work on modules, rules or links. */

import type { Steps } from '../values/index.js';
import type { Node, Rule } from './ast/nodes.js';
import { partsOf } from './check/check-functions.js';
import type { Compilation } from './compilation.js';
import type { CompileOptions } from './resolve/compile-options.js';
import { elseChain, mapLinks } from './resolve/links.js';
import type { Context, WorkingModule, WorkingRule } from './resolve/working-module.js';

export interface Stage<State> {
  readonly timer: string;
  readonly run: (state: State) => Steps;
  /** The work on one module, of a stage that processes each module on its own. */
  readonly module?: ModuleWork;
  /**
   * For a stage that uses all modules: it reads nothing that the stages for modules since the last
   * such stage write, so it may run before them.
   */
  readonly isEarly?: boolean;
}

/** Work on one module, in steps. */
export type ModuleWork = (module: WorkingModule, compilation: Compilation) => Steps;

export function stage(
  name: string,
  run: Stage<Compilation>['run'],
  more: Pick<Stage<Compilation>, 'isEarly'> = {},
): Stage<Compilation> {
  return { timer: `timer_compile_stage_${name}_ns`, run, ...more };
}

/** @param spelling in the timer's name: two of the reference's say `state` */
export function moduleStage(
  name: string,
  module: ModuleWork,
  spelling: 'stage' | 'state' = 'stage',
): Stage<Compilation> {
  const work: ModuleWork = (one, compilation) => {
    one.locals.beginStages();
    return module(one, compilation);
  };
  return { timer: `timer_compile_${spelling}_${name}_ns`, run: throughModules(work), module: work };
}

/** Runs a table of stages until `isOver`, and times each. */
export function* runStages<State>(
  table: readonly Stage<State>[],
  given: State,
  options: CompileOptions,
  isOver: () => boolean,
): Steps {
  for (const { timer, run } of table) {
    const start = options.onTimer ? performance.now() : 0;
    yield* run(given);
    options.onTimer?.(timer, Math.round((performance.now() - start) * 1e6));
    if (isOver()) return;
    yield;
  }
}

/**
 * Runs a table of stages with one walk over the modules for all stages in a row that process each
 * module on its own: the trees of one module stay in the processor's caches, and those between two
 * stages are garbage at once. It ends with the first errors, which need not be those of the first
 * stage that has any.
 */
export function* runJoined(table: readonly Stage<Compilation>[], compilation: Compilation): Steps {
  for (const run of joined(table)) {
    yield* run(compilation);
    if (compilation.diagnostics.hasErrors) return;
    yield;
  }
}

function joined(table: readonly Stage<Compilation>[]): Stage<Compilation>['run'][] {
  const runs: Stage<Compilation>['run'][] = [];
  let row: ModuleWork[] = [];
  for (const { run, module, isEarly } of table) {
    if (module !== undefined) row.push(module);
    else if (isEarly) runs.push(run);
    else {
      runs.push(throughModules(inRow(row)), run);
      row = [];
    }
  }
  return [...runs, throughModules(inRow(row))];
}

function inRow(row: readonly ModuleWork[]): ModuleWork {
  return function* (module, compilation) {
    for (const work of row) {
      if (compilation.diagnostics.hasErrors) return;
      yield* work(module, compilation);
    }
  };
}

export function eachModule(run: (module: WorkingModule, context: Context) => void): ModuleWork {
  return function* (module, compilation) {
    run(module, compilation.context(module));
    yield;
  };
}

export function throughModules(work: ModuleWork): (compilation: Compilation) => Steps {
  return function* (compilation) {
    for (const module of compilation.modules) {
      if (compilation.diagnostics.full) return;
      compilation.at = module;
      yield* work(module, compilation);
    }
  };
}

/** The number of rules in a step. */
const rulesPerStep = 32;

function* throughRules({ rules }: WorkingModule, visit: (rule: WorkingRule) => void): Steps {
  for (let i = 0; i < rules.length; i++) {
    visit(rules[i]!);
    if (i % rulesPerStep === 0) yield;
  }
}

/** Whether a stage applies to a module, judged from its text. */
export type Filter = (module: WorkingModule, context: Context) => boolean;

const always: Filter = () => true;

export function hasWord(word: string): Filter {
  return (module) => module.mentions(word);
}

/** Replaces each rule by its next version. */
export function eachRule(map: (rule: Rule, context: Context) => Rule, applies = always): ModuleWork {
  return function* (module, compilation) {
    const context = compilation.context(module);
    if (!applies(module, context)) return;
    yield* throughRules(module, (rule) => {
      rule.rule = map(rule.rule, context);
    });
  };
}

/** As `eachRule`, for a rule and each of its `else` branches separately. */
export function eachLink(map: (link: Rule, context: Context) => Rule, applies = always): ModuleWork {
  return eachRule((rule, context) => mapLinks(rule, (link) => map(link, context)), applies);
}

/**
 * As `eachLink`, with a function that is made once per module, and only for rules whose text has a
 * word.
 */
export function eachLinkWith(word: string, make: (context: Context) => (link: Rule) => Rule): ModuleWork {
  return function* (module, compilation) {
    if (!module.mentions(word)) return;
    const map = make(compilation.context(module));
    yield* throughRules(module, (rule) => {
      if (mayHave(rule.rule, word)) rule.rule = mapLinks(rule.rule, map);
    });
  };
}

/**
 * Whether the source text of a rule may contain a word. If rule and head have the same span, the
 * text may be incomplete, since an additional body shares the head: then the answer is true.
 */
function mayHave({ loc, head }: Rule, word: string): boolean {
  return loc === head.loc || loc.text.includes(word);
}

/** Checks the nodes of a module's links. */
export function eachPart(check: (nodes: Iterable<Node>, context: Context) => void, applies = always): ModuleWork {
  return function* (module, compilation) {
    const context = compilation.context(module);
    if (!applies(module, context)) return;
    yield* throughRules(module, ({ rule }) => {
      for (const link of elseChain(rule)) check(partsOf(link), context);
    });
  };
}
