/** `build -O` for policies of version 0, whose residuals have words of version 1. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBytes } from '../../engine/bundle/disk/file-source.js';
import { differencesOf, ways } from '../../test/fuzz/compare.js';
import { planName, showCase, subjectOf } from '../../test/fuzz/policy-case.js';
import { type PolicyCase, randomCase } from '../../test/generators/random-case.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { toJson } from '../../values/json/json.js';

const policies = 10;

/** Policies of version 0 that commands take. */
function* cases(): Generator<PolicyCase> {
  for (let seed = 1; ; seed++) {
    const given = randomCase(seed);
    if (given?.regoVersion === 'v0' && subjectOf(given)?.isOrdinary === true) yield given;
  }
}

/** The texts that optimizing adds; none where the policies are not built. */
async function residualsOf({ modules, data, paths }: PolicyCase): Promise<readonly string[]> {
  return await withFiles({ ...Object.fromEntries(modules), 'data.json': toJson(data) }, async (directory) => {
    const bundle = join(directory, 'bundle.tar.gz');
    const entrypoints = paths.flatMap((path) => ['-e', planName(path)]);
    const { exit } = await runCommand('build', '--v0-compatible', '-O', '1', ...entrypoints, '-o', bundle, directory);
    if (exit !== 0) return [];
    const built = await readBytes(bundle, readFileSync(bundle));
    return built.modules.filter(({ path }) => path.includes('optimized/')).map(({ text }) => text);
  });
}

test('random policies of version 0 are optimized, and decide the same', { timeout: 300_000 }, async () => {
  const optimizing = ways.filter(({ name }) => / of -O /.test(name));
  let optimized = 0;
  for (const given of cases().take(policies)) {
    const found = await differencesOf(given, optimizing, () => 0);
    expect(found.map(({ way, answer, given: part }) => `${way.name}: ${JSON.stringify(answer)}\n${showCase(part)}`)).toEqual([]);
    const residuals = await residualsOf(given);
    for (const text of residuals) expect(text).toContain('import rego.v1');
    if (residuals.length > 0) optimized++;
  }
  // Others are not built, or stay as they are.
  expect(optimized).toBeGreaterThan(policies / 3);
});
