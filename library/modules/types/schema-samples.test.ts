/** Types of schemas, judged by TypeScript: which samples they admit. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { compileModules } from '../../../compiler/pipeline.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { Choices } from '../../../test/generators/choices.js';
import { randomSchema, type SchemaDraft, type SchemaKeywords, type SchemaWithSamples } from '../../../test/generators/random-schema.js';
import { callBuiltin, testContext } from '../../../test/harness/builtins.js';
import { withFiles } from '../../../test/harness/command.js';
import { randomCases } from '../../../test/harness/set-up/random-cases.js';
import type { Value } from '../../../values/value.js';
import { typesOf } from './entrypoint-types.js';
import { DocumentSchemas } from './rule-schemas.js';
import { SchemaTypes } from './schema-types.js';

const seed = Number(process.env.WRIT_FUZZ_SEED ?? 20_261_127);

interface Sample {
  readonly draft: SchemaDraft;
  readonly schema: unknown;
  readonly sample: unknown;
  readonly isValid: boolean;
  /** Whether TypeScript takes it for the type of the schema. */
  readonly isAdmitted: boolean;
}

/** The text of the type `T` of a schema; undefined where policies cannot be checked by it. */
type TypeOf = (schema: object) => string | undefined;

function inputType(schema: object): string {
  const types = new SchemaTypes([]);
  const type = types.typeOf(schema);
  return `${types.declarations.join('\n')}\nexport type T = ${type};`;
}

/** Of the result of a rule that gives its whole input. */
function resultType(schema: object): string | undefined {
  const modules = new Map([['a.rego', parseModule('a.rego', 'package a\n\nx := input\n', {})]]);
  const compiled = compileModules({ modules, options: { schemas: new Map([['schema', schema]]) } });
  if (compiled.diagnostics.length > 0) return undefined;
  const { result } = typesOf({ name: 'a/x', path: ['a', 'x'] }, compiled, new DocumentSchemas(compiled), new SchemaTypes([]));
  return `export type T = ${result};`;
}

/** Judges all samples of all schemas. */
async function judged(cases: readonly SchemaWithSamples[], typeOf: TypeOf): Promise<readonly Sample[]> {
  const options = { strict: false, logger: false, validateFormats: false } as const;
  const validators = { 7: new Ajv(options), 2020: new Ajv2020(options) };
  const lines: string[] = [];
  const samples = cases.flatMap(({ schema, draft, samples: all }, i) => {
    const type = typeOf(schema);
    if (type === undefined) return [];
    lines.push(...`export namespace N${i} {\n${type}\n}`.split('\n'));
    const validate = validators[draft].compile(schema);
    return all.map((sample, j) => {
      lines.push(`export const s${i}_${j}: N${i}.T = ${JSON.stringify(sample)};`);
      return { draft, schema, sample, isValid: validate(sample), line: lines.length };
    });
  });
  return await withFiles({}, async (directory) => {
    writeFileSync(join(directory, 'samples.ts'), lines.join('\n'));
    const compilerOptions = { strict: true, noEmit: true, target: 'ES2022', module: 'ESNext', types: [], pretty: false };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['samples.ts'] }));
    const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', directory], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const wrong = new Map(
      [...stdout.matchAll(/^.*samples\.ts\((\d+),\d+\): error (TS\d+)/gm)].map(([, line, code]) => [Number(line), code]),
    );
    const ofSamples = new Set(samples.map(({ line }) => line));
    // Errors are those of samples: the types themselves have none.
    expect([...wrong].filter(([line]) => !ofSamples.has(line)).map(([line, code]) => `${code}: ${lines[line - 1]}`)).toEqual([]);
    return samples.map(({ line, ...sample }) => ({ ...sample, isAdmitted: !wrong.has(line) }));
  });
}

function casesOf(keywords: SchemaKeywords): readonly SchemaWithSamples[] {
  const choices = new Choices(seed);
  return Array.from({ length: randomCases(1000) }, () => randomSchema(choices, keywords));
}

/** The samples of both kinds of schemas, by one run of the compiler. */
let all: Promise<Readonly<Record<SchemaKeywords, readonly Sample[]>>> | undefined;

async function samplesOf(keywords: SchemaKeywords): Promise<readonly Sample[]> {
  all ??= (async () => {
    const exact = casesOf('exact');
    const samples = await judged([...exact, ...casesOf('more')], inputType);
    const count = exact.flatMap((one) => one.samples).length;
    return { exact: samples.slice(0, count), more: samples.slice(count) };
  })();
  return (await all)[keywords];
}

describe(`of random schemas (seed ${seed})`, () => {
  /**
   * Exact are: types and lists of types, values, lists, tuples with `minItems`, objects that are
   * closed, open or maps, required members, alternatives that their type or a member tells apart,
   * `allOf` of open objects, of values and of types, references, to the schema itself too, names
   * that begin with a text, and `not` of types, values and names.
   */
  test('the type admits the valid samples and no others, where the keywords are exact', async () => {
    const samples = await samplesOf('exact');
    expect(samples.filter(({ isValid, isAdmitted }) => isValid !== isAdmitted)).toEqual([]);
    const valid = samples.filter(({ isValid }) => isValid).length;
    expect(valid).toBeGreaterThan(samples.length * 0.4);
    expect(valid).toBeLessThan(samples.length * 0.8);
  });

  test('json.match_schema takes those of draft 7 for valid that ajv does', async () => {
    const context = testContext();
    const differing: unknown[] = [];
    for (const { draft, schema, sample, isValid } of await samplesOf('exact')) {
      if (draft !== 7) continue;
      const [matches] = (await callBuiltin('json.match_schema', [JSON.stringify(sample), schema as Value], context)) as [boolean, Value];
      if (matches !== isValid) differing.push({ schema: JSON.stringify(schema), sample, isValid });
    }
    expect(differing).toEqual([]);
  });

  /**
   * Types say nothing of `minimum`, `maximum` and whole numbers, `pattern` and lengths of texts and
   * lists, `uniqueItems`, `not`, `minProperties`, `dependentRequired`, names by
   * `patternProperties`, and less of other members beside named ones, and of closed objects that
   * nothing tells apart.
   */
  test('the type admits all valid samples in any case', async () => {
    const samples = await samplesOf('more');
    expect(samples.filter(({ isValid, isAdmitted }) => isValid && !isAdmitted)).toEqual([]);
    expect(samples.filter(({ isValid, isAdmitted }) => !isValid && isAdmitted).length).toBeGreaterThan(0);
  });

  test('the result of a rule that gives its input admits all valid samples', async () => {
    const cases = [...casesOf('exact'), ...casesOf('more')].filter(({ draft }) => draft === 7);
    const samples = await judged(cases, resultType);
    expect(samples.length).toBeGreaterThan(cases.length * 3);
    expect(samples.filter(({ isValid, isAdmitted }) => isValid && !isAdmitted)).toEqual([]);
  });
});
