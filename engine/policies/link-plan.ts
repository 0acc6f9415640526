/** Programs of plans that the planner makes. They need no checks. */

import type { Policy } from '../../ir-schema/index.js';
import { assemble, assembleSteps, type Executable, link, linkLoaded } from '../../runtime/index.js';
import { allAtOnce, type Builtin, inSlices, type Steps } from '../../values/index.js';

/** Plans and links without waiting: the libraries of its built-ins must be loaded. */
export function linkAtOnce(planning: Steps<Policy>, builtins: ReadonlyMap<string, Builtin>): Executable {
  return linkLoaded(assemble(allAtOnce(planning)), builtins);
}

/** In slices: others have their turn every few milliseconds. Loads libraries. */
export async function linkInSlices(
  planning: Steps<Policy>,
  builtins: ReadonlyMap<string, Builtin>,
): Promise<Executable> {
  return await link(await inSlices(assembleSteps(await inSlices(planning))), builtins);
}
