/** Shows the views of plans that the flags ask for. */
import { PlanView } from '../../inspect/plan-view.js';
import { UnknownName } from '../../inspect/selection.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { orderedJson } from '../output/ordered-json.js';
import type { InspectedPlan } from './plan-flags.js';
import { planViews, type ViewRequest } from './plan-views.js';

/** Throws an Error where there is no plan, or a name means nothing in any. */
export function showPlans(plans: readonly InspectedPlan[], names: readonly string[], flags: FlagValues, io: Io): void {
  if (plans.length === 0) throw new Error('there is no plan to list, and no policy to plan');
  const requests = requestsFor(plans, names, flags);
  const views = planViews.filter(({ flag }) => flags.on(flag));
  if (flags.text('format') !== 'json') {
    for (const { text } of views) io.stdout(requests.map(({ request }) => text(request)).join('\n'));
    return;
  }
  const documents = requests.map(({ path, request }) => {
    const fields = views.map(({ flag, json }) => [flag, json(request)] as const);
    return Object.fromEntries([...(requests.length > 1 ? [['plan', path]] : []), ...fields]);
  });
  io.stdout(orderedJson(documents.length === 1 ? documents[0] : documents));
}

/** A request for each plan in which the names mean something. */
function requestsFor(plans: readonly InspectedPlan[], names: readonly string[], flags: FlagValues) {
  const requests: { readonly path: string; readonly request: ViewRequest }[] = [];
  let unknown: UnknownName | undefined;
  for (const { path, policy } of plans) {
    const view = new PlanView(policy);
    try {
      requests.push({ path, request: { view, owners: view.select(names), flags } });
    } catch (error) {
      if (!(error instanceof UnknownName)) throw error;
      unknown ??= error;
    }
  }
  if (requests.length === 0) throw unknown!;
  return requests;
}
