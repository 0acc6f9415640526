import { expect, test } from 'vitest';
import { metricsIn } from './queries.js';

test.each([
  ['up == 0', ['up()']],
  ['up{job="a"} == 0', ['up(job)']],
  ['rate(a_total{x="1", y!~"b{c}|d"}[5m]) / rate(b_total[5m])', ['a_total(x,y)', 'b_total()']],
  ['sum by (le, job) (rate(h_bucket{x=~"v"}[5m])) > 0.1', ['h_bucket(x)']],
  ['time() - last / 1e9 > 900', ['last()']],
  ['sum by (c) (a) / ignoring (c) group_left sum (b)', ['a()', 'b()']],
  ['increase(a[1h]) > 0 or increase(b[1h]) > 0', ['a()', 'b()']],
  ['histogram_quantile(0.9, a_bucket)', ['a_bucket()']],
])('the metrics of %s', (query, expected) => {
  expect(metricsIn(query).map(({ name, labels }) => `${name}(${labels.join(',')})`)).toEqual(expected);
});
