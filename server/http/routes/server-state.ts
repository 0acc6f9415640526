/** `/v1/config`, `/v1/status`, `/metrics`, `/`. */

import { buildInfo } from '../../../engine/index.js';
import { capabilitiesVersion } from '../../../values/index.js';
import type { AppContext } from '../../control/app-context.js';
import { serverMetrics } from '../../observability/server-metrics.js';
import { metricsText, prometheusContentType } from '../../services/metrics/prometheus.js';
import type { Exchange } from '../requests/exchange.js';
import { type HttpAnswer, jsonAnswer, textAnswer } from '../responses/answer.js';
import { ApiError } from '../responses/api-error.js';

export function getConfig({ params }: Exchange, { settings }: AppContext): HttpAnswer {
  return jsonAnswer(200, { result: settings.shownConfig }, params.on('pretty'));
}

export function getStatus({ params }: Exchange, { plugins }: AppContext): HttpAnswer {
  const status = plugins.status();
  if (status === undefined) throw new ApiError(500, 'internal_error', 'status plugin not enabled');
  return jsonAnswer(200, { result: status }, params.on('pretty'));
}

export async function getMetrics(_exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  return textAnswer(200, metricsText(await serverMetrics(context)), prometheusContentType);
}

/** The page of the package, which has the documentation. */
const documentation = 'https://www.npmjs.com/package/writ';

/** One line, of the reference's content type: the page of `run --ui` shows more. */
const index = `writ, a policy engine with the REST API of Open Policy Agent ${capabilitiesVersion.slice(1)}. Version: ${buildInfo.version}. Routes: /openapi.json. Documentation: ${documentation}\n`;

export function getIndex(): HttpAnswer {
  return textAnswer(200, index, 'text/html; charset=utf-8');
}
