/** A plan alone, as other compilers write it: without debug information, with names of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBundle } from '../../../engine/bundle/disk/file-source.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { runCommand } from '../command.js';

/**
 * Builds the plan of `shop/allow` and writes it to `plan.json` in a folder.
 * @param named the name that the plan has for a file
 */
export async function planAlone(folder: string, policy: string, named: (file: string) => string): Promise<string> {
  const bundle = join(folder, 'built.tar.gz');
  await runCommand('build', '-t', 'plan', '-e', 'shop/allow', '-o', bundle, policy);
  const { plans } = await readBundle(bundle);
  const built = plans[0]!.policy as Policy;
  const files = built.static!.files!.map(({ value }) => ({ value: named(value) }));
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify({ ...built, static: { ...built.static, files } }));
  return plan;
}
