/** Evaluates a plan statement by statement, for traces, profiles and recordings. */

import type { Builtin } from '../../builtins/builtin.js';
import { Addresses } from '../../ir-schema/address.js';
import type { Policy } from '../../ir-schema/plan.js';
import type { EngineContext } from '../../runtime/evaluation/context.js';
import type { StatementObserver } from '../../runtime/vm/plan-tables.js';
import type { Value } from '../../values/value.js';
import { type RunOptions, runPlan } from '../evaluation/plan-trace.js';
import { type PlanEvent, PlanEvents } from './plan-events.js';
import type { StatementProfile } from './statement-profile.js';

/** A plan with the addresses of its statements. */
export class ObservedPolicy {
  readonly policy: Policy;
  readonly addresses: Addresses;

  /** @param policy verified */
  constructor(policy: Policy) {
    this.policy = policy;
    this.addresses = new Addresses(policy);
  }
}

export interface Observers {
  readonly takeEvent?: ((event: PlanEvent) => void) | undefined;
  readonly profile?: StatementProfile | undefined;
}

/** Answers the error that ended the evaluation early. The libraries of its built-ins are loaded. */
export function observedRun(
  { policy, addresses }: ObservedPolicy,
  entrypoint: string,
  documents: { readonly input: Value | undefined; readonly data: Value },
  builtins: ReadonlyMap<string, Builtin>,
  context: EngineContext,
  options: RunOptions,
  { takeEvent, profile }: Observers,
): Error | undefined {
  const events = takeEvent && new PlanEvents(addresses, takeEvent);
  const note = (text: string): void => events?.note(text);
  const observer = events === undefined || profile === undefined ? (events ?? profile ?? nobody) : both(events, profile);
  const end = runPlan(
    { policy, name: entrypoint },
    documents,
    builtins,
    context,
    { onPrint: note, onTrace: note, ...options },
    { observer },
  );
  if (end !== undefined) events?.error(end.message);
  profile?.close();
  return end;
}

const nobody: StatementObserver = { before: () => undefined, passed: () => undefined };

/** Times are taken last before a statement and first after it. */
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
      events.before(stmt);
      profile.resume();
    },
    passed(stmt) {
      profile.passed();
      events.passed(stmt);
      profile.resume();
    },
    ended(stmt, how) {
      profile.ended(stmt, how);
      events.ended(stmt, how);
      profile.resume();
    },
  };
}
