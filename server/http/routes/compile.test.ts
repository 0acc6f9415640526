import { expect, test } from 'vitest';
import { testServer } from '../../testing/app-testing.js';

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
