/** The project as an ES module that decides in Node and in pages. */
import type { ProjectQuestion } from '../worker/protocol.js';
import { checkedJson } from './checked-json.js';

/**
 * Exports `decide(input)`; it needs the package `writ`.
 * @throws an Error for a query that is no path of a document, and for data that is no JSON: a link
 * of somebody else may have a program there
 */
export function playgroundModule({ files, data, query }: ProjectQuestion): string {
  if (!/^data(?:\.[A-Za-z_]\w*)+$/.test(query.trim()))
    throw new Error('a module decides one document: ask for it as data.package.rule');
  const path = query.trim().split('.').slice(1).join('/');
  const policies = JSON.stringify(Object.fromEntries(files.map(({ file, text }) => [file, text])), undefined, 2);
  return `// It needs the package writ, which has the engine: npm install writ
//
//   import { decide } from './decide.js';
//   console.log(decide({ "user": "ann" }));
//
// "writ build -t js" makes modules that need no package.
import { Engine } from 'writ';

const policies = ${expressionOf(policies)};
const data = ${expressionOf(checkedJson('data', data) || '{}')};
const engine = await Engine.open({ policies, data });

/** Decides ${query.trim()} for an input; undefined where no rule has a value. */
export function decide(input) {
  return engine.decide(${JSON.stringify(path)}, input).result;
}
`;
}

/** JSON as an expression: a key `__proto__` of a literal would be no key. */
function expressionOf(json: string): string {
  let isLiteral = true;
  JSON.parse(json, (key, value: unknown) => {
    if (key === '__proto__') isLiteral = false;
    return value;
  });
  return isLiteral ? json : `JSON.parse(${JSON.stringify(json)})`;
}
