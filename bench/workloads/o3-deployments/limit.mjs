export default ({ weights, limits, banned }) =>
  ({ services }) => {
    const blocked = new Set();
    const owners = new Map();
    let score = 0;
    const find = (service, kind) => {
      score += weights[kind];
      if (weights[kind] >= limits.block_at) blocked.add(service.name);
    };
    for (const service of services) {
      if (service.owner === undefined) find(service, 'unowned');
      else owners.set(service.owner, [...(owners.get(service.owner) ?? []), service.name]);
      if (service.age_days > limits.age_days) find(service, 'stale');
      if (service.uses.some((name) => banned.includes(name))) find(service, 'dependency');
    }
    const sorted = Object.fromEntries([...owners].map(([owner, names]) => [owner, names.sort()]));
    return { blocked: [...blocked].sort(), owners: sorted, score };
  };
