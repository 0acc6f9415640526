/** One engine over changes of policies and documents, compared with new engines. */
import { CompileErrors, Engine, EngineError, PolicyError } from '../../library/index.js';
import { toJson } from '../../values/json/json.js';
import type { PlainObject, Value } from '../../values/value.js';
import { Choices } from '../generators/choices.js';
import { type PolicyCase, randomCase } from '../generators/random-case.js';
import { show } from './answers.js';
import { decideText } from './ways/library.js';

type Step =
  | { readonly kind: 'policy'; readonly name: string; readonly text: string | undefined }
  | { readonly kind: 'data'; readonly path: string; readonly value: Value | undefined };

/** A case and what happens to it. */
interface Changes extends PolicyCase {
  readonly steps: readonly Step[];
}

/** Two policies share their packages and names, so modules of one may stand in the other. */
function randomChanges(seed: number): Changes | undefined {
  const choices = new Choices(seed);
  const [one, other] = [randomCase(choices.below(1 << 30)), randomCase(choices.below(1 << 30))];
  if (one === undefined || other === undefined || one.regoVersion !== other.regoVersion) return undefined;
  const documents = ['d', 'd/a', 'd/names', 'd/rows', 'e/k', 'a/z', 'd/b'];
  const at = (path: string): Value | undefined =>
    path.split('/').reduce<Value | undefined>((value, key) => (value as PlainObject | undefined)?.[key], other.data);
  const steps = choices.times(2 + choices.below(4), (): Step => {
    if (choices.chance(50)) {
      const name = choices.one([...one.modules.keys(), ...other.modules.keys()]);
      const text = choices.one([other.modules.get(name), other.modules.get(name), one.modules.get(name), undefined]);
      return { kind: 'policy', name, text };
    }
    const path = choices.one(documents);
    return { kind: 'data', path, value: choices.chance(85) ? at(path) : undefined };
  });
  const paths = new Map([...one.paths, ...other.paths].map((path) => [path.join('/'), path]));
  return { ...one, paths: [...paths.values()].slice(0, 8), steps };
}

/** What differs after a step; the evaluations that were compared. */
interface Compared {
  readonly evaluations: number;
  readonly difference?: string;
}

async function compared({ modules, regoVersion, data, inputs, paths, steps }: Changes): Promise<Compared> {
  const open = async (policies: Readonly<Record<string, string>>, documents: unknown, codegen: 'always' | 'never' | 'warm') =>
    await Engine.open([{ policies, data: structuredClone(documents) as PlainObject }], { codegen, regoVersion }).catch(refused);
  const engine = await open(Object.fromEntries(modules), data, 'always');
  if (engine === undefined) return { evaluations: 0 };
  const texts = new Map(modules);
  let evaluations = 0;
  for (const [i, step] of [undefined, ...steps].entries()) {
    if (step?.kind === 'policy') {
      const isDone = await engine.setPolicy(step.name, step.text).then(() => true, refusedStep);
      if (isDone && step.text === undefined) texts.delete(step.name);
      else if (isDone) texts.set(step.name, step.text!);
    } else if (step !== undefined) await engine.setData(step.path, structuredClone(step.value)).then(() => true, refusedStep);
    const fresh = await open(Object.fromEntries(texts), engine.data, 'never');
    if (fresh === undefined) return { evaluations, difference: `step ${i}: a new engine refuses the policies` };
    for (const path of paths.map((segments) => segments.join('/'))) {
      for (const input of inputs) {
        const text = input === undefined ? undefined : toJson(input);
        const [found, wanted] = [show(decideText(engine, path, text)), show(decideText(fresh, path, text))];
        evaluations += 2;
        if (found !== wanted) return { evaluations, difference: `step ${i}, data.${path} of ${text}: changed ${found}, new ${wanted}` };
      }
    }
  }
  return { evaluations };
}

/** Policies with errors of types. */
function refused(error: unknown): undefined {
  if (!(error instanceof CompileErrors)) throw error;
}

/** Policies that do not go together, and documents without a place. */
function refusedStep(error: unknown): false {
  if (error instanceof CompileErrors || error instanceof EngineError || error instanceof PolicyError) return false;
  throw error;
}

/** Random changes with a difference, as few as possible. */
export async function changesFailure(seed: number): Promise<{ readonly evaluations: number; readonly text?: string }> {
  let changes = randomChanges(seed);
  if (changes === undefined) return { evaluations: 0 };
  let found = await compared(changes);
  const { evaluations } = found;
  if (found.difference === undefined) return { evaluations };
  for (let i = 0; i < changes.steps.length; ) {
    const fewer: Changes = { ...changes, steps: changes.steps.toSpliced(i, 1) };
    const again = await compared(fewer);
    if (again.difference === undefined) i++;
    else [changes, found] = [fewer, again];
  }
  const policies = [...changes.modules].map(([name, text]) => `--- ${name}\n${text}`).join('\n');
  return {
    evaluations,
    text: `${policies}\n--- data\n${toJson(changes.data)}\n--- steps\n${changes.steps.map((step) => JSON.stringify(step)).join('\n')}\n${found.difference}`,
  };
}
