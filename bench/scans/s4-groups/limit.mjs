export default ({ items }) =>
  ({ limit }) => {
    const groups = new Map();
    const ofKind = new Map();
    for (const { id, team, kind, cost, active } of items) {
      ofKind.set(kind, (ofKind.get(kind) ?? new Set()).add(id));
      let group = groups.get(team);
      if (group === undefined) groups.set(team, (group = { ids: new Set(), spent: 0, largest: -Infinity }));
      group.largest = Math.max(group.largest, cost);
      if (!active) continue;
      group.ids.add(id);
      group.spent += cost;
    }
    const teams = {};
    const over = [];
    for (const team of [...groups.keys()].sort()) {
      const { ids, spent, largest } = groups.get(team);
      if (ids.size === 0) continue;
      teams[team] = { items: ids.size, spent, largest };
      if (spent > limit) over.push(team);
    }
    return { teams, kinds: Object.fromEntries(Array.from(ofKind, ([kind, ids]) => [kind, ids.size])), over };
  };
