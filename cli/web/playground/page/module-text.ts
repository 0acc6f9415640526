/** The project as an ES module that decides in Node and in pages. */
import type { ProjectQuestion } from '../worker/protocol.js';

/**
 * Exports `decide(input)`; it needs the package `writ`.
 * @throws an Error for a query that is no path of a document
 */
export function playgroundModule({ files, data, query }: ProjectQuestion): string {
  if (!/^data(?:\.[A-Za-z_]\w*)+$/.test(query.trim()))
    throw new Error('a module decides one document: ask for it as data.package.rule');
  const path = query.trim().split('.').slice(1).join('/');
  const policies = Object.fromEntries(files.map(({ file, text }) => [file, text]));
  return `// Needs the package writ: npm install writ
import { Engine } from 'writ';

const policies = ${JSON.stringify(policies, undefined, 2)};
const data = ${data.trim() === '' ? '{}' : data.trim()};
const engine = await Engine.open({ policies, data });

/** Decides ${JSON.stringify(query)} for an input. */
export function decide(input) {
  return engine.decide(${JSON.stringify(path)}, input).result;
}
`;
}
