// Items by site and number, and orders that are compared with them.
export const meta = { entrypoint: 'stock/report', title: 'stock by site', timed: [0, 1] };

export function generate(scale = 1) {
  const items = Array.from({ length: Math.ceil(400 * scale) }, (_, i) => ({
    site: `site-${i % 8}`,
    sku: `sku-${i >> 3}`,
    amount: (i * 7) % 50,
  }));
  const orders = (offset) =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, s) => [
        `site-${s + (offset % 3)}`,
        Object.fromEntries(
          Array.from({ length: Math.ceil(20 * scale) }, (_, i) => [`sku-${i * 2 + offset}`, (i * 11 + offset) % 60]),
        ),
      ]),
    );
  return { data: { items }, inputs: [{ orders: orders(0) }, { orders: orders(5) }] };
}
