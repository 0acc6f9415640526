// Rules tried in order, with arithmetic comparisons and addresses.
export const meta = {
  entrypoint: 'firewall/verdict',
  title: 'firewall: 60 rules over ports and networks',
  timed: [0, 1, 2, 3],
};

export function generate(scale = 1) {
  const rules = Array.from({ length: 60 * scale }, (_, i) => ({
    id: `rule-${i}`,
    action: i % 3 === 0 ? 'drop' : 'accept',
    protocol: ['tcp', 'udp', 'any'][i % 3],
    ports: [100 * (i % 40), 100 * (i % 40) + 250],
    source: `10.${i % 16}.0.0/${i % 2 === 0 ? 16 : 12}`,
  }));
  const inputs = Array.from({ length: 40 }, (_, i) => ({
    protocol: i % 2 === 0 ? 'tcp' : 'udp',
    port: (i * 331) % 4300,
    source: i % 9 === 8 ? `192.168.0.${i}` : `10.${(i * 5) % 20}.3.${i}`,
  }));
  return { data: { rules }, inputs };
}
