// Orders, joined with customers and products by their ids.
export const meta = { entrypoint: 'sales/report', title: 'orders × customers × products', timed: [0, 1] };

export function generate(scale = 1) {
  const count = Math.ceil(300 * scale);
  const customers = Array.from({ length: Math.ceil(count / 6) }, (_, i) => ({
    id: `c-${i}`,
    country: `country-${i % 12}`,
    blocked: i % 9 === 0,
  }));
  const products = Array.from({ length: 40 }, (_, i) => ({ id: `p-${i}`, price: 3 + ((i * 7) % 31) }));
  const orders = Array.from({ length: count }, (_, i) => ({
    id: `o-${i}`,
    customer: `c-${(i * 13) % customers.length}`,
    product: `p-${(i * 5) % 41}`,
    amount: 1 + (i % 20),
  }));
  return { data: { customers, products, orders }, inputs: [{ least: 1 }, { least: 12 }] };
}
