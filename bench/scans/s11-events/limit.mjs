export default ({ limit }) =>
  ({ events }) => {
    const users = new Map();
    const kinds = new Map();
    for (const { id, user, kind, result } of events) {
      let group = users.get(user);
      if (group === undefined) users.set(user, (group = { ids: new Set(), failures: 0 }));
      group.ids.add(id);
      if (result === 'failed') group.failures++;
      const ofKind = kinds.get(kind);
      if (ofKind === undefined) kinds.set(kind, new Set([user]));
      else ofKind.add(user);
    }
    const suspicious = [];
    for (const [user, { failures }] of users) if (failures > limit) suspicious.push(user);
    return {
      suspicious: suspicious.sort(),
      users: users.size,
      kinds: Object.fromEntries(Array.from(kinds, ([kind, of]) => [kind, of.size])),
    };
  };
