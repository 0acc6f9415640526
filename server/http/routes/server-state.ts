/** `/v1/config`, `/v1/status`, `/metrics`, `/`. */

import { capabilitiesVersion } from '../../../builtins/capabilities.js';
import { buildInfo } from '../../../engine/build-info.js';
import { metricsText, prometheusContentType } from '../../../services/metrics/prometheus.js';
import type { AppContext } from '../../control/app-context.js';
import { serverMetrics } from '../../observability/server-metrics.js';
import type { Exchange } from '../requests/exchange.js';
import { type Answer, jsonAnswer, textAnswer } from '../responses/answer.js';
import { ApiError } from '../responses/api-error.js';

export function getConfig({ params }: Exchange, { settings }: AppContext): Answer {
  return jsonAnswer(200, { result: settings.shownConfig }, params.on('pretty'));
}

export function getStatus({ params }: Exchange, { plugins }: AppContext): Answer {
  const status = plugins.status();
  if (status === undefined) throw new ApiError(500, 'internal_error', 'status plugin not enabled');
  return jsonAnswer(200, { result: status }, params.on('pretty'));
}

export async function getMetrics(_exchange: Exchange, context: AppContext): Promise<Answer> {
  return textAnswer(200, metricsText(await serverMetrics(context)), prometheusContentType);
}

const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>writ</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}textarea,input{width:100%;font:14px monospace;box-sizing:border-box}pre{background:#f4f4f4;padding:1rem;overflow:auto}</style>
</head>
<body>
<h1>writ</h1>
<p>Answers the API of Open Policy Agent - An open source project to policy-enable your service.</p>
<p>Version: ${buildInfo.version}${buildInfo.commit === '' ? '' : `, commit ${buildInfo.commit}`}. API of OPA ${capabilitiesVersion.slice(1)}.</p>
<form id="query">
<p><label>Query <input name="query" value="x := data" autocomplete="off" spellcheck="false"></label></p>
<p><label>Input (JSON) <textarea name="input" rows="6" spellcheck="false"></textarea></label></p>
<p><button>Ask</button></p>
</form>
<pre id="answer"></pre>
<script>
document.getElementById('query').onsubmit = async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const show = (text) => { document.getElementById('answer').textContent = text; };
  try {
    const input = form.get('input').trim();
    const body = JSON.stringify({ query: form.get('query'), ...(input && { input: JSON.parse(input) }) });
    const answer = await fetch('v1/query?pretty=true', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    show(await answer.text());
  } catch (error) { show(String(error)); }
};
</script>
</body>
</html>
`;

export function getIndex(): Answer {
  return textAnswer(200, page, 'text/html; charset=utf-8');
}
