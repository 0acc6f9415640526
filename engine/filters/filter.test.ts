import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { parseRef, parseTerm } from '../../compiler/syntax/query.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { Engine } from '../engine.js';
import { NamedTarget } from '../query/filters/mappings.js';
import { sqlParts, sqlText } from '../query/filters/sql/write.js';
import { targets } from '../query/filters/targets.js';
import { createContext } from '../shared-context.js';
import { filter } from './filter.js';

// Each version says its number in the policy and in the documents. Filters
// wait for an answer meanwhile.
const policy = (number: number) => `package p

visible if {
	http.send({"method": "get", "url": data.url}).status_code == 200
	input.row.policy == ${number}
	input.row.document == data.number
}

masks := {"policy": ${number}, "document": data.number}
`;

test('a filter, its masks and its revision are of one version, whatever is committed meanwhile', async () => {
  const engine = new Engine({ context: createContext({ host: nodeHost }) });
  const commit = (number: number) =>
    engine.commit(
      { policies: new Map([['p.rego', policy(number)]]), data: [{ op: 'add', path: ['number'], value: number }] },
      { revision: async () => number },
    );
  const server = createServer((_, answer) => void answer.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await engine.commit({ data: [{ op: 'add', path: ['url'], value: `http://127.0.0.1:${port}/` }] });
  await commit(1);
  const target = new NamedTarget(targets.get('sql+postgresql')!, {});
  const question = {
    path: ['p', 'visible'],
    input: undefined,
    unknowns: [parseRef('input.row')],
    maskRule: parseTerm('masks'),
    targets: [target],
  };
  const found = new Set<number>();
  let isDone = false;
  const commits = (async () => {
    for (let number = 2; number <= 60; number++) await commit(number);
    isDone = true;
  })();
  while (!isDone) {
    const seen = await filter(engine, question, {}, ({ condition, masks, version }) => ({
      where: sqlText(sqlParts(condition, target)),
      masks: JSON.stringify(masks),
      revision: version.revision,
    }));
    const { revision } = seen;
    found.add(revision);
    expect(seen).toEqual({
      where: `(row.policy = ${revision} AND row.document = ${revision})`,
      masks: `{"policy":${revision},"document":${revision}}`,
      revision,
    });
  }
  await commits;
  expect(found.size).toBeGreaterThan(1);
});
