/** The statements that `--at` and `--func` select. */

import type { PlanEvent } from '../../engine/recording/plan-events.js';
import type { PlanRun } from '../../engine/recording/record.js';
import type { AddressedStatement, Addresses } from '../../ir-schema/address.js';
import type { Policy } from '../../ir-schema/plan.js';
import type { FlagValues } from '../flags.js';

/** Whether an event is shown. */
export type Selection = (event: PlanEvent) => boolean;

/**
 * By policy. Undefined where no flag selects.
 * @throws an Error where a flag selects nothing in any plan
 */
export function selectionOf(runs: readonly PlanRun[], flags: FlagValues): ReadonlyMap<PlanRun, Selection> | undefined {
  const [place, func] = [flags.text('at'), flags.text('func')];
  if (place === undefined && func === undefined) return undefined;
  const selected = runs.map((run) => [run, selectedIn(run, place, func)] as const);
  if (place !== undefined && selected.every(([, { statements }]) => statements?.size === 0))
    throw new Error(`no statement is at ${JSON.stringify(place)}: give an address (authz/allow/0.3), or FILE:LINE, or FILE:LINE:COLUMN`);
  if (func !== undefined && selected.every(([, { owners }]) => owners?.size === 0))
    throw new Error(`no plan or function ${JSON.stringify(func)}${namesIn(runs)}`);
  return new Map(
    selected.map(([run, { statements, owners }]) => [
      run,
      ({ statement, owner }) => {
        if (owners?.has(owner.name) === false) return false;
        return statements === undefined || (statement !== undefined && statements.has(statement.address));
      },
    ]),
  );
}

interface Selected {
  /** Addresses. */
  readonly statements: ReadonlySet<string> | undefined;
  readonly owners: ReadonlySet<string> | undefined;
}

function selectedIn({ policy: { policy, addresses } }: PlanRun, place: string | undefined, func: string | undefined): Selected {
  return {
    statements: place === undefined ? undefined : new Set(statementsAt(place, policy, addresses).map(({ address }) => address)),
    owners: func === undefined ? undefined : new Set(ownersNamed(func, addresses)),
  };
}

/** A statement with those inside it, or the statements of a place in the source. */
function statementsAt(place: string, { static: constants }: Policy, addresses: Addresses): readonly AddressedStatement[] {
  if (addresses.at(place) !== undefined)
    return [...addresses].filter(({ address }) => address === place || address.startsWith(`${place}.`));
  const [, name, row, col] = /^(.*?):(\d+)(?::(\d+))?$/.exec(place) ?? [];
  if (name === undefined) return [];
  const files = constants?.files ?? [];
  const isNamed = (index: number): boolean => {
    const file = files[index]?.value;
    return file !== undefined && (file === name || file.endsWith(`/${name}`) || name.endsWith(`/${file}`));
  };
  return [...addresses].filter(
    ({ stmt: { stmt } }) => stmt.row === Number(row) && (col === undefined || stmt.col === Number(col)) && isNamed(stmt.file),
  );
}

/** By its name, or by its path as policies write it: `data.authz.allow`. */
function ownersNamed(name: string, addresses: Addresses): readonly string[] {
  const named = addresses.owners.filter((owner) => owner.name === name);
  const found = named.length > 0 ? named : addresses.owners.filter(({ body }) => 'path' in body && dotted(body.path) === name);
  return found.map((owner) => owner.name);
}

function dotted(path: readonly string[] | undefined): string | undefined {
  return path === undefined || path.length === 0 ? undefined : ['data', ...path.slice(1)].join('.');
}

const maxNames = 10;

function namesIn(runs: readonly PlanRun[]): string {
  const names = [...new Set(runs.flatMap(({ policy }) => policy.addresses.owners.map(({ name }) => name)))];
  return names.length === 0 ? '' : `: there are ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''}`;
}
