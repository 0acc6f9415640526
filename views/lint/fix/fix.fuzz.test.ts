import { expect, test } from 'vitest';
import { CompileErrors } from '../../../compiler/diagnostics/diagnostics.js';
import { Engine } from '../../../library/index.js';
import { ModuleGenerator } from '../../../test/generators/module-generator.js';
import { randomCase } from '../../../test/generators/random-case.js';
import { randomCases } from '../../../test/harness/set-up/random-cases.js';
import { toPlain } from '../../../values/json/plain-form.js';
import { fix, lint } from '../index.js';

const runs = randomCases(150);
const start = Number(process.env.WRIT_FUZZ_SEED ?? 1);

const flags = { enableAll: true };

test('findings in random modules are inside of the text, and fixes are made once', async () => {
  let linted = 0;
  for (let seed = start; seed < start + runs; seed++) {
    const version = seed % 3 === 0 ? 'v0' : 'v1';
    const generator = new ModuleGenerator(seed, version);
    const plain = generator.module();
    const text = seed % 2 === 0 ? generator.stirred(plain, 0.05) : plain;
    const source = { file: 'p/p.rego', text, regoVersion: version } as const;
    const report = await lint([source], { flags }).catch((error: unknown) => {
      if (error instanceof CompileErrors) return undefined;
      throw error;
    });
    if (report === undefined) continue;
    linted++;
    const lines = text.split('\n');
    const longest = Math.max(...lines.map((line) => Buffer.byteLength(line)));
    for (const { rule, row, col, end = { row, col } } of report.findings) {
      if (row === 0) continue;
      expect(row, `${seed}: ${rule}`).toBeLessThanOrEqual(lines.length);
      expect(col, `${seed}: ${rule}`).toBeLessThanOrEqual([...lines[row - 1]!].length + 1);
      expect(end.row > row || end.col >= col, `${seed}: ${rule} ends before it begins`).toBe(true);
      // An end tells the length of a text in bytes, which may begin before the start: `(x)`.
      expect(end.row - row, `${seed}: ${rule}`).toBeLessThan(lines.length);
      expect(end.col - (end.row > row ? 1 : col), `${seed}: ${rule}`).toBeLessThanOrEqual(longest);
    }
    const [once] = await fix([source], { flags });
    const [twice] = await fix([{ ...source, text: once!.text }], { flags });
    expect(twice!.text, `seed ${seed}`).toBe(once!.text);
    expect(twice!.fixes, `seed ${seed}`).toEqual([]);
  }
  expect(linted).toBeGreaterThan(runs / 3);
}, 600_000);

test('random policies decide the same after their fixes', async () => {
  let fixes = 0;
  for (let seed = start; seed < start + runs; seed++) {
    const given = randomCase(seed);
    if (given === undefined) continue;
    const sources = [...given.modules].map(([file, text]) => ({
      file,
      text,
      regoVersion: given.regoVersion === 'v0' ? ('v0' as const) : ('v1' as const),
    }));
    const fixed = await fix(sources, { flags });
    fixes += fixed.reduce((sum, each) => sum + each.fixes.length, 0);
    // Some policies have errors of types, which the library refuses.
    const before = await answers(Object.fromEntries(given.modules), given).catch(() => undefined);
    if (before === undefined) continue;
    const after = await answers(Object.fromEntries(fixed.map(({ source, text }) => [source.file, text])), given);
    expect(after, `seed ${seed}`).toEqual(before);
  }
  expect(fixes).toBeGreaterThan(runs / 3);
}, 600_000);

async function answers(policies: Record<string, string>, given: NonNullable<ReturnType<typeof randomCase>>): Promise<unknown> {
  const regoVersion = given.regoVersion === 'v0' ? 'v0' : 'v1';
  await using engine = await Engine.open({ policies, data: given.data }, { regoVersion });
  return given.paths.flatMap((path) =>
    given.inputs.map((input) => {
      try {
        const { result } = engine.decide(path.join('/'), input === undefined ? undefined : toPlain(input), { instructions: 200_000 });
        return [path.join('/'), result];
      } catch (error) {
        return [path.join('/'), (error as { code?: string }).code];
      }
    }),
  );
}
