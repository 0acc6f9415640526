/**
 * The built-ins that a policy may call: all of the registry, or only the list of the capabilities.
 */

import { type Builtin, builtins, type CapabilityRow, declaredBuiltin, RowTable } from '../../values/index.js';
import { isRootName } from '../ast/names.js';
import type { RefTerm, Term } from '../ast/nodes.js';
import type { CompileCapabilities } from './compile-options.js';

/** A built-in as the compiler knows it. */
export type BuiltinDeclaration = Pick<Builtin, 'name' | 'args' | 'result' | 'relation' | 'deprecated' | 'variadic'>;

export class BuiltinTable {
  readonly #byName: ReadonlyMap<string, BuiltinDeclaration>;

  #deprecated: readonly string[] | undefined;
  #deprecatedCall: RegExp | undefined;
  #familiesByName: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined;

  constructor(capabilities: CompileCapabilities | undefined, available: ReadonlyMap<string, Builtin> = builtins) {
    this.#byName = capabilities?.builtins
      ? new Map(
          capabilities.builtins.map((row) => [
            row.name,
            available.get(row.name) ?? declaredBuiltin(row as CapabilityRow),
          ]),
        )
      : available;
  }

  get(name: string): BuiltinDeclaration | undefined {
    return this.#byName.get(name);
  }

  /** The built-in that the operator of a call names. */
  of(operator: RefTerm): BuiltinDeclaration | undefined {
    const { terms } = operator;
    const [head, second] = terms;
    if (head?.type !== 'var' || isRootName(head.name)) return undefined;
    if (terms.length === 1) return this.#byName.get(head.name);
    // To put a name together costs more than to look it up in two steps; there are as many calls as
    // lines.
    const isOneDot = terms.length === 2 && second?.type === 'string';
    const name = isOneDot ? this.#families.get(head.name)?.get(second.value) : builtinName(terms);
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** Names with one dot, by the parts before and after it. */
  get #families(): ReadonlyMap<string, ReadonlyMap<string, string>> {
    if (this.#familiesByName) return this.#familiesByName;
    const families = new Map<string, Map<string, string>>();
    // Only names are read here, since a row loads its family.
    for (const name of this.#byName.keys()) {
      const dot = name.indexOf('.');
      if (dot < 0) continue;
      const family = name.slice(0, dot);
      let members = families.get(family);
      if (!members) families.set(family, (members = new Map()));
      members.set(name.slice(dot + 1), name);
    }
    return (this.#familiesByName = families);
  }

  /** The names alone: no row is loaded. */
  get names(): Iterable<string> {
    return this.#byName.keys();
  }

  get all(): Iterable<BuiltinDeclaration> {
    return this.#byName.values();
  }

  /** Names of the deprecated ones. */
  get deprecated(): readonly string[] {
    return (this.#deprecated ??= this.#byName instanceof RowTable ? this.#byName.deprecated : this.#findDeprecated());
  }

  /**
   * Matches texts with a call of a deprecated one; undefined if there are none. To look for each
   * name in turn takes eight times as long: others would wait while a text of megabytes is checked.
   */
  get deprecatedCall(): RegExp | undefined {
    if (this.deprecated.length === 0) return undefined;
    return (this.#deprecatedCall ??= new RegExp(
      `(?:${this.deprecated.map((name) => name.replace(/\W/g, '\\$&')).join('|')})\\(`,
    ));
  }

  #findDeprecated(): readonly string[] {
    return [...this.#byName.values()].filter((row) => row.deprecated === true).map((row) => row.name);
  }
}

/** The dotted name of a ref that may be a built-in's; undefined for any other ref. */
export function builtinName(terms: readonly Term[]): string | undefined {
  const [head] = terms;
  if (head?.type !== 'var' || head.name === 'data' || head.name === 'input') return undefined;
  // Most names have one part: no list for these.
  if (terms.length === 1) return head.name;
  let { name } = head;
  for (const term of terms.slice(1)) {
    if (term.type !== 'string') return undefined;
    name += `.${term.value}`;
  }
  return name;
}
