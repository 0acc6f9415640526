/** Built-ins of a policy: ours, and those of the caller for names that we do not have. */

import type { Platform } from '../../../engine/index.js';
import { callAny, type Evaluation, type LinkedBuiltin, linkedBuiltin } from '../../../runtime/index.js';
import { type Builtin, builtins as ours, type Value, withRows } from '../../../values/index.js';
import { type CustomBuiltins, customRow } from './custom-builtins.js';
import { OpaWasmError } from './opa-wasm-error.js';

/** The built-in that needs the parser. */
export const parserBuiltin = 'rego.parse_module';

/** The caller's functions that have no built-in of ours of their name. */
export function onlyCustom(custom: CustomBuiltins): [name: string, custom: CustomBuiltins[string]][] {
  return Object.entries(custom).filter(([name]) => !ours.has(name));
}

/** Libraries are modules, so they are loaded for all policies. */
const loaded = new WeakSet<Builtin>();

/** Loads rows with their libraries: of some names, or all. Names without a row are ignored. */
export async function loadRows(platform: Platform, names?: Iterable<string>): Promise<void> {
  const wanted = new Set(names ?? ours.keys());
  await platform.loadBuiltins?.(wanted);
  const rows = [...wanted].flatMap((name) => ours.get(name) ?? []);
  await Promise.all(
    rows.map(async (row) => {
      await row.load?.();
      loaded.add(row);
    }),
  );
}

/** The built-ins that a policy's WebAssembly calls by numbers. */
export class HostBuiltins {
  readonly names: readonly string[];
  readonly #byId: ReadonlyMap<number, string>;
  readonly #rows: ReadonlyMap<string, Builtin>;
  readonly #linked = new Map<number, LinkedBuiltin>();

  /** @param ids the numbers of the policy's built-ins */
  constructor(ids: Readonly<Record<string, number>>, custom: CustomBuiltins) {
    this.names = Object.keys(ids);
    this.#byId = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    this.#rows = withRows(
      ours,
      onlyCustom(custom).map(([name, body]) => customRow(name, body)),
    );
  }

  /** Throws an OpaWasmError, a HaltError, or a Suspension where the built-in has to wait. */
  call(id: number, operands: readonly Value[], evaluation: Evaluation): Value | undefined {
    let linked = this.#linked.get(id);
    if (linked === undefined) this.#linked.set(id, (linked = linkedBuiltin(this.#row(id, evaluation))));
    return callAny(linked, operands, evaluation);
  }

  #row(id: number, { parseModule }: Evaluation): Builtin {
    const name = this.#byId.get(id);
    if (name === undefined || !this.#rows.has(name))
      throw new OpaWasmError('missing_builtin', `not implemented: built-in function ${id}: ${name ?? 'no name'}`);
    const row = name === parserBuiltin && parseModule === undefined ? undefined : this.#loadedRow(name);
    if (row === undefined)
      throw new OpaWasmError(
        'not_loaded',
        `${name} is not loaded: await loadBuiltins(), or load the policy by loadPolicy`,
      );
    return row;
  }

  #loadedRow(name: string): Builtin | undefined {
    let row: Builtin | undefined;
    try {
      row = this.#rows.get(name);
    } catch {
      // A browser has not loaded its family.
      return undefined;
    }
    return row?.load === undefined || loaded.has(row) ? row : undefined;
  }
}
