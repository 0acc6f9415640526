/** Stages, and functions that make them from work on modules, rules or links. */

import type { Steps } from '../runtime/values/steps.js';
import type { Node, Rule } from './ast/nodes.js';
import { partsOf } from './check/functions.js';
import type { Compilation } from './compilation.js';
import type { Diagnostics } from './diagnostics/diagnostics.js';
import type { Context, WorkingModule, WorkingRule } from './resolve/context.js';
import { elseChain, mapLinks } from './resolve/links.js';
import type { CompileOptions } from './resolve/options.js';

export interface Stage<State> {
  readonly timer: string;
  readonly run: (state: State) => Steps;
}

export function stage(name: string, run: Stage<Compilation>['run']): Stage<Compilation> {
  return { timer: `timer_compile_stage_${name}_ns`, run };
}

/** Two of the reference's timers are spelled `state`. */
export function state(name: string, run: Stage<Compilation>['run']): Stage<Compilation> {
  return { timer: `timer_compile_state_${name}_ns`, run };
}

/** Runs a table of stages up to the first one with errors, and times each. */
export function* runStages<State>(table: readonly Stage<State>[], given: State, options: CompileOptions, diagnostics: Diagnostics): Steps {
  for (const { timer, run } of table) {
    const start = options.onTimer ? performance.now() : 0;
    yield* run(given);
    options.onTimer?.(timer, Math.round((performance.now() - start) * 1e6));
    if (diagnostics.hasErrors) return;
    yield;
  }
}

/** Wraps a stage that runs in one step. */
export function atOnce<State>(run: (state: State) => void): (state: State) => Steps {
  return function* (state) {
    run(state);
    yield;
  };
}

type ModuleStage = (module: WorkingModule, context: Context) => void;

export function eachModule(run: ModuleStage): (compilation: Compilation) => Steps {
  return throughModules(function* (module, context) {
    run(module, context);
    yield;
  });
}

/**
 * As `eachModule`, for stages that process a module in steps: a module may have thousands of rules.
 */
function throughModules(run: (module: WorkingModule, context: Context) => Steps): (compilation: Compilation) => Steps {
  return function* (compilation) {
    for (const module of compilation.modules) {
      if (compilation.diagnostics.full) return;
      yield* run(module, compilation.context(module));
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
export function eachRule(map: (rule: Rule, context: Context) => Rule, applies = always): (compilation: Compilation) => Steps {
  return throughModules(function* (module, context) {
    if (!applies(module, context)) return;
    yield* throughRules(module, (rule) => {
      rule.rule = map(rule.rule, context);
    });
  });
}

/** As `eachRule`, for a rule and each of its `else` branches separately. */
export function eachLink(map: (link: Rule, context: Context) => Rule, applies = always): (compilation: Compilation) => Steps {
  return eachRule((rule, context) => mapLinks(rule, (link) => map(link, context)), applies);
}

/**
 * As `eachLink`, with a function that is made once per module, and only for rules whose text has a
 * word.
 */
export function eachLinkWith(word: string, make: (context: Context) => (link: Rule) => Rule): (compilation: Compilation) => Steps {
  return throughModules(function* (module, context) {
    if (!module.mentions(word)) return;
    const map = make(context);
    yield* throughRules(module, (rule) => {
      if (mayHave(rule.rule, word)) rule.rule = mapLinks(rule.rule, map);
    });
  });
}

/**
 * Whether the source text of a rule may contain a word. If rule and head have the same span, the
 * text may be incomplete, since an additional body shares the head: then the answer is true.
 */
function mayHave({ loc, head }: Rule, word: string): boolean {
  return loc === head.loc || loc.text.includes(word);
}

/** Checks the nodes of a module's links. */
export function eachPart(check: (nodes: Iterable<Node>, context: Context) => void, applies = always) {
  return throughModules(function* (module, context) {
    if (!applies(module, context)) return;
    yield* throughRules(module, ({ rule }) => {
      for (const link of elseChain(rule)) check(partsOf(link), context);
    });
  });
}
