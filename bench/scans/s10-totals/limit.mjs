export default ({ budget }) =>
  ({ year }) => {
    let total = 0;
    let largest = -Infinity;
    const open = new Set();
    const visit = (value, path) => {
      if (typeof value === 'number') {
        total += value;
        if (value > largest) largest = value;
      } else if (typeof value === 'object' && value !== null) {
        if (path[1] === year && value.state === 'open') open.add(path[0]);
        for (const [key, member] of Object.entries(value)) {
          path.push(key);
          visit(member, path);
          path.pop();
        }
      }
    };
    visit(budget, []);
    return { total, largest, open: [...open].sort() };
  };
