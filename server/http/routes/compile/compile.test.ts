import { expect, test } from 'vitest';
import { testServer } from '../../../../test/harness/server/app.js';

const config = { server: { max_statement_tokens: 8 } };

test('a query of more tokens than the configuration allows is turned down where it gets too long', async () => {
  const { ask } = await testServer({ config });
  expect((await ask('POST', '/v1/compile', '{"query": "input.x = [1]"}')).status).toBe(200);
  const { status, text } = await ask('POST', '/v1/compile', '{"query": "input.x = [1, 2, 3, 4]"}');
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    code: 'invalid_parameter',
    errors: [{ code: 'rego_parse_error', message: 'statement has more than 8 tokens' }],
  });
});

test.each([{ unknowns: ['input.a.b.c.d.e'] }, { options: { disableInlining: ['data.a.b.c.d.e'] } }])(
  'so is a term: %j',
  async (members) => {
    const { ask } = await testServer({ config });
    const { status, text } = await ask('POST', '/v1/compile', JSON.stringify({ query: 'input.x', ...members }));
    expect(status).toBe(400);
    expect(text).toContain('statement has more than 8 tokens');
  },
);

test('a long query is answered as a short one is', async () => {
  const { ask } = await testServer();
  const query = Array.from({ length: 2000 }, (_, i) => `input.a[${i}]`).join('; ');
  const { status, text } = await ask('POST', '/v1/compile', JSON.stringify({ query }));
  expect(status).toBe(200);
  expect(JSON.parse(text).result.queries[0]).toHaveLength(2000);
});

/** The rules of the support, each as its name, arguments, value and whether it is a default. */
async function supportOf(rules: string, request: object): Promise<readonly string[]> {
  const { ask } = await testServer({ policies: { t: `package t\n\n${rules}` } });
  const { text } = await ask('POST', '/v1/compile', JSON.stringify(request));
  const [module] = JSON.parse(text).result.support;
  const termOf = ({ value }: { value: unknown }) => JSON.stringify(value);
  return module.rules.map((rule: { default?: boolean; head: { name: string; args?: []; key?: never; value?: never } }) => {
    const { name, args = [], key, value } = rule.head;
    const parts = [...args, ...(key === undefined ? [] : [key]), ...(value === undefined ? [] : [value])];
    return `${rule.default === true ? 'default ' : ''}${[name, ...parts.map(termOf)].join(' ')}`;
  });
}

test.each([
  ['a default that is less', 'default r := false\n\nr if input.x = 1', ['default r false', 'r true']],
  ['a default that is the same', 'default r := true\n\nr if input.x = 1', ['r true', 'default r true']],
  ['a default that is greater', 'default r := 2\n\nr := 1 if input.x = 1', ['r 1', 'default r 2']],
  ['texts after numbers', 'default r := "a"\n\nr := 3 if input.x = 1\n\nr := 1 if input.x = 2', ['r 1', 'r 3', 'default r "a"']],
])('rules of the support stand in the order of their heads: %s', async (_title, rules, expected) => {
  expect(await supportOf(rules, { query: 'data.t.r = x' })).toEqual(expected);
});

test('functions stand after other rules, and variables have the number of their rule', async () => {
  const rules = 'f(x) if data.a[i] == x\n\ng(x) if f(x)\n\nr if g(input.x)';
  const request = { query: 'data.t.r', unknowns: ['data.a'], input: { x: 1 }, options: { disableInlining: ['data.t'] } };
  expect(await supportOf(rules, request)).toEqual(['r true', 'f "__local0__3" true', 'g "__local1__2" true']);
});

test('an explanation has the results of the partial evaluation that was made', async () => {
  const { ask } = await testServer({ policies: { t: 'package t\n\np if input.x == rand.intn("k", 1000000000)\n\nq if p' } });
  const options = { nondeterministicBuiltins: true, disableInlining: ['data.t.p'] };
  const { text } = await ask('POST', '/v1/compile?explain=full&pretty', JSON.stringify({ query: 'data.t.q', options }));
  const { result, explanation } = JSON.parse(text);
  const [rule] = result.support[0].rules;
  const drawn = rule.body[0].terms[2].value;
  const saved = explanation.filter((line: string) => line.includes('Save')).map((line: string) => line.replace(/^.* Save /, ''));
  expect(saved).toEqual([`input.x = ${drawn}`, 'data.partial.t.p = _', '_']);
});
