/** Explains a path or a query over checked modules. */

import type { Body, Compiled, CompiledQuery, RefTerm, Term, VirtualDocument } from '../../../compiler/index.js';
import { isGround, isRoot, nowhere, refTerm, type Span, varTerm } from '../../../compiler/index.js';
import type { Evaluation } from '../../../runtime/index.js';
import { keyText, lookupPath, type Steps, type Value } from '../../../values/index.js';
import { Frame } from '../bindings.js';
import { childDocument } from '../child-document.js';
import { QueryEnvironment } from '../environment.js';
import type { KnownDocuments } from '../long-documents.js';
import { Machine } from '../machine.js';
import { QuerySearch } from '../query-search.js';
import type { SearchProgram } from '../search.js';
import { programFor } from '../search-program.js';
import { termValue } from '../term-value.js';
import { termOfValue } from '../trace/value-term.js';
import { explainPath } from './explain-path.js';
import type { ArgumentPaths, BodyState, Explaining, ExplainLimits, GivenAnswer } from './explaining.js';
import type { DocumentWhy, Explanation } from './explanation.js';
import { failureAt, heldExpressions } from './failures.js';
import { InputOrigins } from './input-origins.js';
import { inputPathText } from './input-path.js';
import { runCatching } from './probe.js';
import { explainedQuery } from './queries.js';
import { Secrets, shownValue } from './shown-values.js';
import { explainDocument, explainedError } from './why-documents.js';

/**
 * A document by its path below `data`, by the segments of a path as clients write it, or the
 * solutions of a query.
 */
export type ExplainedQuestion =
  | { readonly path: readonly Value[] }
  | { readonly segments: readonly string[] }
  | { readonly query: CompiledQuery; readonly text: string; readonly written: readonly Span[] };

export interface ExplainSettings {
  readonly limits: ExplainLimits;
  /** Masked paths of the decision log's events: `['input', 'password']`. */
  readonly masked: readonly (readonly string[])[];
  /** Asked for the documents that the explained rules read. */
  readonly known?: KnownDocuments | undefined;
}

export interface ExplainedDocuments {
  readonly input: Value | undefined;
  readonly data: Value | undefined;
}

/** An explanation, and the answer that the evaluator came to while it was made. */
interface Explained {
  readonly explanation: Explanation;
  /** Undefined where it is not known. */
  readonly evaluated: GivenAnswer | undefined;
}

/** Makes an explanation of an answer. Throws as `Executable.run` does. */
type ExplanationMaker = (documents: ExplainedDocuments, evaluation: Evaluation) => Steps<Explained>;

/**
 * @example
 * const explain = await prepareExplanation(compiled, { path }, { value: false }, settings);
 * const why = await inSlices(explain({ input, data }, new Evaluation(context, {}, record)));
 */
export async function prepareExplanation(
  compiled: Compiled,
  question: ExplainedQuestion,
  answer: GivenAnswer,
  settings: ExplainSettings,
): Promise<ExplanationMaker> {
  const program = await programFor(compiled, 'query' in question ? [question.query.body] : []);
  return (documents, evaluation) => explain({ program, asked: question, answer, settings }, documents, evaluation);
}

interface Prepared {
  readonly program: SearchProgram;
  readonly asked: ExplainedQuestion;
  readonly answer: GivenAnswer;
  readonly settings: ExplainSettings;
}

function* explain(
  { program, asked, answer, settings: { limits, masked, known } }: Prepared,
  { input, data }: ExplainedDocuments,
  evaluation: Evaluation,
): Steps<Explained> {
  const secrets = new Secrets(below(masked, 'input'), input);
  for (const path of below(masked, 'result')) secrets.add(lookupPath(answer.value, path));
  const explaining = new Explainer(program, limits, { secrets, input }, evaluation, known);
  const environment = new QueryEnvironment({ input, data });
  const question = asPath(asked, program.root);
  const { name, documents, omitted, summary } =
    'path' in question
      ? yield* explainPath(explaining, question.path, environment, answer)
      : yield* explainedQuery(explaining, question, environment, answer);
  const explanation: Explanation = {
    question: name,
    outcome: answer.error !== undefined ? 'error' : answer.value === undefined ? 'undefined' : 'value',
    summary,
    ...(answer.error !== undefined && { error: explainedError(explaining, answer.error) }),
    documents,
    ...(omitted > 0 && { omitted }),
  };
  // A query that is a comparison with a path has another value than the path.
  const isPath = 'path' in question && (!('query' in asked) || asked.query.body[0]?.kind === 'term');
  return { explanation, evaluated: isPath ? yield* answerAt(explaining, question.path, environment) : undefined };
}

/** The evaluator's answer for a path, to compare with the program's, which is not asked here. */
function* answerAt(explaining: Explainer, path: readonly Value[], environment: QueryEnvironment): Steps<GivenAnswer> {
  const known = new Map<Value, Term>();
  const terms = path.map((key) => termOfValue(key, nowhere, known));
  const search = explaining.searchAlone(environment);
  let value: Value | undefined;
  const error = yield* runCatching(search, () =>
    search.ref(refTerm(nowhere, [varTerm(nowhere, 'data'), ...terms]), search.frame, (found) => {
      value = found;
      return search.machine.fail();
    }),
  );
  return error === undefined ? { value } : { value: undefined, error };
}

function below(paths: readonly (readonly string[])[], root: string): readonly (readonly string[])[] {
  return paths.filter(([first]) => first === root).map(([, ...rest]) => rest);
}

/** A query that is one ref of constants into data asks for a path. */
function asPath(question: ExplainedQuestion, root: VirtualDocument): Exclude<ExplainedQuestion, { segments: unknown }> {
  if ('path' in question) return question;
  if ('segments' in question) return { path: typedPath(question.segments, root) };
  const ref = onlyRef(question.query.body);
  if (ref === undefined) return question;
  const frame = new Frame(undefined, undefined, nowhere);
  return { path: ref.terms.slice(1).map((term) => termValue(term, frame)) };
}

/** Below a rule a segment that is a whole number stands for that number. */
function typedPath(segments: readonly string[], root: VirtualDocument): readonly Value[] {
  let document: VirtualDocument | undefined = root;
  return segments.map((segment) => {
    const isRule = document !== undefined && document.kind !== 'package';
    if (!isRule) document = document && childDocument(document, segment);
    return isRule && /^[+-]?\d{1,15}$/.test(segment) ? Number(segment) : segment;
  });
}

/** `data.a.b`, or `x = data.a.b` for a variable of the query. */
function onlyRef(body: Body): RefTerm | undefined {
  const [expr] = body;
  if (body.length !== 1 || expr === undefined || expr.negated || expr.with.length > 0) return undefined;
  const term =
    expr.kind === 'term' ? expr.term : expr.kind === 'call' && expr.args[0]?.type === 'var' ? expr.args[1] : undefined;
  if (expr.kind === 'call' && (expr.operator.terms.length !== 1 || expr.args.length !== 2)) return undefined;
  if (term?.type !== 'ref' || !isGround(term)) return undefined;
  const [head] = term.terms;
  return isRoot(head, 'data') ? term : undefined;
}

const shortSize = 60;

/** Below each expression there may be several documents: their number grows fast with depth. */
const mostDocuments = 500;

class Explainer implements Explaining {
  readonly program: SearchProgram;
  readonly limits: ExplainLimits;
  readonly #secrets: Secrets;
  readonly #input: Value | undefined;
  readonly #origins: InputOrigins;
  readonly #evaluation: Evaluation;
  /** Documents that were explained, and how many more may be. */
  readonly #explained = new WeakMap<QueryEnvironment, Map<string, DocumentWhy>>();
  #left = mostDocuments;
  readonly #known: KnownDocuments | undefined;
  #builtinError: string | undefined;

  constructor(
    program: SearchProgram,
    limits: ExplainLimits,
    { secrets, input }: { readonly secrets: Secrets; readonly input: Value | undefined },
    evaluation: Evaluation,
    known: KnownDocuments | undefined,
  ) {
    this.program = program;
    this.#known = known;
    this.limits = limits;
    this.#secrets = secrets;
    this.#input = input;
    this.#origins = new InputOrigins(this, input);
    this.#evaluation = evaluation.repeated(({ message }) => {
      this.#builtinError = message;
    });
  }

  takeBuiltinError(): string | undefined {
    const error = this.#builtinError;
    this.#builtinError = undefined;
    return error;
  }

  search(environment: QueryEnvironment): QuerySearch {
    return this.searchAlone(environment, this.#known);
  }

  searchAlone(environment: QueryEnvironment, known?: KnownDocuments): QuerySearch {
    return new QuerySearch(this.program, this.#evaluation, new Machine(environment, this.#evaluation.meter), known);
  }

  shown: Explaining['shown'] = (value, path) => shownValue(value, this.limits.valueSize, this.#secrets, path);

  short: Explaining['short'] = (value, path) =>
    shownValue(value, Math.min(shortSize, this.limits.valueSize), this.#secrets, path).text;

  told(message: string): string {
    return this.#secrets.message(message);
  }

  *pathOf(...[term, state]: Parameters<Explaining['pathOf']>): Steps<string | undefined> {
    // Where `with` replaces the input, its parts are of another document.
    if (this.#input === undefined || state.sample.environment.input !== this.#input) return undefined;
    const paths = yield* this.#origins.pathsOf(term, state);
    const [text, ...others] = new Set(paths.map(inputPathText));
    return text === undefined || others.length > 0 || this.#secrets.message(text) !== text ? undefined : text;
  }

  *argumentPaths(args: readonly Term[], caller: BodyState): Steps<ArgumentPaths> {
    if (caller.sample.environment.input !== this.#input) return [];
    return yield* this.#origins.argumentPaths(args, caller);
  }

  *document(...request: Parameters<Explaining['document']>): Steps<DocumentWhy | undefined> {
    const [asked, environment, depth] = request;
    const paths = asked.paths?.map((some) => some.map(inputPathText).join()) ?? [];
    const key = `${asked.document.path.join('/')} ${keyText(asked.keys)} ${depth} ${paths.join(';')}`;
    let explained = this.#explained.get(environment);
    if (explained === undefined) this.#explained.set(environment, (explained = new Map()));
    const known = explained.get(key);
    if (known !== undefined || depth < 0 || this.#left-- <= 0) return known;
    const why = yield* explainDocument(this, ...request);
    explained.set(key, why);
    return why;
  }

  failure: Explaining['failure'] = (probe, written, depth) => failureAt(this, probe, written, depth);

  held: Explaining['held'] = (probe, written, depth) => heldExpressions(this, probe, written, depth);
}
