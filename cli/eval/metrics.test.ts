import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { serve } from '../../test/harness/server/http.js';

test('metrics have the requests of http.send, in a query and in the rules that it reads', async () => {
  const { url } = await serve((_, response) => response.end('{}'));
  const send = `http.send({"method": "GET", "url": "${url}/"}).status_code`;
  await withFiles({ 'p.rego': `package p\n\nx := ${send}\n` }, async (directory) => {
    for (const query of [send, 'data.p.x', 'data.p']) {
      const { stdout } = await runCommand('eval', '--metrics', '-d', directory, query);
      expect(JSON.parse(stdout)).toMatchObject({
        metrics: { counter_rego_builtin_http_send_network_requests: 1, timer_rego_builtin_http_send_ns: expect.any(Number) },
      });
    }
  });
});
