export default () =>
  ({ document }) => {
    let violations = 0;
    const keys = new Set();
    const visit = (value) => {
      if (typeof value === 'string') {
        if (value.startsWith('secret:')) violations++;
      } else if (Array.isArray(value)) for (const element of value) visit(element);
      else if (typeof value === 'object' && value !== null)
        for (const [key, member] of Object.entries(value)) {
          if (key.endsWith('_token')) keys.add(key);
          visit(member);
        }
    };
    visit(document);
    return { violations, keys: [...keys].sort() };
  };
