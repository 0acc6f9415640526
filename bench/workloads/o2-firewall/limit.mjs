const toNumber = (address) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

export default ({ rules }) => {
  const prepared = rules.map((rule) => {
    const [base, bits] = rule.source.split('/');
    const size = 2 ** (32 - Number(bits));
    return { ...rule, size, network: Math.floor(toNumber(base) / size) };
  });
  return ({ protocol, port, source }) => {
    const address = toNumber(source);
    for (const rule of prepared) {
      if (rule.protocol !== 'any' && rule.protocol !== protocol) continue;
      if (port < rule.ports[0] || port > rule.ports[1] || Math.floor(address / rule.size) !== rule.network) continue;
      return { action: rule.action, rule: rule.id };
    }
    return { action: 'drop', rule: null };
  };
};
