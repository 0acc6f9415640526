import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callBuiltin, testContext } from '../../../../test/harness/builtins.js';
import { sortedMembers } from '../../../compare.js';
import type { RegoSet } from '../../../set.js';

const merged = async (networks: readonly string[]) =>
  sortedMembers((await callBuiltin('net.cidr_merge', [networks], testContext())) as RegoSet);

test.each([
  [['10.0.0.5/24', '10.0.1.7/24'], ['10.0.0.0/23']],
  [
    ['10.0.0.3/32', '10.0.0.4/32'],
    ['10.0.0.3/32', '10.0.0.4/32'],
  ],
  [['10.0.0.0/8', '11.0.0.0/8', '10.1.0.0/16'], ['10.0.0.0/7']],
  [['10.0.0.5'], ['10.0.0.5/8']],
  [['10.0.0.5', '10.0.0.5'], ['10.0.0.0/8']],
  [['0.0.0.0/1', '128.0.0.0/1'], ['0.0.0.0/0']],
  [['::/1', '8000::/1'], ['::/0']],
  [['10.0.0.0/8', '::/0'], ['::/0']],
  [['::ffff:1.2.3.0/120', '1.2.3.0/24'], ['1.2.3.0/24']],
  // Addresses of IPv6 on both sides of those of IPv4 are not adjacent to them.
  [
    ['255.255.255.255/32', '::1:0:0:0/128'],
    ['255.255.255.255/32', '::1:0:0:0/128'],
  ],
  [
    ['0.0.0.0/32', '::fffe:ffff:ffff/128'],
    ['0.0.0.0/32', '::fffe:ffff:ffff/128'],
  ],
])('%j are merged to %j', async (networks, expected) => expect(await merged(networks)).toEqual(expected));

const prefixBits = 28;

/** Networks of the addresses around one, in IPv4 or IPv6. */
const network = fc.record({ v6: fc.boolean(), at: fc.nat(31), prefix: fc.integer({ min: prefixBits, max: 32 }) });

function addressesOf(text: string): readonly string[] {
  const [address, prefix] = text.split('/') as [string, string];
  const isV6 = address.includes(':');
  const last = isV6
    ? Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
    : Number(address.slice(address.lastIndexOf('.') + 1));
  const size = 2 ** ((isV6 ? 128 : 32) - Number(prefix));
  const first = last - (last % size);
  return Array.from({ length: size }, (_, i) => `${isV6 ? 'v6' : 'v4'} ${first + i}`);
}

test('merged networks have the same addresses, each once, and no two of them are one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(network, { maxLength: 12 }), async (networks) => {
      const texts = networks.map(({ v6, at, prefix }) =>
        v6 ? `2001:db8::${(256 + at).toString(16)}/${96 + prefix}` : `10.0.0.${at}/${prefix}`,
      );
      const result = (await merged(texts)) as string[];
      const addresses = result.flatMap(addressesOf);
      expect(addresses.toSorted()).toEqual([...new Set(texts.flatMap(addressesOf))].toSorted());
      expect(await merged(result)).toEqual(result);
    }),
  );
});
