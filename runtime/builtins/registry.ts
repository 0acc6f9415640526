/** All built-ins, by name. */
import type { Builtin } from './builtin.js';
import { graphql } from './graphql.js';

const families: readonly (readonly Builtin[])[] = [graphql];

export const builtins: ReadonlyMap<string, Builtin> = new Map(families.flat().map((row) => [row.name, row]));
