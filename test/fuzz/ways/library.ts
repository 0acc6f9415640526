/** Engines of the library. */
import { Engine, type EngineOptions } from '../../../library/index.js';
import { toJson } from '../../../values/json/json.js';
import { type Answer, errorAnswer } from '../answers.js';
import { planName, refText, type Subject } from '../policy-case.js';
import { instructions, noPlainInput, plainInputs, type Way } from './way.js';

const options = { instructions: 10 * instructions, timeNs: 0n, random: () => 0.5 };

async function openEngine({ modules, regoVersion, data }: Subject, settings: EngineOptions): Promise<Engine> {
  return await Engine.open([{ policies: Object.fromEntries(modules), data }], { ...settings, regoVersion });
}

/** From objects to objects, in generated code. */
export const objects: Way = {
  name: 'objects',
  isProgram: true,
  share: 50,
  prepare: async (subject) => {
    if (!subject.isOrdinary) return undefined;
    const engine = await openEngine(subject, { codegen: 'always' });
    const inputs = plainInputs(subject);
    return (path, input) =>
      inputs[input] === noPlainInput ? noPlainInput : decideObject(engine, planName(subject.paths[path]!), inputs[input]);
  },
};

/** From JSON text to JSON text. */
export const texts: Way = {
  name: 'texts',
  isProgram: true,
  share: 50,
  prepare: async (subject, random) => {
    if (!subject.isOrdinary) return undefined;
    const engine = await openEngine(subject, { codegen: random(2) === 0 ? 'never' : 'always' });
    const inputs = subject.inputs.map((input) => (input === undefined ? undefined : toJson(input)));
    return (path, input) => decideText(engine, planName(subject.paths[path]!), inputs[input]);
  },
};

function decideObject(engine: Engine, path: string, input: unknown): Answer {
  try {
    const { result } = engine.decide(path, input, options);
    return { json: result === undefined ? undefined : JSON.stringify(result), isDouble: true };
  } catch (error) {
    return errorAnswer(error);
  }
}

export function decideText(engine: Engine, path: string, input: string | undefined): Answer {
  try {
    const text = engine.decideText(path, input, options);
    return { json: text === '{}' ? undefined : text.slice('{"result":'.length, -1) };
  } catch (error) {
    return errorAnswer(error);
  }
}

/** The library's explanations: their documents have the value of the decision. */
export const explain: Way = {
  name: 'explain',
  isProgram: false,
  share: 40,
  prepare: async (subject) => {
    if (!subject.isOrdinary) return undefined;
    const engine = await openEngine(subject, {});
    const inputs = plainInputs(subject);
    return async (path, input) => {
      if (inputs[input] === noPlainInput) return noPlainInput;
      const { result, error, explanation } = await engine.explain(planName(subject.paths[path]!), inputs[input], {
        ...options,
        depth: 2,
        valueSize: 1_000_000,
      });
      const decided: Answer =
        error !== undefined ? errorAnswer(error) : { json: result === undefined ? undefined : JSON.stringify(result), isDouble: true };
      const { outcome, documents } = explanation;
      const [document] = documents;
      if (error !== undefined) return outcome === 'error' ? decided : { problem: `explained as ${outcome}` };
      const wanted = result === undefined ? 'undefined' : 'value';
      if (outcome !== wanted) return { problem: `explained as ${outcome}` };
      // Of a package, or a ref with variables, the documents below are explained.
      if (documents.length !== 1 || document!.name !== refText(subject.paths[path]!) || document!.kind === 'base') return decided;
      const shown = document!.value?.value;
      if (shown !== undefined) return { json: JSON.stringify(shown), isDouble: true };
      return document!.outcome === wanted ? decided : { problem: `explained as ${document!.outcome}` };
    };
  },
};
