import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, before, beforeEach } from 'node:test';
import { GlobalRegistrator } from '@happy-dom/global-registrator';
import { act, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { PolicyProvider, useRefresh } from 'writ/react';
import { orderOf, userOf } from '../data.ts';
import policy from '../policies/orders.rego';
import { OrderPage, RemotePage } from './app.tsx';

const order = orderOf('1');
const [alice, bob, sam] = ['alice', 'bob', 'sam'].map(userOf) as [
  ReturnType<typeof userOf>,
  ReturnType<typeof userOf>,
  ReturnType<typeof userOf>,
];

/** A server with OPA's API: what it was asked, and what it does with a request. */
let server: Server;
let url: string;
let asked: string[] = [];
let hasBatches = true;
let isDown = false;

before(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    asked.push(request.url!);
    const { input, inputs } = JSON.parse(text);
    const decide = (one: Parameters<typeof policy.allow>[0]) => ({ result: policy.allow(one) });
    if (isDown) response.writeHead(500).end('{"code":"internal_error","message":"down"}');
    else if (inputs === undefined) response.end(JSON.stringify(decide(input)));
    else if (!hasBatches) response.writeHead(404).end();
    else
      response.end(
        JSON.stringify({ responses: Object.fromEntries(Object.entries(inputs).map(([id, one]) => [id, decide(one as never)])) }),
      );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch, AbortController, AbortSignal, Headers, Request, Response } = globalThis;
  GlobalRegistrator.register({ url });
  // Requests are Node's: it takes no signals of the page.
  Object.assign(globalThis, { fetch, AbortController, AbortSignal, Headers, Request, Response });
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
});

after(async () => {
  server.close();
  await GlobalRegistrator.unregister();
});

beforeEach(() => {
  asked = [];
  hasBatches = true;
  isDown = false;
});

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Renders in a page, and returns each text that it showed. */
async function show(node: React.ReactNode) {
  const element = document.createElement('div');
  const shown: string[] = [];
  const note = () => shown.at(-1) !== element.textContent && shown.push(element.textContent);
  new MutationObserver(note).observe(element, { childList: true, subtree: true, characterData: true });
  const root = createRoot(element);
  await act(async () => root.render(node));
  note();
  const until = async (text: string) => {
    for (let i = 0; i < 200 && !element.textContent.includes(text); i++) await act(async () => soon(10));
    note();
    assert.ok(element.textContent.includes(text), `${element.textContent} instead of ${text}`);
  };
  return { root, shown, until, text: () => element.textContent };
}

test('a rule in the page decides at once, on a server too', async () => {
  assert.match(renderToString(<OrderPage user={alice} order={order} />), /tea.*<button/);
  assert.match(renderToString(<OrderPage user={sam} order={order} />), /tea.*only alice may delete this order/);
  assert.doesNotMatch(renderToString(<OrderPage user={bob} order={order} />), /tea/);
  const { shown } = await show(<OrderPage user={sam} order={order} />);
  assert.deepEqual(shown, ['teaonly alice may delete this order']);
});

test('a rule that fails is a denial', async () => {
  const broken = { ...order, owner: 1 as never };
  assert.doesNotMatch(renderToString(<OrderPage user={{ name: 'x', roles: 1 as never }} order={broken} />), /tea/);
});

const remotePage = (user: typeof alice, children?: React.ReactNode) => (
  <PolicyProvider remote={{ url, retries: 0 }}>
    <RemotePage user={user} order={order} />
    <RemotePage user={user} order={order} />
    <RemotePage user={user} order={orderOf('2')} />
    {children}
  </PolicyProvider>
);

for (const batches of [true, false]) {
  test(`decisions of a server ${batches ? 'come in one batch' : 'come one by one where it has no batches'}, each once`, async () => {
    hasBatches = batches;
    assert.equal(renderToString(remotePage(alice)), '<p>…</p><p>…</p><p>…</p>');
    const { shown, until } = await show(<StrictMode>{remotePage(sam)}</StrictMode>);
    await until('tea');
    // Nothing was shown that the server denies, at no time.
    assert.equal(shown[0], '………');
    assert.ok(
      shown.every((text) => !text.includes('Delete')),
      shown.join(),
    );
    // Three pages have two questions, and two more when these are allowed.
    const [batch, one] = ['/v1/batch/data/orders/allow', '/v1/data/orders/allow'];
    const expected = batches ? [batch, batch] : [batch, one, one, one, one];
    for (let i = 0; i < 200 && asked.length < expected.length; i++) await act(async () => soon(10));
    await act(async () => soon(50));
    assert.deepEqual(asked, expected);
  });
}

test('another user is another question, and a denial until it is answered', async () => {
  const { root, shown, until } = await show(remotePage(alice));
  await until('Delete');
  shown.length = 0;
  await act(async () => root.render(remotePage(bob)));
  await until('no order');
  assert.ok(
    shown.every((text) => !text.includes('tea')),
    shown.join(),
  );
});

test('an error is a denial, and a refresh asks again', async () => {
  isDown = true;
  let refresh = () => {};
  function Refresh() {
    refresh = useRefresh();
    return null;
  }
  const { until, text } = await show(remotePage(alice, <Refresh />));
  await until('failed: ');
  assert.ok(!text().includes('tea'));
  isDown = false;
  await act(async () => refresh());
  await until('Delete');
});

test('without a provider there is no server to ask', () => {
  assert.match(renderToString(<RemotePage user={alice} order={order} />), /…/);
});
