import { expect, test } from 'vitest';
import { guard } from './express.js';

const allow = ({ id }: { readonly id: string | undefined }) => id === 'a1';

test('the parameters of a path are texts, without a type of the request', async () => {
  const docs: Readonly<Record<string, string>> = { a1: 'a' };
  const asked: (string | undefined)[] = [];
  const mayRead = guard(allow, (request) => {
    const id: string | undefined = request.params.id;
    asked.push(docs[id ?? '']);
    return { id };
  });
  const ended = await new Promise((resolve) => {
    const response = { set: () => undefined, status: (status: number) => ({ json: () => resolve(status) }) };
    mayRead({ method: 'GET', params: { id: 'a1' } }, response, resolve);
  });
  expect({ ended, asked }).toEqual({ ended: undefined, asked: ['a'] });
});
