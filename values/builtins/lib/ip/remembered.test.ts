import { expect, test } from 'vitest';
import { parseIpAddress, parseNetwork } from './network.js';
import { addressOf, networkOf } from './remembered.js';

const texts = ['10.0.0.0/8', '10.0.0.0/08', '::1/128', '10.0.0.0', '1.2.3.4', '::ffff:1.2.3.4', '', 'x', `1.2.3.4/${'0'.repeat(80)}8`];

test('texts are read as if nothing were remembered', () => {
  for (let i = 0; i < 3; i++) {
    for (const text of texts) {
      expect(networkOf(text)).toEqual(parseNetwork(text));
      expect(addressOf(text)).toEqual(parseIpAddress(text));
      expect(addressOf('9.9.9.9')).toEqual({ bits: 32, value: 0x09090909 });
    }
  }
});

test('networks beyond those that are remembered are read each time', () => {
  for (let i = 0; i < 80_000; i++) {
    const text = `10.${i % 250}.${i % 249}.0/24`;
    if (networkOf(text)?.value !== 0x0a000000 + (i % 250) * 0x10000 + (i % 249) * 0x100) expect.fail(text);
  }
});
