/** The results of type checking. */

import type { CompileOptions } from '../resolve/compile-options.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import type { VersionedMap } from '../resolve/versioned-map.js';
import type { Doubt } from './typing/details.js';
import type { Globals, TypeScope } from './typing/env.js';
import { typeText } from './typing/print-type.js';
import type { RuleTypes } from './typing/rule.js';
import type { Type } from './typing/type.js';

/** The types of all rules. `Compiled.types` holds it. */
export class Types {
  readonly globals: Globals;
  readonly options: CompileOptions;
  /** The types of rules, by module. */
  readonly rules: VersionedMap<ReadonlyMap<CompiledRule, RuleTypes>>;

  constructor(globals: Globals, options: CompileOptions, rules: Types['rules']) {
    this.globals = globals;
    this.options = options;
    this.rules = rules;
  }

  /** Where something is looked for in collections that are always empty. */
  *doubts(): Iterable<Doubt> {
    for (const [, rules] of this.rules) for (const { doubts } of rules.values()) yield* doubts;
  }
}

/** The types of a query's variables. `CompiledQuery.types` holds it. */
export class QueryTypes {
  readonly #scope: TypeScope;

  constructor(scope: TypeScope) {
    this.#scope = scope;
  }

  /**
   * The type of a variable (by its generated name, if it has one) as text, such as `array[string]`;
   * undefined where nothing is known.
   */
  textOf(name: string): string | undefined {
    const type: Type | undefined = this.#scope.variable(name);
    return type && typeText(type);
  }
}
