/**
 * The tables of a plan: strings, files and built-ins, each entry once, in the order of first use.
 */

import { type BuiltinFunc, queryFile, type Static } from '../../../ir-schema/index.js';
import type { Builtin } from '../../../values/index.js';

export class Statics {
  readonly #strings = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #files = new Map<string, number>();
  readonly #builtins = new Map<string, BuiltinFunc>();

  string(value: string): number {
    const index = indexIn(this.#strings, value);
    this.#texts[index] = value;
    return index;
  }

  /** The string of an index. */
  text(index: number): string {
    return this.#texts[index]!;
  }

  file(name: string): number {
    return indexIn(this.#files, name === '' ? queryFile : name);
  }

  /** Whether a built-in of the name is in the table. */
  hasBuiltin(name: string): boolean {
    return this.#builtins.has(name);
  }

  builtin(row: Builtin): void {
    if (this.#builtins.has(row.name)) return;
    const { name, args, result, variadic } = row;
    const decl = {
      ...(args.length > 0 && { args: args.map(({ type }) => type) }),
      ...(result !== undefined && { result }),
      type: 'function',
      ...(variadic !== undefined && { variadic }),
    };
    this.#builtins.set(name, { name, decl });
  }

  get table(): Static {
    const values = (map: ReadonlyMap<string, number>) => [...map.keys()].map((value) => ({ value }));
    return { strings: values(this.#strings), builtin_funcs: [...this.#builtins.values()], files: values(this.#files) };
  }
}

function indexIn(map: Map<string, number>, value: string): number {
  let index = map.get(value);
  if (index === undefined) map.set(value, (index = map.size));
  return index;
}
