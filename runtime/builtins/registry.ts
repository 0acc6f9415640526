/** All built-ins, by name. */
import type { Builtin } from './builtin.js';

const families: readonly (readonly Builtin[])[] = [];

export const builtins: ReadonlyMap<string, Builtin> = new Map(families.flat().map((row) => [row.name, row]));
