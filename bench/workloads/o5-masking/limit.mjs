export default ({ fields }) =>
  ({ role, tenant, rows }) => {
    const visible = new Set(fields[role]);
    const shown = (key, value) => {
      if (visible.has(key)) return value;
      if (key === 'email') return `***@${value.split('@')[1]}`;
      return typeof value === 'string' ? '***' : 0;
    };
    return rows
      .filter((row) => row.tenant === tenant)
      .map((row) => {
        const masked = {};
        for (const key in row) masked[key] = shown(key, row[key]);
        return masked;
      });
  };
