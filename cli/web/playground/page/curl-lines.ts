/** The project as lines for a shell: they give it to a server, and ask it. */
import type { ProjectQuestion } from '../worker/protocol.js';

const server = 'http://127.0.0.1:8181';

/** Lines for a server that `writ run` has started on this machine. */
export function curlLines({ files, data, input, query }: ProjectQuestion): string {
  const put = files.map(({ file, text }) => {
    const id = file.split('/').map(encodeURIComponent).join('/');
    return `curl -sf -X PUT --data-binary @- ${server}/v1/policies/${id} ${quoted(text)}`;
  });
  const documents =
    data.trim() === ''
      ? []
      : [`curl -sf -X PUT -H 'content-type: application/json' --data-binary @- ${server}/v1/data ${quoted(data)}`];
  const isPath = /^data(?:\.[A-Za-z_]\w*)*$/.test(query.trim());
  const known = input.trim() === '' ? '' : `"input": ${input.trim()}`;
  const ask = isPath
    ? `curl -s -H 'content-type: application/json' --data-binary @- ${server}/v1/data/${query.trim().split('.').slice(1).join('/')} ${quoted(`{${known}}`)}`
    : `curl -s -H 'content-type: application/json' --data-binary @- ${server}/v1/query ${quoted(`{"query": ${JSON.stringify(query)}${known === '' ? '' : `, ${known}`}}`)}`;
  return `${['#!/bin/sh', 'set -e', `# For a server: writ run --addr ${server.replace('http://', '')}`, ...documents, ...put, ask].join('\n')}\n`;
}

/** A text on the standard input; its mark is no line of it. */
function quoted(text: string): string {
  let mark = 'END';
  const lines = new Set(text.split('\n'));
  while (lines.has(mark)) mark += '_';
  return `<<'${mark}'\n${text.replace(/\n$/, '')}\n${mark}`;
}
