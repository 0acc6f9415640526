/** Sessions over the policies and the data of an engine, as they are now. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { documentText, parseQuery } from '../../compiler/index.js';
import type { Engine } from '../../engine/index.js';
import { loadPlan } from '../../ir-schema/index.js';
import { builtins, type Value } from '../../values/index.js';
import type { DebugProgram, SourceText } from './debug-program.js';
import { openSession } from './open-session.js';
import { type DebugSurroundings, planDebugProgram, queryProgram } from './programs.js';
import { DebugError, type DebugSession, type SessionOptions } from './session.js';

/** The document that is asked for. */
export interface PathQuestion {
  readonly path: readonly string[];
  readonly input: Value | undefined;
}

/**
 * Opens a session on a decision of an engine. Its documents are held until the session is disposed
 * of: commits do not change them. Rejects with CompileErrors, and with a DebugError where a plan
 * without sources does not answer the path itself.
 */
export async function openServerSession(
  engine: Engine,
  question: PathQuestion,
  options: SessionOptions,
): Promise<DebugSession> {
  const held = engine.store.hold();
  try {
    const session = openSession(await programOf(engine, question, held.root), options);
    const { dispose } = session;
    session.dispose = () => {
      held.release();
      dispose.call(session);
    };
    return session;
  } catch (error) {
    held.release();
    throw error;
  }
}

async function programOf(engine: Engine, { path, input }: PathQuestion, data: Value): Promise<DebugProgram> {
  const sources = engine.policies().map(({ module: { source } }): SourceText => {
    return { name: source.file, path: fileOf(source.file, source.text), kind: 'policy', text: source.text };
  });
  const surroundings: DebugSurroundings = { context: engine.context, input, data, builtins, sources };
  const { plans, bundles } = engine.version;
  const [entrypoint] = plans.namesFor(path);
  if (entrypoint === undefined) {
    const text = documentText(path);
    return await queryProgram(
      await engine.compiled(),
      { body: parseQuery(text, {}, '<query>'), text, name: text },
      surroundings,
    );
  }
  const policies = [...bundles.values()]
    .filter(({ modules }) => modules.length === 0)
    .flatMap((bundle) => bundle.plans.map(({ policy }) => loadPlan(policy)));
  const policy = policies.find((one) => one.plans?.plans?.some(({ name }) => name === entrypoint));
  if (policy === undefined) throw new DebugError('invalid_launch', `the plan of ${entrypoint} is not kept`);
  return await planDebugProgram(policy, entrypoint, { ...surroundings, info: undefined, compiled: undefined });
}

/** The file on disk that a policy came from; undefined if there is none, or it has changed. */
function fileOf(name: string, text: string): string | undefined {
  const path = resolve(name);
  try {
    return readFileSync(path, 'utf8') === text ? path : undefined;
  } catch {
    return undefined;
  }
}
