import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Io } from '../io.js';
import { servePage } from './serve-page.js';

test('the page is served on the loopback interface, to those who name it as this machine', async () => {
  const ended = Promise.withResolvers<void>();
  const printed = Promise.withResolvers<string>();
  const io = { stdout: printed.resolve } as unknown as Io;
  const serving = servePage('<p>page</p>', io, ended.promise);
  const url = (await printed.promise).trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await asked(url)).toEqual([200, '<p>page</p>']);
  expect(await asked(url, { host: `localhost:${new URL(url).port}` })).toEqual([200, '<p>page</p>']);
  expect(await asked(url, { host: 'evil.example' })).toEqual([403, '']);
  expect(await asked(`${url}other`)).toEqual([404, '']);
  expect(await asked(url, {}, 'POST')).toEqual([405, '']);
  ended.resolve();
  await serving;
  await expect(asked(url)).rejects.toThrow('ECONNREFUSED');
});

function asked(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    request(url, { headers, method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve([response.statusCode!, text]));
    })
      .on('error', reject)
      .end();
  });
}
