/** Declarations of the policies of all language cases, judged by TypeScript. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CompileErrors } from '../../compiler/diagnostics/diagnostics.js';
import { packageSegments } from '../../compiler/entrypoints.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { Engine } from '../../library/index.js';
import { packageDocuments, rulesOfPackage } from '../../library/modules/package-rules.js';
import { engineDeclarations } from '../../library/modules/types/engine-declarations.js';
import { packageDeclarations } from '../../library/modules/types/package-declarations.js';
import { toPlain } from '../../values/json/plain-form.js';
import { isObject, type PlainObject } from '../../values/value.js';
import { withFiles } from '../harness/command.js';
import { type Case, conformanceFolder, readCases } from './cases.js';
import { caseBuiltins } from './evaluate.js';

const folder = conformanceFolder();
if (folder === undefined) console.log('types of recorded policies are skipped: there is no conformance folder beside the project');

type Version = 'v0' | 'v1';

function compiledCase(one: Case, version: Version): Compiled | undefined {
  const options = { regoVersion: version, ...(one.experimental_keywords && { allFutureKeywords: true }) };
  try {
    const modules = new Map(
      (one.modules ?? []).map((text, i) => [`test-${i}.rego`, parseModule(`test-${i}.rego`, text, options)] as const),
    );
    return compileOrThrow({ modules, options: { builtins: caseBuiltins, schemaAnnotations: true } });
  } catch (error) {
    if (error instanceof CompileErrors) return undefined;
    throw error;
  }
}

/** Lines that hold the decisions of a case against the types of their paths. */
async function decisionLines(one: Case, compiled: Compiled): Promise<readonly string[]> {
  // Where there is no key the result is null, unlike the declared type.
  if (one.modules!.some((text) => text.includes('crypto.parse_private_keys'))) return [];
  const policies = Object.fromEntries((one.modules ?? []).map((text, i) => [`test-${i}.rego`, text]));
  const data = one.data !== undefined && isObject(one.data) ? (one.data as PlainObject) : {};
  const engine = await Engine.open({ policies, data }).catch(() => undefined);
  if (engine === undefined) return [];
  await using _ = engine;
  const paths = [...compiled.modules.values()].flatMap(({ parsed }) => packageDocuments(compiled, packageSegments(parsed)));
  return [...new Set(paths.map(({ name }) => name))].flatMap((path) => {
    try {
      const { result } = engine.decide(path, one.input === undefined ? undefined : toPlain(one.input), { instructions: 1_000_000 });
      return [`{ const one: Own.Decisions[${JSON.stringify(path)}]['result'] = ${JSON.stringify(result) ?? 'undefined'}; void one; }`];
    } catch {
      return [];
    }
  });
}

test.skipIf(folder === undefined)(
  'TypeScript accepts the declarations of all policies, and the decisions as their results',
  async () => {
    await withFiles({}, async (directory) => {
      let count = 0;
      let decisions = 0;
      for (const version of ['v0', 'v1'] as const) {
        for (const { case: one } of readCases(join(folder!, 'rego', version))) {
          const compiled = (one.modules ?? []).length === 0 ? undefined : compiledCase(one, version);
          if (compiled === undefined) continue;
          const own = join(directory, `case-${count++}`);
          mkdirSync(own);
          for (const [i, { parsed }] of [...compiled.modules.values()].entries()) {
            const rules = rulesOfPackage(compiled, packageSegments(parsed));
            writeFileSync(join(own, `module-${i}.d.ts`), packageDeclarations(rules, compiled, one.note.replaceAll('\n', ' ')));
          }
          const lines = version === 'v1' ? await decisionLines(one, compiled) : [];
          decisions += lines.length;
          // Each case has a map of its own, which the package's would be for all.
          const map = engineDeclarations(compiled, 'a map')
            .replace("import 'writ';\n", '')
            .replace("declare module 'writ' {\n  interface", 'export namespace Own {\n  export interface');
          writeFileSync(join(own, 'decisions.ts'), `${map}${lines.join('\n')}\n`);
        }
      }
      const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', types: [] };
      writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['case-*/*.ts'] }));
      const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', directory, '--pretty', 'false'], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      expect(stdout).toBe('');
      expect(count).toBeGreaterThan(1000);
      expect(decisions).toBeGreaterThan(1000);
      console.log(`types: ${count} sets of policies, ${decisions} decisions`);
    });
  },
  300_000,
);
