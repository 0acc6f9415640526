/** Evaluates a plan statement by statement, for traces, profiles and recordings. */

import { type RunSetting, runTables } from '../../engine/index.js';
import { Addresses, DebugIndex, type DebugInfo, type Policy } from '../../ir-schema/index.js';
import { PlanTables, PlanTraceFull, type StatementObserver } from '../../runtime/index.js';
import { type PlanEvent, PlanEvents } from './plan-events.js';
import type { StatementProfile } from './statement-profile.js';

/** A plan with the addresses of its statements. */
export class ObservedPolicy {
  readonly policy: Policy;
  readonly addresses: Addresses;
  readonly tables: PlanTables;
  /** Undefined where the plan has none. */
  readonly debug: DebugIndex | undefined;

  /**
   * @param policy verified
   * @param debug that of the policy
   */
  constructor(policy: Policy, debug?: DebugInfo) {
    this.policy = policy;
    this.addresses = new Addresses(policy);
    this.tables = new PlanTables(policy);
    this.debug = debug && new DebugIndex(debug, this.addresses);
  }
}

export interface Observers {
  readonly takeEvent?: ((event: PlanEvent) => void) | undefined;
  readonly profile?: StatementProfile | undefined;
}

/**
 * Answers the error that ended the evaluation early: a PlanTraceFull where `takeEvent` threw one.
 */
export function observedRun(
  { addresses, tables }: ObservedPolicy,
  entrypoint: string,
  setting: RunSetting,
  { takeEvent, profile }: Observers,
): Error | undefined {
  const events = takeEvent && new PlanEvents(addresses, takeEvent);
  const note = (text: string): void => events?.note(text);
  const observer =
    events === undefined || profile === undefined ? (events ?? profile ?? nobody) : both(events, profile);
  const options = { onPrint: note, onTrace: note, ...setting.options };
  const end = runTables(tables, entrypoint, { ...setting, options }, { observer });
  if (end !== undefined && !(end instanceof PlanTraceFull)) events?.error(end.message);
  profile?.close();
  return end;
}

const nobody: StatementObserver = { before: () => undefined, passed: () => undefined };

/** The time of the events is no statement's. */
function both(events: PlanEvents, profile: StatementProfile): StatementObserver {
  return {
    enter(body, locals) {
      profile.enter(body);
      events.enter(body, locals);
      profile.resume();
    },
    exit(body, result) {
      profile.exit();
      events.exit(body, result);
      profile.resume();
    },
    before(stmt, locals) {
      profile.before(stmt, locals);
      events.before(stmt, locals);
      profile.resume();
    },
    passed() {
      profile.passed();
      events.passed();
      profile.resume();
    },
    ended(stmt, how) {
      profile.ended(stmt, how);
      events.ended(stmt, how);
      profile.resume();
    },
  };
}
