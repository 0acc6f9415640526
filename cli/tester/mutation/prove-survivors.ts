/** Survivors that a solver proves to change nothing: no test could notice them. */

import { type Compiled, type CompiledRule, CompileErrors, documentText, parseModule } from '../../../compiler/index.js';
import type { Engine } from '../../../engine/index.js';
import { type PlainObject, toJson } from '../../../values/index.js';
import type { Mutant, MutantResult, MutationResult, ProofReport } from '../../../views/index.js';
import { compareVersions, mutatedText, scalarPath } from '../../../views/index.js';
import type { Solver } from '../../change/solver.js';
import { openCommandEngine } from '../../eval/command-engine.js';
import type { Io } from '../../io.js';
import type { ParsedFile } from '../../load-policies.js';
import { isTestedFile } from './mutation-run.js';
import type { MutationSettings } from './tested-policies.js';

/** Milliseconds of the solver for each document. */
const proofMs = 3000;

/** Policies with their documents, and who proves. */
interface ProvenPolicies {
  readonly parsed: readonly ParsedFile[];
  readonly data: PlainObject;
  readonly solver: Solver;
}

/**
 * Asks the solver about each survivor: it does not count where the documents that it could change
 * are proved to be the same, and has an input for a test where they are not.
 */
export async function proveSurvivors(
  result: MutationResult,
  { parsed, data, solver }: ProvenPolicies,
  { capabilities, schemas }: MutationSettings,
  io: Io,
): Promise<MutationResult> {
  const survivors = result.mutants.filter(({ status }) => status === 'Survived');
  if (survivors.length === 0) return result;
  io.progress?.stage('proving survivors', survivors.length);
  const tested = parsed.filter(isTestedFile);
  const compile = { ...(capabilities && { capabilities }), ...(schemas && { schemas }), print: false };
  const open = () => openCommandEngine(tested, data, compile, io);
  const proving = new ProvingSurvivors(await open(), await open(), tested, solver);
  const found = new Map<MutantResult, MutantResult>();
  for (const survivor of survivors) {
    found.set(survivor, await proving.judged(survivor));
    io.progress?.advance();
  }
  return { ...result, mutants: result.mutants.map((each) => found.get(each) ?? each) };
}

class ProvingSurvivors {
  readonly #engine: Engine;
  /** Has the module of the mutant in the place of the policy's. */
  readonly #mutated: Engine;
  readonly #files: ReadonlyMap<string, ParsedFile>;
  readonly #solver: Solver;
  #readers: ReadonlyMap<CompiledRule, readonly CompiledRule[]> | undefined;
  /** The file whose mutant the second engine has. */
  #changed: ParsedFile | undefined;

  constructor(engine: Engine, mutated: Engine, files: readonly ParsedFile[], solver: Solver) {
    this.#engine = engine;
    this.#mutated = mutated;
    this.#files = new Map(files.map((file) => [file.module.source.file, file]));
    this.#solver = solver;
  }

  async judged(survivor: MutantResult): Promise<MutantResult> {
    const file = this.#files.get(survivor.mutant.span.file);
    const paths = documentsOf(survivor.mutant, await this.#engine.compiled(), (compiled) => this.#readersOf(compiled));
    if (file === undefined || paths.length === 0 || !(await this.#change(file, mutatedText(survivor.mutant))))
      return survivor;
    const pair = { old: { name: 'policy', engine: this.#engine }, new: { name: 'mutant', engine: this.#mutated } };
    const prove = { solve: this.#solver.solve, ms: proofMs, never: [] };
    const assumptions = new Set<string>();
    for (const path of paths) {
      const { proofs } = await compareVersions(pair, { prove: { ...prove, paths: [path] } });
      const [proof] = proofs as readonly [ProofReport];
      if (proof.answer === 'differs') return { ...survivor, reason: exampleText(proof) };
      if (proof.answer === 'unknown') return survivor;
      for (const assumption of proof.assumptions) assumptions.add(assumption);
    }
    const under = assumptions.size === 0 ? '' : `, with ${[...assumptions].join(', ')}`;
    return { ...survivor, status: 'Ignored', reason: `proved to change nothing${under}`, nearest: undefined };
  }

  #readersOf(compiled: Compiled): ReadonlyMap<CompiledRule, readonly CompiledRule[]> {
    if (this.#readers === undefined) {
      const readers = new Map<CompiledRule, CompiledRule[]>();
      for (const rule of rulesOf(compiled))
        for (const read of compiled.graph.dependencies(rule)) {
          const known = readers.get(read);
          if (known === undefined) readers.set(read, [rule]);
          else known.push(rule);
        }
      this.#readers = readers;
    }
    return this.#readers;
  }

  /** Gives the second engine a text in the place of a file's. False where it does not compile. */
  async #change(file: ParsedFile, text: string): Promise<boolean> {
    const before = this.#changed === undefined || this.#changed === file ? [] : [recordOf(this.#changed)];
    const regoVersion = file.module.regoVersion === 'v1' ? 'v1' : 'v0';
    const module = parseModule(file.module.source.file, text, { regoVersion });
    const record = { id: file.name, raw: text, module, bundle: undefined };
    try {
      await this.#mutated.commit({ parsed: new Map([...before, record].map((one) => [one.id, one])) });
    } catch (error) {
      if (error instanceof CompileErrors) return false;
      throw error;
    }
    this.#changed = file;
    return true;
  }
}

function recordOf({ name, file, module }: ParsedFile) {
  return { id: name, raw: file.text, module, bundle: undefined };
}

function rulesOf({ modules }: Compiled): readonly CompiledRule[] {
  return [...modules.values()].flatMap(({ rules }) => rules);
}

/** The paths of the documents that a change of a rule is in: of a function, those that call it. */
function documentsOf(
  { rule }: Mutant,
  compiled: Compiled,
  readersOf: (compiled: Compiled) => ReadonlyMap<CompiledRule, readonly CompiledRule[]>,
): readonly string[] {
  const path = scalarPath(rule.head);
  const own = rulesOf(compiled).filter(
    (each) => each.module.parsed.source.file === rule.loc.file && scalarPath(each.rule.head) === path,
  );
  const seen = new Set(own);
  const paths = new Set<string>();
  for (const each of seen) {
    if (each.rule.head.args === undefined) paths.add(pathOf(each));
    else for (const reader of readersOf(compiled).get(each) ?? []) seen.add(reader);
  }
  return [...paths];
}

function pathOf({ module, rule: { head } }: CompiledRule): string {
  const [first] = head.ref;
  const keys = module.parsed.package.path.slice(1).map((term) => (term.type === 'string' ? term.value : ''));
  return [...keys, first.type === 'var' ? first.name : ''].join('/');
}

/** `data.authz.allow is false instead of true for {"user":"eve"}`, and the time if it counts. */
function exampleText({ path, example }: ProofReport): string {
  const shown = ({ value, error }: { readonly value?: unknown; readonly error?: string }) =>
    error !== undefined ? `an error (${error})` : value === undefined ? 'undefined' : toJson(value as never);
  const input = example?.input === undefined ? 'no input' : toJson(example.input);
  const time = example?.timestamp === undefined ? '' : ` at ${example.timestamp}`;
  const document = documentText(path.split('/'));
  return `${document} is ${shown(example!.new)} instead of ${shown(example!.old)} for ${input}${time}`;
}
