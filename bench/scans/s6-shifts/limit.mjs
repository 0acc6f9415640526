export default ({ people, shifts, limits }) =>
  ({ day }) => {
    let conflicts = 0;
    const tired = [];
    for (const person of people) {
      let hours = 0;
      const own = shifts[person];
      for (const a of own) {
        if (a.day !== day) continue;
        hours += a.end - a.start;
        for (const b of own) if (b.day === day && a.id < b.id && a.start < b.end && b.start < a.end) conflicts++;
      }
      if (hours > limits[person]) tired.push(person);
    }
    return { conflicts, tired: tired.sort() };
  };
