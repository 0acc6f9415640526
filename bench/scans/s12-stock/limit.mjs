export default ({ items }) =>
  ({ orders }) => {
    const stored = {};
    for (const { site, sku, amount } of items) (stored[site] ??= {})[sku] = amount;
    const shortages = {};
    for (const [site, wanted] of Object.entries(orders)) {
      const missing = {};
      let any = false;
      for (const [sku, amount] of Object.entries(wanted)) {
        const short = amount - (stored[site]?.[sku] ?? 0);
        if (short <= 0) continue;
        missing[sku] = short;
        any = true;
      }
      if (any) shortages[site] = missing;
    }
    const sites = {};
    for (const [site, skus] of Object.entries(stored)) {
      const amounts = Object.values(skus);
      sites[site] = { kinds: amounts.length, amount: amounts.reduce((sum, one) => sum + one, 0) };
    }
    return { shortages, sites };
  };
