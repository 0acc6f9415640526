export default ({ customers, products, orders }) => {
  const customerOf = new Map(customers.map((one) => [one.id, one]));
  const productOf = new Map(products.map((one) => [one.id, one]));
  return ({ least }) => {
    const countries = {};
    let blocked = 0;
    let lines = 0;
    for (const { customer, product, amount } of orders) {
      const buyer = customerOf.get(customer);
      if (buyer === undefined) continue;
      if (buyer.blocked) {
        blocked++;
        continue;
      }
      const bought = productOf.get(product);
      if (bought === undefined || amount < least) continue;
      lines++;
      countries[buyer.country] = (countries[buyer.country] ?? 0) + amount * bought.price;
    }
    return { countries, blocked, lines };
  };
};
