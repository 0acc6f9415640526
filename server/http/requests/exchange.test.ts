import { expect, test } from 'vitest';
import { Exchange, type NodeBindings } from './exchange.js';

test.each([
  ['127.0.0.1', '127.0.0.1:5000', '127.0.0.1'],
  ['::1', '[::1]:5000', '::1'],
  // A socket of both families shows the addresses of IPv4 so.
  ['::ffff:10.0.0.1', '10.0.0.1:5000', '10.0.0.1'],
  ['::ffff:a00:1', '[::ffff:a00:1]:5000', '::ffff:a00:1'],
])('a client at %s is shown as %s', (remoteAddress, shown, client) => {
  const incoming = { method: 'GET', url: '/', socket: { remoteAddress, remotePort: 5000 } } as unknown as NodeBindings['incoming'];
  const exchange = new Exchange(new Request('http://localhost/'), { incoming: incoming! }, 1, 0, 0);
  expect([exchange.clientAddress, exchange.client]).toEqual([shown, client]);
});
