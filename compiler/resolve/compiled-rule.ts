import type { Import, Module, Ref, Rule, RuleHead } from '../ast/nodes.js';

/** A rule with its place. The `else` chain hangs on the rule. */
export interface CompiledRule {
  readonly module: CompiledModule;
  /** The rule after all stages. */
  readonly rule: Rule;
  /** Package path and head ref: `data`, then strings, then the terms of the head. */
  readonly ref: Ref;
  /**
   * Refs into data by which the rule, its first `else` and so on read other rules and documents.
   */
  readonly reads: readonly (readonly Ref[])[];
}

export interface CompiledModule {
  /** The key in the input's map. */
  readonly name: string;
  /** The module as it was parsed. */
  readonly parsed: Module;
  readonly rules: readonly CompiledRule[];
  /** Imports, which the stages have resolved. */
  readonly imports: readonly Import[];
  /**
   * Generated variable → the name that the author wrote. Variables that stand for no written one
   * are absent.
   */
  readonly names: ReadonlyMap<string, string>;
  /** The numbers of generated variables with which each stage began: see `LocalNumbers`. */
  readonly localStarts: readonly number[];
  /**
   * Paths of rules (`refKey`) that the stages looked up, found or not: the compiled module depends
   * on these rules.
   */
  readonly lookups: ReadonlySet<string>;
}

/** The kind of a head: one value, or members of a set. */
type RuleKind = 'single' | 'multi';

/** `p contains x` and version 0's `p[x]` make sets; all others have values. */
export function ruleKind(head: RuleHead): RuleKind {
  return head.value === undefined ? 'multi' : 'single';
}
