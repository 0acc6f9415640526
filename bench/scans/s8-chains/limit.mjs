export default ({ people }) =>
  ({ boss }) => {
    const manages = new Map();
    for (const { name, manager } of people) {
      const below = manages.get(manager);
      if (below === undefined) manages.set(manager, [name]);
      else below.push(name);
    }
    let chains = 0;
    let longest = 0;
    const ends = [];
    const visit = (name, length) => {
      const below = manages.get(name);
      if (below === undefined) {
        chains++;
        longest = Math.max(longest, length);
        ends.push(name);
      } else for (const next of below) visit(next, length + 1);
    };
    visit(boss, 1);
    return { chains, longest, ends: ends.sort() };
  };
