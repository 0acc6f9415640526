import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { type GeneratedVersion, ModuleGenerator } from '../../test/generators/module-generator.js';
import { expectLaw, expectPrints, type Version } from '../../test/harness/format-law.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';

/** More of them: `WRIT_RUNS=100000`. */
const runs = randomCases(400);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

test(
  'random modules with comments between any two tokens keep their tree and comments, and stay as formatted',
  () => {
    let formatted = 0;
    for (let seed = start; seed < start + runs; seed++) if (formatsGenerated(seed)) formatted++;
    if (isLongSearch) console.log(`${formatted} of ${runs} were modules`);
    expect(formatted).toBeGreaterThan(runs / 2);
  },
  Math.max(60_000, runs * 50),
);

/** One module, plain or with comments in so many places that it is still one. */
function formatsGenerated(seed: number): boolean {
  const version = (['v0', 'v0v1', 'v1', 'v1'] as const satisfies readonly GeneratedVersion[])[seed % 4]!;
  const reads: Version = version === 'v1' ? 'v1' : 'v0';
  const to = reads === 'v0' && seed % 3 === 0 ? (['v0v1', 'v1'] as const)[seed % 2] : undefined;
  const generator = new ModuleGenerator(seed, version);
  const plain = generator.module();
  const shares = seed % 5 === 0 ? [] : seed % 5 === 1 ? [0.02] : [0.3, 0.1, 0.02];
  return shares.some((share) => expectLaw(generator.stirred(plain, share), reads, to)) || expectLaw(plain, reads, to);
}

test(
  'random modules printed in one line a rule are the same modules',
  () => {
    let printed = 0;
    for (let seed = start; seed < start + runs; seed++) {
      const version = seed % 2 === 0 ? 'v0' : 'v1';
      const text = new ModuleGenerator(seed, version).module();
      if (expectPrints(text, version)) printed++;
    }
    expect(printed).toBeGreaterThan(runs / 2);
  },
  Math.max(60_000, runs * 20),
);

const shared = process.env.WRIT_CONFORMANCE ?? fileURLToPath(new URL('../../../shared/conformance', import.meta.url));
if (!existsSync(shared)) console.log('the modules of the recorded cases are skipped: there is no conformance folder beside the project');

test.skipIf(!existsSync(shared))(
  'all modules in the recorded cases keep the law, in both versions and from one to the other',
  () => {
    const counts = { v0: 0, v1: 0, converted: 0 };
    for (const text of recordedModules()) {
      if (expectLaw(text, 'v0')) counts.v0++;
      if (expectLaw(text, 'v1')) counts.v1++;
      if (expectLaw(text, 'v0', 'v0v1')) counts.converted++;
    }
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(1000);
  },
  300_000,
);

/** Every text in the recordings that may be a module. */
function recordedModules(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/(^|\n)\s*package\s/.test(value)) found.add(value);
    } else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) visit(part);
  };
  for (const file of readdirSync(shared, { recursive: true, encoding: 'utf8' })) {
    // Configurations of other programs are templates, and no YAML.
    if (!/\.(json|ya?ml)$/.test(file) || file.startsWith('envoy')) continue;
    const text = readFileSync(join(shared, file), 'utf8');
    visit(file.endsWith('.json') ? JSON.parse(text) : load(text, { json: true }));
  }
  return found;
}
