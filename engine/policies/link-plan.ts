/** Programs of plans that the planner makes. They need no checks. */

import type { Policy } from '../../ir-schema/plan.js';
import { assemble, assembleSteps } from '../../runtime/bytecode/assemble.js';
import { link, linkLoaded } from '../../runtime/codegen/link.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import type { Builtin } from '../../values/builtins/builtin.js';
import { allAtOnce, inSlices, type Steps } from '../../values/steps.js';

/** Without waiting: the libraries of its built-ins must be loaded. */
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
