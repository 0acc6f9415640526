/** The plans and functions that names mean. */

import type { DebugIndex, Policy } from '../../ir-schema/index.js';
import { type AddressedOwner, type Addresses, splitAddress } from '../../ir-schema/index.js';
import { beginsWith } from '../../values/index.js';
import type { CallGraph } from './call-graph.js';
import { parsePlace, statementsAt } from './places.js';
import { rulePath } from './rule-path.js';

/** A name that means nothing in a plan. */
export class UnknownName extends Error {
  constructor(name: string, addresses: Addresses) {
    const entrypoints = addresses.owners.filter(({ kind }) => kind === 'plan').map((owner) => owner.name);
    super(`no entrypoint or function ${JSON.stringify(name)}: entrypoints are ${entrypoints.join(', ') || 'none'}`);
    this.name = 'UnknownName';
  }
}

/**
 * Plans and functions by names, each once; all without a name. A name is one of
 * - an entrypoint (`authz/allow`): the plan, and the functions that it can reach, in the order of
 *   the first call
 * - a function (`g0.data.authz.allow`), or the path of a rule (`data.authz.allow`)
 * - a package (`authz`, `data.authz`): all plans and functions below it
 * - a pattern (`authz/*`, `*.allow`): all that match
 * - a place (`authz.rego:17`, `authz.rego:17:2`), or an address (`authz/allow/0.3`): the plans and
 *   functions with the statements there
 * @throws UnknownName
 */
export function selectOwners(from: SelectedFrom, names: readonly string[]): readonly AddressedOwner[] {
  if (names.length === 0) return from.addresses.owners;
  return [...new Set(names.flatMap((name) => selectOne(from, name)))];
}

interface SelectedFrom {
  readonly policy: Policy;
  readonly addresses: Addresses;
  readonly graph: CallGraph;
  readonly debug: DebugIndex | undefined;
}

function selectOne(from: SelectedFrom, name: string): readonly AddressedOwner[] {
  const { policy, addresses, debug } = from;
  const { owners } = addresses;
  const plan = owners.find((owner) => owner.kind === 'plan' && owner.name === name);
  if (plan) return [plan, ...from.graph.reachableFrom(plan)];
  const tests: ((owner: AddressedOwner) => boolean)[] = [
    (owner) => owner.name === name,
    (owner) => owner.kind === 'func' && rulePath(owner).join('.') === name.replace(/^data\./, ''),
  ];
  if (name.includes('*')) tests.push(matching(name));
  tests.push(
    below(
      name
        .replace(/^data(?=[./]|$)/, '')
        .split(/[./]/)
        .filter((part) => part !== ''),
    ),
  );
  for (const test of tests) {
    const found = owners.filter(test);
    if (found.length > 0) return found;
  }
  const stmt = splitAddress(name) && addresses.at(name);
  if (stmt) return [stmt.owner];
  const place = parsePlace(name);
  const found = place ? statementsAt(policy, addresses, place, debug).map(({ owner }) => owner) : [];
  if (found.length === 0) throw new UnknownName(name, addresses);
  return [...new Set(found)];
}

/** `*` stands for any text. */
function matching(pattern: string): (owner: AddressedOwner) => boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  return (owner) => {
    const path = rulePath(owner);
    const names = owner.kind === 'plan' ? [owner.name] : [owner.name, path.join('/'), `data.${path.join('.')}`];
    return names.some((name) => expression.test(name));
  };
}

/** Whether a plan or function stands below a package. */
function below(path: readonly string[]): (owner: AddressedOwner) => boolean {
  return (owner) => beginsWith(rulePath(owner), path);
}
