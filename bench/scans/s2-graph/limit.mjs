export default ({ roles }) =>
  ({ roles: given, permission }) => {
    const reached = new Set();
    const pending = given.filter((role) => roles[role] !== undefined);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      for (const parent of roles[next].inherits) if (roles[parent] !== undefined) pending.push(parent);
    }
    let allow = false;
    for (const role of reached) if (roles[role].permissions.includes(permission)) allow = true;
    return { allow, roles: reached.size };
  };
