/** A plan with all that its views share, computed once and on demand. */

import type { DebugInfo, Policy } from '../../ir-schema/index.js';
import { type AddressedOwner, Addresses, DebugIndex, StatementText } from '../../ir-schema/index.js';
import { type BlockGraph, blockGraph } from './block-graph.js';
import { CallGraph } from './call-graph.js';
import { type ListedCall, listCallers, listCalls } from './calls-view.js';
import { statementsAt, type WantedPlace } from './places.js';
import { type ListedBody, type ListedStatement, listBodies, listStatement } from './plan-listing.js';
import { type ListedCode, type ListedScript, ProgramView } from './program-view.js';
import { selectOwners } from './selection.js';
import { listSources, type SourceLines, type SourceView } from './source-view.js';
import { type ListedString, listStrings } from './strings-view.js';
import { type KnownRule, type UnplannedRules, unplannedRules } from './unplanned.js';

/**
 * The views of a plan as data. Those of some plans and functions take the owners that `select`
 * finds.
 * @example
 * const view = new PlanView(policy);
 * view.listing(view.select(['authz/allow']));
 */
export class PlanView {
  readonly policy: Policy;
  readonly addresses: Addresses;
  /** Undefined where the plan has no debug information. */
  readonly debug: DebugIndex | undefined;
  #calls: CallGraph | undefined;
  #program: ProgramView | undefined;

  /**
   * @param policy verified, for the views of its program
   * @param debug that of the policy
   */
  constructor(policy: Policy, debug?: DebugInfo) {
    this.policy = policy;
    this.addresses = new Addresses(policy);
    this.debug = debug && new DebugIndex(debug, this.addresses);
  }

  get graph(): CallGraph {
    return (this.#calls ??= new CallGraph(this.policy, this.addresses));
  }

  get program(): ProgramView {
    return (this.#program ??= new ProgramView(this.policy, this.addresses));
  }

  /** Plans and functions by names, all without a name; throws UnknownName. */
  select(names: readonly string[] = []): readonly AddressedOwner[] {
    return selectOwners(this, names);
  }

  listing(owners = this.addresses.owners): ListedBody[] {
    return listBodies(this.policy, this.addresses, owners, this.debug);
  }

  /** The statements of a place. */
  at(place: WantedPlace): ListedStatement[] {
    const text = new StatementText(this.policy);
    return statementsAt(this.policy, this.addresses, place, this.debug).map((statement) =>
      listStatement(statement, text, this.debug),
    );
  }

  /** The files with their statements. */
  sources(linesOf: SourceLines, owners = this.addresses.owners): SourceView[] {
    return listSources(this, this.addresses, owners, linesOf);
  }

  /** The rules that entrypoints do without, of those of the policies and of the plan's own list. */
  unplanned(rules: readonly KnownRule[]): UnplannedRules[] {
    return unplannedRules(this.policy, this.addresses, this.graph, rules);
  }

  instructions(owners = this.addresses.owners): ListedCode[] {
    return owners.map((owner) => this.program.code(owner));
  }

  script(owners = this.addresses.owners): ListedScript[] {
    return owners.map((owner) => this.program.script(owner));
  }

  calls(owners = this.addresses.owners): ListedCall[] {
    return listCalls(this.policy, this.graph, owners);
  }

  /** The calls of functions and of built-ins, by default of all. */
  callers(callees: readonly (AddressedOwner | string)[] = this.graph.callees): ListedCall[] {
    return listCallers(this.policy, this.graph, callees);
  }

  blocks(owners = this.addresses.owners): BlockGraph[] {
    return owners.map((owner) => blockGraph(this.addresses, owner));
  }

  strings(): ListedString[] {
    return listStrings(this.policy, this.addresses);
  }
}
