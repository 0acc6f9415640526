/** The names in a residual that stand for variables of authors. */

import type { AuthorVariable, CompiledRule, ReplacedVariable, Span, Term } from '../../../../compiler/index.js';
import { isGeneratedName, isVagueKey, isWildcard, shownName, termKey } from '../../../../compiler/index.js';
import type { Frame } from '../../bindings.js';
import { namedWildcard } from './source.js';

export class AuthorVariables {
  readonly #rules = new WeakMap<Frame, CompiledRule>();
  /** Variables by their names in the residual. */
  readonly #variables = new Map<string, AuthorVariable[]>();
  /** Variables that have been replaced, by the printed term. */
  readonly #replaced = new Map<string, Map<string, ReplacedVariable>>();

  /** Notes whose variables a frame has. */
  enter(frame: Frame, rule: CompiledRule): void {
    this.#rules.set(frame, rule);
  }

  /** Notes that a variable of the residual has the value of a variable of a rule. */
  note(residual: string, frame: Frame, variable: string): void {
    const rule = this.#rules.get(frame);
    if (rule === undefined) return;
    const name = shownName(variable, rule.module.names);
    if (name !== undefined && !isGeneratedName(name)) this.#add(residual, { name, rule: rule.rule.loc });
  }

  #add(residual: string, variable: AuthorVariable): void {
    const known = this.#variables.get(residual) ?? [];
    if (known.some(({ name, rule }) => name === variable.name && rule === variable.rule)) return;
    this.#variables.set(residual, [...known, variable]);
  }

  /** Notes that a term stands where a variable of the residual would stand. */
  replace(residual: string, term: Term, place: Span): void {
    const variables = this.#variables.get(residual) ?? [];
    if (term.type === 'var') for (const one of variables) this.#add(term.name, one);
    else if (variables.length > 0) {
      // Only a wildcard that is used several times has a name.
      for (const key of new Set([
        termKey(term),
        termKey(term, (name) => (isWildcard(name) ? namedWildcard(name) : undefined)),
      ])) {
        const known = this.#replaced.get(key) ?? new Map<string, ReplacedVariable>();
        this.#replaced.set(key, known.set(residual, { name: residual, place }));
      }
    }
  }

  /** The variables that a variable of the residual stands for. */
  of(residual: string): readonly AuthorVariable[] {
    return this.#variables.get(residual) ?? [];
  }

  /** The variables of the residual that a term has replaced, by its key. */
  replacedBy(key: string): readonly ReplacedVariable[] {
    const found = this.#replaced.get(key);
    return found === undefined || (found.size > 1 && isVagueKey(key)) ? [] : [...found.values()];
  }
}
