/** Shows the views of plans that the flags ask for. */
import { groundPrefix, locationOf, type Module, packageSegments, stringKeys } from '../../compiler/index.js';
import { StatementText } from '../../ir-schema/index.js';
import { type KnownRule, PlanView, type ReadProfile, UnknownName } from '../../views/index.js';
import { exitCodes } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { orderedJson } from '../output/ordered-json.js';
import { linesIn, planSources } from '../sources/plan-sources.js';
import { type InspectedPlan, placesBeside } from './plan-inputs.js';
import { countedViews, planViews, type ViewRequest } from './plan-views.js';

/** Throws an Error where there is no plan, or a name means nothing in any. */
export function showPlans(
  plans: readonly InspectedPlan[],
  names: readonly string[],
  { available, profile }: { readonly available: ViewRequest['builtins']; readonly profile: ReadProfile | undefined },
  flags: FlagValues,
  io: Io,
): number {
  if (plans.length === 0) throw new Error('there is no plan to list, and no policy to plan');
  const shared = { builtins: available, counts: profile?.statements };
  const requests = requestsFor(plans, names, shared, flags);
  if (profile !== undefined) checkProfile(profile, requests);
  const isListed = profile !== undefined && !countedViews.some((flag) => flags.has(flag));
  const views = planViews.filter(({ flag }) => flags.has(flag) || (isListed && flag === 'listing'));
  const exitOf = () => {
    const hasFailed = views.some(({ fails }) => fails !== undefined && requests.some(({ request }) => fails(request)));
    return hasFailed ? exitCodes.failure : exitCodes.ok;
  };
  if (flags.text('format') !== 'json') {
    const texts = views.map(({ text }) => requests.map(({ request }) => text(request)).join('\n'));
    io.stdout(texts.filter((text) => text !== '').join('\n'));
    return exitOf();
  }
  const documents = requests.map(({ path, request }) => {
    const fields = views.map(({ flag, json }) => [flag, json(request)] as const);
    const { counts, owners, view } = request;
    const counted =
      counts &&
      owners.flatMap((owner) => view.addresses.inside(owner).flatMap(({ address }) => counts.get(address) ?? []));
    const plan = requests.length > 1 ? [['plan', path] as const] : [];
    return Object.fromEntries([...plan, ...fields, ...(counted ? [['profile', counted] as const] : [])]);
  });
  io.stdout(orderedJson(documents.length === 1 ? documents[0] : documents));
  return exitOf();
}

/** Throws an Error where a profile is of another plan. */
function checkProfile({ statements }: ReadProfile, requests: ReturnType<typeof requestsFor>): void {
  const has = ({ policy, addresses }: PlanView, address: string, text: string): boolean => {
    const found = addresses.at(address);
    return found !== undefined && new StatementText(policy).statement(found.stmt) === text;
  };
  for (const [address, { text }] of statements) {
    if (!requests.some(({ request: { view } }) => has(view, address, text)))
      throw new Error(`the profile is of another plan: this one has no statement ${address} (${text})`);
  }
}

/** A request for each plan in which the names mean something. */
function requestsFor(
  plans: readonly InspectedPlan[],
  names: readonly string[],
  shared: Pick<ViewRequest, 'builtins' | 'counts'>,
  flags: FlagValues,
) {
  const requests: { readonly path: string; readonly request: ViewRequest }[] = [];
  let unknown: UnknownName | undefined;
  for (const plan of plans) {
    const view = new PlanView(plan.policy, plan.debug);
    try {
      const called = flags.on('callers') ? names.filter((name) => view.graph.callees.includes(name)) : [];
      const others = names.filter((name) => !called.includes(name));
      const owners = called.length > 0 && others.length === 0 ? [] : view.select(others);
      const callees = names.length === 0 ? view.graph.callees : [...owners, ...called];
      const linesOf = linesIn(() => planSources(plan, placesBeside(plan, flags), view.addresses));
      requests.push({
        path: plan.path,
        request: { view, owners, callees, flags, ...shared, linesOf, rules: () => rulesOf(plan.modules()) },
      });
    } catch (error) {
      if (!(error instanceof UnknownName)) throw error;
      unknown ??= error;
    }
  }
  if (requests.length === 0 && unknown !== undefined) throw unknown;
  return requests;
}

function rulesOf(modules: readonly Module[]): KnownRule[] {
  return modules.flatMap((module) =>
    module.rules.map(({ loc, head: { ref } }) => {
      const [name] = ref;
      const own = [name?.type === 'var' ? name.name : '', ...(stringKeys(groundPrefix(ref).slice(1)) ?? [])];
      const { file, row, col } = locationOf(loc);
      return { path: [...packageSegments(module), ...own], location: { file, row, col } };
    }),
  );
}
