/** The project as lines for a shell: they give it to a server, and ask it. */
import type { ProjectQuestion } from '../worker/protocol.js';
import { checkedJson } from './checked-json.js';

const server = 'http://127.0.0.1:8181';

/**
 * Lines for a server that `writ run` has started on this machine. A project may come from a link of
 * somebody else: no part of it is read by the shell.
 * @throws an Error for an input or data that is no JSON
 */
export function curlLines({ files, data, input, query }: ProjectQuestion): string {
  const put = files.map(({ file, text }) => {
    const id = file.split('/').map(quotedPart).join('/');
    return `curl -sf -X PUT --data-binary @- '${server}/v1/policies/${id}' ${quoted(text)}`;
  });
  const base = checkedJson('data', data);
  const documents =
    base === ''
      ? []
      : [`curl -sf -X PUT -H 'content-type: application/json' --data-binary @- '${server}/v1/data' ${quoted(base)}`];
  const isPath = /^data(?:\.[A-Za-z_]\w*)*$/.test(query.trim());
  const document = checkedJson('input', input);
  const known = document === '' ? '' : `"input": ${document}`;
  const ask = isPath
    ? `curl -s -H 'content-type: application/json' --data-binary @- '${server}/v1/data/${query.trim().split('.').slice(1).join('/')}' ${quoted(`{${known}}`)}`
    : `curl -s -H 'content-type: application/json' --data-binary @- '${server}/v1/query' ${quoted(`{"query": ${JSON.stringify(query)}${known === '' ? '' : `, ${known}`}}`)}`;
  return `${['#!/bin/sh', 'set -e', `# For a server: writ run --addr ${server.replace('http://', '')}`, ...documents, ...put, ask].join('\n')}\n`;
}

/** A part of an address inside single quotes. `encodeURIComponent` leaves these quotes alone. */
function quotedPart(part: string): string {
  return encodeURIComponent(part).replaceAll("'", '%27');
}

/** A text on the standard input. Nothing in it is the mark, also where a shell drops NUL. */
function quoted(text: string): string {
  const plain = text.replaceAll('\0', '');
  let mark = 'END';
  while (plain.includes(mark)) mark += '_';
  return `<<'${mark}'\n${text.replace(/\n$/, '')}\n${mark}`;
}
