/** The paths that are served, with a handler for each method. */

import type { AppContext, Settings } from '../control/app-context.js';
import { accessPaths } from '../gateway/authzen/access-metadata.js';
import { entityKinds } from '../gateway/authzen/authzen-config.js';
import { openApiDocument } from './openapi/openapi.js';
import type { Exchange } from './requests/exchange.js';
import { accessForm } from './responses/access-form.js';
import { type AnswerForm, type HttpAnswer, jsonAnswer } from './responses/answer.js';
import { postEvaluation, postEvaluations } from './routes/authzen/evaluations.js';
import { getAccessMetadata } from './routes/authzen/metadata.js';
import { postSearch } from './routes/authzen/search.js';
import { postBatch } from './routes/batch.js';
import { postCompile } from './routes/compile/compile.js';
import { compileFilters } from './routes/compile/filters.js';
import { getData, postData } from './routes/data.js';
import { postDiff } from './routes/diff.js';
import { deleteDocument, patchDocument, putDocument } from './routes/documents.js';
import { getHealth, getPolicyHealth } from './routes/health.js';
import { deletePolicy, getPolicy, listPolicies, putPolicy } from './routes/policies.js';
import { getQuery, postQuery } from './routes/query.js';
import { getConfig, getIndex, getMetrics, getStatus } from './routes/server-state.js';
import { postTransaction } from './routes/transactions.js';
import { postDefaultDecision, postWebhook } from './routes/webhook.js';

export type Handler = (exchange: Exchange, context: AppContext) => HttpAnswer | Promise<HttpAnswer>;

/** Handlers by method. Any other method is answered 405. */
export type Methods = Readonly<Record<string, Handler>>;

export interface Route {
  readonly path: string;
  /** The handler's name in `/metrics`. */
  readonly label: string;
  /** At the path itself. */
  readonly methods: Methods;
  /** Whether the reference has no such path: it answers 404 where the method is another, too. */
  readonly isOwn?: boolean;
  /** Whether anybody may ask: its answers tell nothing of the policies, or its handler decides. */
  readonly isOpen?: boolean;
  /** At the paths below it. Absent: only the path itself is served. */
  readonly below?: Methods;
  /** The form of its answers. Absent: that of the REST API. */
  readonly form?: AnswerForm;
  /** Absent: it is. */
  isServed?(settings: Settings): boolean;
}

const ofAuthzen = { form: accessForm, isServed: ({ authzen }: Settings) => authzen !== undefined } as const;

const documents: Methods = { GET: getData, POST: postData, PUT: putDocument, PATCH: patchDocument };

/** All routes. The OpenAPI document has a path for each. */
export const routes: readonly Route[] = [
  { path: '/', label: 'index', methods: { GET: getIndex, POST: postDefaultDecision } },
  { path: '/v0/data', label: 'v0/data', methods: { POST: postWebhook }, below: { POST: postWebhook } },
  { path: '/v1/data', label: 'v1/data', methods: documents, below: { ...documents, DELETE: deleteDocument } },
  { path: '/v1/batch/data', label: 'v1/batch/data', isOwn: true, methods: {}, below: { POST: postBatch } },
  {
    path: '/v1/policies',
    label: 'v1/policies',
    methods: { GET: listPolicies },
    below: { GET: getPolicy, PUT: putPolicy, DELETE: deletePolicy },
  },
  { path: '/v1/transactions', label: 'v1/transactions', isOwn: true, methods: { POST: postTransaction } },
  { path: '/v1/diff', label: 'v1/diff', isOwn: true, methods: { POST: postDiff } },
  { path: '/v1/query', label: 'v1/query', methods: { GET: getQuery, POST: postQuery }, below: {} },
  {
    path: '/v1/compile',
    label: 'v1/compile',
    methods: { POST: postCompile },
    below: { GET: compileFilters, POST: compileFilters },
  },
  { path: accessPaths.evaluation, label: 'access/v1/evaluation', methods: { POST: postEvaluation }, ...ofAuthzen },
  { path: accessPaths.evaluations, label: 'access/v1/evaluations', methods: { POST: postEvaluations }, ...ofAuthzen },
  ...entityKinds.map((kind) => ({
    path: accessPaths.search[kind],
    label: `access/v1/search/${kind}`,
    methods: { POST: (exchange: Exchange, context: AppContext) => postSearch(kind, exchange, context) },
    ...ofAuthzen,
  })),
  {
    path: '/.well-known/authzen-configuration',
    label: 'authzen-configuration',
    methods: { GET: getAccessMetadata },
    below: { GET: getAccessMetadata },
    ...ofAuthzen,
  },
  { path: '/v1/config', label: 'v1/config', methods: { GET: getConfig } },
  { path: '/v1/status', label: 'v1/status', methods: { GET: getStatus } },
  { path: '/health', label: 'health', methods: { GET: getHealth }, below: { GET: getPolicyHealth } },
  { path: '/metrics', label: 'metrics', methods: { GET: getMetrics, HEAD: getMetrics } },
  { path: '/openapi.json', label: 'openapi', methods: { GET: getOpenApi } },
];

/** The routes of a diagnostic address. */
export const diagnosticRoutes = routes.filter(({ label }) => label === 'health' || label === 'metrics');

function getOpenApi({ params }: Exchange): HttpAnswer {
  return jsonAnswer(200, openApiDocument(), params.on('pretty'));
}
