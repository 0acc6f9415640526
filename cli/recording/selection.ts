/** The statements that `--at` and `--func` select. */

import type { AddressedOwner } from '../../ir-schema/index.js';
import type { PlanEvent, PlanRun } from '../../views/index.js';
import { CallGraph, parsePlace, selectOwners, statementsAt, UnknownName } from '../../views/index.js';
import type { FlagValues } from '../flags.js';

/** Whether an event is shown. */
type Selection = (event: PlanEvent) => boolean;

/**
 * Selections by run. Undefined where no flag selects.
 * @throws an Error where a flag selects nothing in any plan
 */
export function selectionOf(runs: readonly PlanRun[], flags: FlagValues): ReadonlyMap<PlanRun, Selection> | undefined {
  const [place, func] = [flags.text('at'), flags.text('func')];
  if (place === undefined && func === undefined) return undefined;
  const statements = place === undefined ? undefined : runs.map((run) => addressesAt(run, place));
  const owners = func === undefined ? undefined : ownersNamed(runs, func);
  if (statements?.every(({ size }) => size === 0))
    throw new Error(
      `no statement is at ${JSON.stringify(place)}: give an address (authz/allow/0.3), or FILE:LINE, or FILE:LINE:COLUMN`,
    );
  return new Map(
    runs.map((run, i) => [
      run,
      ({ statement, owner }) => {
        if (owners !== undefined && !owners[i]?.has(owner.name)) return false;
        return statements === undefined || (statement !== undefined && statements[i]?.has(statement.address) === true);
      },
    ]),
  );
}

/** A statement with those inside it, or the statements of a place in the source. */
function addressesAt({ policy: { policy, addresses, debug } }: PlanRun, text: string): ReadonlySet<string> {
  const isInside = (address: string) => address === text || address.startsWith(`${text}.`);
  const place = parsePlace(text);
  const found =
    addresses.at(text) !== undefined
      ? [...addresses].filter(({ address }) => isInside(address))
      : place === undefined
        ? []
        : statementsAt(policy, addresses, place, debug);
  return new Set(found.map(({ address }) => address));
}

/** The owners in each run; for a plan's name it alone, without the functions it can reach. */
function ownersNamed(runs: readonly PlanRun[], name: string): readonly ReadonlySet<string>[] {
  let unknown: UnknownName | undefined;
  const found = runs.map(({ policy: { policy, addresses, debug } }) => {
    const plan = addresses.owners.find((owner) => owner.kind === 'plan' && owner.name === name);
    let owners: readonly AddressedOwner[] = plan === undefined ? [] : [plan];
    try {
      if (plan === undefined)
        owners = selectOwners({ policy, addresses, graph: new CallGraph(policy, addresses), debug }, [name]);
    } catch (error) {
      if (!(error instanceof UnknownName)) throw error;
      unknown ??= error;
    }
    return new Set(owners.map((owner) => owner.name));
  });
  if (found.every(({ size }) => size === 0))
    throw unknown ?? new Error(`no entrypoint or function ${JSON.stringify(name)}`);
  return found;
}
