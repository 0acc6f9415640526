export default ({ words }) =>
  ({ config }) => {
    const secrets = new Set();
    const images = new Set();
    const visit = (value, path, key) => {
      if (typeof value === 'string') {
        const lower = key.toLowerCase();
        if (!value.startsWith('vault:') && words.some((word) => lower.includes(word))) secrets.add(path);
        if (key === 'image') images.add(value);
      } else if (typeof value === 'object') {
        for (const name in value) visit(value[name], path === '' ? name : `${path}/${name}`, name);
      }
    };
    visit(config, '', '');
    return { secrets: [...secrets].sort(), images: [...images].sort() };
  };
