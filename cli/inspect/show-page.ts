/** Shows plans in a browser: `inspect --web`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { buildInfo } from '../../engine/index.js';
import { filePath } from '../../engine/node.js';
import { builtins, textOfFile, toIndentedJson, withDeclared } from '../../values/index.js';
import type { PlanProfileReport } from '../../views/index.js';
import { givenCapabilities } from '../compile-flags.js';
import { usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { planSources } from '../sources/plan-sources.js';
import { inspectedPlan } from '../web/data/inspected-plan.js';
import { openedRecording } from '../web/data/opened-recording.js';
import type { PageData, PageSource } from '../web/data/page-data.js';
import { sourceTexts } from '../web/data/source-texts.js';
import { inspectorPage } from './inspector-page.js';
import { bundleAt, type InspectedPlan, inspectedPlans, moduleTexts, placesBeside } from './plan-inputs.js';
import { servePage } from './serve-page.js';
import { comparedPlans } from './show-diff.js';

/**
 * Writes the page to the file of `--output`, or serves it until the command is interrupted.
 * @param path ignored with a recording, which has its plan in it
 * @param names of entrypoints to plan; with `--diff` the other path first
 */
export async function showPage(path: string, names: readonly string[], flags: FlagValues, io: Io): Promise<void> {
  const trace = flags.text('trace') ?? '';
  const data = trace === '' ? await pageOf(path, names, flags, io) : recordedPage(trace);
  const html = inspectorPage(data);
  const output = flags.text('output') ?? '';
  if (output === '') await servePage(html, io);
  else writeFileSync(filePath(output), html);
}

/** The page of a recording alone. */
function recordedPage(file: string): PageData {
  const recording = openedRecording(fileText(file));
  const { plan, sources, input } = recording;
  return { version: buildInfo.version, title: file, sources, plan, recording, documents: { input, data: '' } };
}

async function pageOf(path: string, names: readonly string[], flags: FlagValues, io: Io): Promise<PageData> {
  const bundle = await bundleAt(path, io);
  const isDiff = flags.on('diff');
  const capabilities = await givenCapabilities(flags);
  const available = withDeclared(builtins, capabilities);
  const wanted = isDiff ? names.slice(1) : names;
  const version = flags.on('v0-compatible') ? 0 : 1;
  const plans = inspectedPlans({ path, bundle, version, names: wanted }, io, { capabilities, available });
  const plan = chosenPlan(plans, wanted, io);
  // Levels and entrypoints of two plans go together.
  const [policy, other] = isDiff ? await comparedPlans(path, names, flags, io) : [plan.policy];
  const profile = flags.text('profile') ?? '';
  return {
    version: buildInfo.version,
    title: path,
    sources: sourcesOf(plan, flags),
    plan: inspectedPlan(policy, isDiff ? undefined : plan.debug, available),
    ...(other !== undefined && {
      other: { title: names[0] ?? `${path} -O ${flags.number('optimize')}`, policy: other },
    }),
    ...(profile !== '' && { profile: profileIn(profile) }),
    documents: { input: '{}', data: toIndentedJson(bundle.data) },
  };
}

/** The plan with the entrypoints of these names; without names the first plan. */
function chosenPlan(plans: readonly InspectedPlan[], names: readonly string[], io: Io): InspectedPlan {
  const [first, ...others] = plans;
  if (first === undefined) throw new Error('there is no plan to show, and no policy to plan');
  if (others.length === 0) return first;
  const entrypoints = ({ policy }: InspectedPlan) => (policy.plans?.plans ?? []).map(({ name }) => name);
  const list = () => plans.map((plan) => `${plan.path} (${entrypoints(plan).join(', ')})`).join(', ');
  if (names.length > 0) {
    const found = plans.find((plan) => names.every((name) => entrypoints(plan).includes(name)));
    if (found === undefined)
      throw new Error(`no plan has the entrypoints ${names.join(', ')}: the plans are ${list()}`);
    return found;
  }
  io.stderr(
    `warning: the page shows the first of several plans, ${first.path}; name an entrypoint to choose another: ${list()}\n`,
  );
  return first;
}

/** The texts with the lines that the plan and its debug information name, then other policies. */
function sourcesOf(plan: InspectedPlan, flags: FlagValues): readonly PageSource[] {
  const modules = moduleTexts(plan).map(({ file, text }) => ({ file, text: text.replaceAll('\r\n', '\n') }));
  const shown = planSources(plan, placesBeside(plan, flags)).map(({ file, text }) => ({ file, text }));
  return sourceTexts(shown, modules, plan.debug);
}

/** The profile of the first run in a file of `eval --plan-profile=json`. */
function profileIn(file: string): PlanProfileReport {
  let document: unknown;
  try {
    document = JSON.parse(fileText(file));
  } catch (error) {
    throw new Error(`${file}: it is no JSON: ${(error as Error).message}`, { cause: error });
  }
  const [run] = (document as { readonly runs?: readonly { readonly profile?: PlanProfileReport }[] }).runs ?? [];
  if (!Array.isArray(run?.profile?.statements)) throw usageError(`${file} is no profile of a plan`);
  return run.profile;
}

function fileText(file: string): string {
  return textOfFile(readFileSync(filePath(file)));
}
