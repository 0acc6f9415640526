/** Tries properties with inputs made of the policies' reads, and of the schema of the input. */

import type { CompileOptions } from '../../../compiler/index.js';
import type { PreparedProgram } from '../../../engine/index.js';
import { type PlainObject, toJson, type Value } from '../../../values/index.js';
import type { InputFilter } from '../../../views/index.js';
import { inputSchemaAt, inputsOf, NoInputOfSchema, PolicyInputs, shrunk } from '../../../views/index.js';
import { openCommandEngine } from '../../eval/command-engine.js';
import { CommandError } from '../../exit.js';
import type { Io } from '../../io.js';
import type { ParsedFile } from '../../load-policies.js';
import type { TestResult } from '../result.js';
import { findProperties, type TestedProperty } from './properties.js';
import { testText } from './written-tests.js';

export interface PropertyOptions {
  readonly compile: CompileOptions;
  readonly matches: (fullName: string) => boolean;
  /** Inputs for each property. */
  readonly count: number;
  /** The seed of the inputs that are tried. */
  readonly seed: number;
  /** Milliseconds of one evaluation. */
  readonly timeMs: number;
}

export interface PropertyResult extends TestResult {
  /** The text of a test that fails as the property did. */
  readonly written?: string;
}

/** The results of the properties in the order of the text. Rejects with CompileErrors. */
export async function* tryProperties(
  parsed: readonly ParsedFile[],
  data: PlainObject,
  options: PropertyOptions,
  io: Pick<Io, 'env' | 'progress'>,
): AsyncGenerator<PropertyResult> {
  const properties = findProperties(parsed, options.matches);
  if (properties.length === 0) return;
  const { schemas } = options.compile;
  const engine = await openCommandEngine(parsed, data, { ...options.compile, print: false }, io);
  const program = await engine.plan(properties.map(({ path }) => ({ name: path.join('/'), path })));
  const compiled = await engine.compiled();
  io.progress?.stage('trying properties', properties.length);
  for (const property of properties) {
    const policy = new PolicyInputs(compiled, data, property.path);
    const filter = await inputSchemaAt(compiled, property.path, schemas, engine);
    yield await tryProperty(property, policy, program, { ...options, filter }).catch((error: unknown) => {
      if (!(error instanceof NoInputOfSchema)) throw error;
      throw new CommandError(`error: ${property.package}.${property.name}: ${error.message}`);
    });
    io.progress?.advance();
  }
}

function resultOf(results: readonly Value[]): Value | undefined {
  return (results[0] as PlainObject | undefined)?.result;
}

/** The answer of a property, if it is not true. */
type Failure = { readonly value: Value | undefined; readonly error?: Error };

async function tryProperty(
  property: TestedProperty,
  policy: PolicyInputs,
  program: PreparedProgram,
  { count, seed, timeMs, filter }: PropertyOptions & { readonly filter: InputFilter | undefined },
): Promise<PropertyResult> {
  const started = process.hrtime.bigint();
  const plan = property.path.join('/');
  const failure = async (input: Value | undefined): Promise<Failure | undefined> => {
    try {
      const value = resultOf(await program.run(plan, input, { timeMs }));
      return value === true ? undefined : { value };
    } catch (error) {
      return { value: undefined, error: error as Error };
    }
  };
  const { package: pkg, name, location } = property;
  const result = (fail: boolean, output: string) => ({
    location,
    package: pkg,
    name,
    duration: Number(process.hrtime.bigint() - started),
    fail,
    skip: false,
    output,
    subResults: new Map(),
  });
  let tried = 0;
  const making = { inputs: [], changed: [], seed, filter };
  for await (const input of inputsOf([policy], making)) {
    if (tried === count) break;
    tried++;
    const first = await failure(input);
    if (first === undefined) continue;
    const isError = first.error !== undefined;
    const small = await shrunk(input, async (smaller) => {
      if (filter?.accepts(smaller) === false) return false;
      const found = await failure(smaller);
      return found !== undefined && (found.error !== undefined) === isError;
    });
    const last = (await failure(small)) ?? first;
    const written = testText(property, small);
    return { ...result(true, failureText(small, last, tried, written)), written };
  }
  // Nothing is known of a property that was never asked for.
  if (tried === 0) throw new CommandError(`error: ${pkg}.${name}: no input of the schema was found`);
  return result(false, `${tried} inputs\n`);
}

function failureText(input: Value | undefined, { value, error }: Failure, tried: number, written: string): string {
  const answer = error?.message ?? (value === undefined ? 'undefined' : toJson(value));
  const given = input === undefined ? 'no input' : `input ${toJson(input)}`;
  return `${answer} with ${given} (input ${tried})\n${written}`;
}
