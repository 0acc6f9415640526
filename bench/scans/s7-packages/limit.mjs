export default ({ dependencies, advisories }) =>
  ({ root, severity }) => {
    const needed = new Set([root]);
    for (const name of needed) for (const other of dependencies[name]) needed.add(other);
    const vulnerable = [];
    for (const name of needed) if (advisories[name] >= severity) vulnerable.push(name);
    return { needed: needed.size, vulnerable: vulnerable.sort(), ok: vulnerable.length === 0 };
  };
