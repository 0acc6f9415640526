/** `POST /access/v1/search/…`: the subjects, resources or actions that a decision permits. */
import { CompileErrors, parseTerm } from '../../../../compiler/index.js';
import { type DecideOptions, decideEach } from '../../../../engine/index.js';
import { EvaluationError } from '../../../../runtime/index.js';
import { compareStrings, toJson } from '../../../../values/index.js';
import type { AppContext } from '../../../control/app-context.js';
import { entityJson } from '../../../gateway/authzen/access-json.js';
import { mappedPath, pathsOfActions } from '../../../gateway/authzen/access-mapping.js';
import type { AccessRequest } from '../../../gateway/authzen/access-request.js';
import type { EntityKind } from '../../../gateway/authzen/authzen-config.js';
import { CandidatesError, candidatesOf } from '../../../gateway/authzen/candidates.js';
import { idsOfResidual } from '../../../gateway/authzen/residual-candidates.js';
import type { SearchCandidate, SearchRequest } from '../../../gateway/authzen/search-request.js';
import { entityOfResult, pageToken, requestAbout, searchRequestOf } from '../../../gateway/authzen/search-request.js';
import { decideOptions, type Notes, notesOfRequest } from '../../decisions.js';
import { RequestAsking } from '../../request-asking.js';
import { accessBody, checkedRequest } from '../../requests/access-body.js';
import type { Exchange } from '../../requests/exchange.js';
import { refText } from '../../requests/path.js';
import { type HttpAnswer, textAnswer } from '../../responses/answer.js';
import { ApiError } from '../../responses/api-error.js';
import { isOver } from '../batch.js';
import { accessDocument, accessValue, authzenOf } from './access-decision.js';

/** Candidates that are decided about before the results are counted again. */
const chunk = 64;

/** The share of the request's time after which a page ends: the rest is for its last decisions. */
const timeShare = 0.5;

/** Milliseconds for a page where requests have no time limit. */
const unlimitedMs = 5000;

export async function postSearch(kind: EntityKind, exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const body = await accessBody(exchange, context.settings);
  const search = checkedRequest(() => searchRequestOf(kind, body));
  const asking = new RequestAsking(exchange, context, {
    path: pathShown(search, context),
    input: search.known,
    ...notesOfRequest(exchange, context),
    custom: { type: `authzen/search/${kind}` },
  });
  try {
    return await withCandidates(search, asking, exchange, context, async (candidates) => {
      const page = await permitted(search, candidates, { answers: asking.question.answers }, exchange, context);
      return answerOf(search, page, asking, exchange, context);
    });
  } catch (error) {
    return asking.fail(error);
  }
}

/** For the log: a search for actions may ask several decisions. */
function pathShown({ known }: SearchRequest, context: AppContext): string {
  return mappedPath(authzenOf(context), { action: {}, ...known }).join('/');
}

type UseCandidates = (candidates: readonly SearchCandidate[]) => Promise<HttpAnswer>;

/** Calls back with the candidates, whose documents do not change meanwhile. */
async function withCandidates(
  search: SearchRequest,
  asking: RequestAsking,
  exchange: Exchange,
  context: AppContext,
  use: UseCandidates,
): Promise<HttpAnswer> {
  const path = authzenOf(context).search[search.kind];
  if (path === undefined) return await use(await residualCandidates(search, asking, exchange, context));
  const document = accessDocument(context, path);
  const options = decideOptions(exchange, context, {}, false);
  return await document.decision.decide(
    search.known,
    async ({ value, hold, revision }) => {
      exchange.saw(revision);
      if (value === undefined && context.engine.isBase(path))
        throw new ApiError(500, 'undefined_document', `there is no document ${refText(path)}`);
      const held = hold();
      try {
        return await use(value === undefined ? [] : listOf(() => candidatesOf(value, search), path));
      } finally {
        held.release();
      }
    },
    exchange,
    options,
  );
}

function listOf(read: () => readonly SearchCandidate[], path: readonly string[]): readonly SearchCandidate[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof CandidatesError)
      throw new ApiError(500, 'internal_error', `${refText(path)} ${error.message}`);
    throw error;
  }
}

/** The candidates that the policy names. Rejects with an ApiError where it does not name all. */
async function residualCandidates(
  search: SearchRequest,
  asking: RequestAsking,
  exchange: Exchange,
  context: AppContext,
): Promise<readonly SearchCandidate[]> {
  const { engine } = context;
  const { kind, known } = search;
  const { paths, actions } =
    kind === 'action'
      ? pathsOfActions(authzenOf(context), known)
      : { paths: [mappedPath(authzenOf(context), known as AccessRequest)], actions: [] };
  const keys = new Set(actions);
  for (const path of paths) {
    if (engine.isBase(path)) throw new ApiError(500, 'undefined_document', `there is no decision at ${refText(path)}`);
    const isPlan = engine.version.plans.namesFor(path).length > 0;
    for (const member of ['', '.decision']) {
      const ids = isPlan
        ? undefined
        : await residualIds(
            `${refText(path)}${member} == true`,
            search,
            asking,
            decideOptions(exchange, context, {}, false),
          );
      if (ids === undefined) throw unlisted(kind, path);
      for (const id of ids) keys.add(id);
    }
  }
  return [...keys].sort(compareStrings).map((key) => ({ key, properties: undefined }));
}

/** A decision of another type is never `true`, nor an object with such a member. */
async function residualIds(
  query: string,
  { kind }: SearchRequest,
  asking: RequestAsking,
  options: DecideOptions,
): Promise<ReadonlySet<string> | undefined> {
  const unknown = [kind, kind === 'action' ? 'name' : 'id'];
  const asked = { query, unknowns: [parseTerm(`input.${unknown.join('.')}`)], nondeterministicBuiltins: true };
  try {
    return await asking.residual(asked, options, (result) => idsOfResidual(result, unknown));
  } catch (error) {
    if (error instanceof CompileErrors && error.diagnostics.every(({ code }) => code === 'rego_type_error'))
      return new Set();
    throw error;
  }
}

function unlisted(kind: EntityKind, path: readonly string[]): ApiError {
  const message = `${refText(path)} does not name every ${kind} that it permits: list them in a document, and name it in plugins.authzen.search.${kind}`;
  return new ApiError(501, 'internal_error', message);
}

interface Found {
  readonly results: readonly SearchCandidate[];
  /** The key after which the next page begins; undefined on the last page. */
  readonly next: string | undefined;
}

/** The candidates of a page, and whether there are more. */
async function permitted(
  search: SearchRequest,
  all: readonly SearchCandidate[],
  notes: Partial<Notes>,
  exchange: Exchange,
  context: AppContext,
): Promise<Found> {
  const { after, limit = Number.POSITIVE_INFINITY } = search.page ?? {};
  const { settings } = context;
  const most = Math.min(limit, authzenOf(context).pageSize);
  const candidates = after === undefined ? all : all.filter(({ key }) => compareStrings(key, after) > 0);
  const until =
    exchange.started + (settings.evaluationTimeMs === 0 ? unlimitedMs : settings.evaluationTimeMs * timeShare);
  const results: SearchCandidate[] = [];
  const options = decideOptions(exchange, context, notes, false);
  for (let from = 0; from < candidates.length; from += chunk) {
    const some = candidates.slice(from, from + chunk);
    const decided = some.map((candidate) => ({ candidate, isPermitted: undefined as boolean | undefined }));
    await decideEach(decided, async (one, i) => {
      const isLate = performance.now() > until && from + i > 0;
      if (!isLate) one.isPermitted = await isPermitted(requestAbout(search, one.candidate), exchange, context, options);
    });
    for (const [i, { candidate, isPermitted }] of decided.entries()) {
      if (isPermitted === undefined) return { results, next: candidates[from + i - 1]?.key ?? '' };
      if (!isPermitted) continue;
      if (results.length === most) return { results, next: results.at(-1)?.key ?? after ?? '' };
      results.push(candidate);
    }
  }
  return { results, next: undefined };
}

async function isPermitted(
  request: AccessRequest,
  exchange: Exchange,
  context: AppContext,
  options: DecideOptions,
): Promise<boolean> {
  if (isOver(exchange)) throw new EvaluationError('eval_cancel_error', 'query execution timed out');
  const document = accessDocument(context, mappedPath(authzenOf(context), request));
  const timeMs = exchange.deadline.leftMs;
  return await document.decision.decide(
    request,
    ({ value, revision }) => {
      exchange.saw(revision);
      const answer = accessValue(context, document, value);
      if (answer instanceof ApiError) throw answer;
      return answer.decision;
    },
    exchange,
    { ...options, timeMs },
  );
}

/** Logs the search as one decision. */
function answerOf(
  search: SearchRequest,
  { results, next }: Found,
  asking: RequestAsking,
  exchange: Exchange,
  context: AppContext,
): HttpAnswer {
  const { active, revision } = context.engine.version;
  const entities = results.map((candidate) => entityOfResult(search, candidate));
  asking.answered({ value: entities, bundles: active, revision });
  const isPaged = search.page !== undefined || next !== undefined;
  const page = { next_token: next === undefined ? '' : pageToken(search, next), count: entities.length };
  const texts = entities.map((entity) => {
    const text = entityJson(search.kind, entity);
    exchange.take(text.length);
    return text;
  });
  return textAnswer(200, `{${isPaged ? `"page":${toJson(page)},` : ''}"results":[${texts.join(',')}]}\n`);
}
