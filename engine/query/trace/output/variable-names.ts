/** The names of variables in explanations. */

import type { Compiled, CompiledQuery, Source } from '../../../../compiler/index.js';
import { captureMark, isGeneratedName } from '../../../../compiler/index.js';
import type { RecordedEvent } from './recorder.js';

type Rename = (name: string) => string;

/** The variables of a query's values: wildcards to a reader. */
function captureName(name: string): string {
  return name.startsWith(captureMark) ? `$term${name.slice(captureMark.length)}` : name;
}

/**
 * Generated names are unique in a module. Those of further modules in the same explanation get a
 * suffix, so that no two variables have one name.
 */
export class VariableNames {
  readonly #modules: ReadonlyMap<Source, ReadonlyMap<string, string>>;
  readonly #query: ReadonlyMap<string, string>;
  readonly #numbers = new Map<Source, number>();

  constructor(
    { modules }: Pick<Compiled, 'modules'>,
    query: Pick<CompiledQuery, 'names'>,
    events: readonly RecordedEvent[],
  ) {
    this.#modules = new Map([...modules.values()].map(({ parsed, names }) => [parsed.source, names]));
    this.#query = query.names;
    for (const { at } of events) {
      const { source } = at;
      if (this.#modules.has(source) && !this.#numbers.has(source)) this.#numbers.set(source, this.#numbers.size);
    }
  }

  /** The names that the author wrote, for people. */
  writtenIn(source: Source): Rename {
    const names = this.#modules.get(source) ?? this.#query;
    const unique = this.uniqueIn(source);
    return (name) => names.get(name) ?? unique?.(name) ?? name;
  }

  /** Unique names, for programs; undefined where they are those of the compiled module. */
  uniqueIn(source: Source): Rename | undefined {
    if (!this.#modules.has(source)) return captureName;
    const number = this.#numbers.get(source) ?? 0;
    return number === 0 ? undefined : (name) => (isGeneratedName(name) ? `${name}${number}` : name);
  }
}
