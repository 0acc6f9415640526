/** Shows plans in a browser: `inspect --web`. */
import { writeFileSync } from 'node:fs';
import type { Bundle } from '../../bundle/bundle.js';
import { filePath } from '../../bundle/disk/file-path.js';
import { buildInfo } from '../../engine/build-info.js';
import { toIndentedJson } from '../../values/json/json.js';
import { inspectedPlan } from '../../web/data/inspected-plan.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { inspectorPage } from './inspector-page.js';
import type { InspectedPlan } from './plan-inputs.js';
import { servePage } from './serve-page.js';

/** Writes the page to the file of `--output`, or serves it until the command is interrupted. */
export async function showPage(title: string, bundle: Bundle, plans: readonly InspectedPlan[], flags: FlagValues, io: Io): Promise<void> {
  const [plan] = plans;
  if (plan === undefined) throw new Error('there is no plan to show, and no policy to plan');
  const html = inspectorPage({
    version: buildInfo.version,
    title,
    sources: bundle.modules.map(({ path, text }) => ({ file: path, text })),
    plan: inspectedPlan(plan.policy),
    documents: { input: '{}', data: toIndentedJson(bundle.data) },
  });
  const output = flags.text('output') ?? '';
  if (output === '') await servePage(html, io);
  else writeFileSync(filePath(output), html);
}
