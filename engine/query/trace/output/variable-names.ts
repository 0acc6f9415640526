/** The names of variables in explanations. */

import type { Compiled, CompiledModule, CompiledQuery, Source } from '../../../../compiler/index.js';
import { captureMark } from '../../../../compiler/index.js';

type Rename = (name: string) => string;

/** The variables of a query's values: wildcards to a reader. */
function captureName(name: string): string {
  return name.startsWith(captureMark) ? `$term${name.slice(captureMark.length)}` : name;
}

/**
 * The numbers of generated variables among those of all modules: a stage numbers them module by
 * module, in the order of their names, and goes on where the stage before ended.
 */
class LocalNumbers {
  readonly #modules: readonly Pick<CompiledModule, 'parsed' | 'localStarts'>[];
  /** The offset that each stage adds to the numbers of a module. */
  readonly #shifts = new Map<Source, readonly number[]>();

  constructor(modules: Compiled['modules']) {
    this.#modules = [...modules.values()];
  }

  renamed(name: string, { parsed: { source }, localStarts }: CompiledModule): string {
    const digits = /^__local(\d+)__$/.exec(name)?.[1];
    if (digits === undefined) return name;
    const stage = localStarts.findLastIndex((start) => start <= Number(digits));
    return `__local${Number(digits) + (this.#shiftsOf(source)[stage] ?? 0)}__`;
  }

  #shiftsOf(source: Source): readonly number[] {
    if (this.#shifts.size === 0) this.#count();
    return this.#shifts.get(source) ?? [];
  }

  #count(): void {
    for (const { parsed, localStarts } of this.#modules)
      this.#shifts.set(
        parsed.source,
        localStarts.map(() => 0),
      );
    const stages = Math.max(0, ...this.#modules.map(({ localStarts }) => localStarts.length));
    // Numbers that a module's own have not counted: those of other modules.
    let next = 0;
    for (let stage = 0; stage < stages; stage++) {
      for (const { parsed, localStarts } of this.#modules) {
        const start = localStarts[stage];
        if (start === undefined) continue;
        (this.#shifts.get(parsed.source) as number[])[stage] = next - start;
        next += (localStarts[stage + 1] ?? start) - start;
      }
    }
  }
}

/** The names of variables in explanations: those of generated ones are unique in all modules. */
export class VariableNames {
  readonly #modules: ReadonlyMap<Source, CompiledModule>;
  readonly #query: ReadonlyMap<string, string>;
  readonly #numbers: LocalNumbers;

  constructor({ modules }: Pick<Compiled, 'modules'>, query: Pick<CompiledQuery, 'names'>) {
    this.#modules = new Map([...modules.values()].map((module) => [module.parsed.source, module]));
    this.#query = query.names;
    this.#numbers = new LocalNumbers(modules);
  }

  /** The names that the author wrote, for people. */
  writtenIn(source: Source): Rename {
    const names = this.#modules.get(source)?.names ?? this.#query;
    const unique = this.uniqueIn(source);
    return (name) => names.get(name) ?? unique?.(name) ?? name;
  }

  /** Unique names, for programs; undefined where they are those of the compiled module. */
  uniqueIn(source: Source): Rename | undefined {
    const module = this.#modules.get(source);
    if (module === undefined) return captureName;
    return this.#modules.size === 1 ? undefined : (name) => this.#numbers.renamed(name, module);
  }
}
