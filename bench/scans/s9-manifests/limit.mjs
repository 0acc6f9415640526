export default () =>
  ({ document, registry }) => {
    const images = new Set();
    const paths = [];
    const visit = (value, key, path) => {
      if (key === 'image' && typeof value === 'string' && !value.startsWith(registry)) images.add(value);
      if (typeof value !== 'object' || value === null) return;
      if (value.securityContext?.privileged === true) paths.push(path.join('.'));
      for (const [inner, member] of Object.entries(value)) {
        path.push(inner);
        visit(member, Array.isArray(value) ? undefined : inner, path);
        path.pop();
      }
    };
    visit(document, undefined, []);
    return { images: [...images].sort(), privileged: paths.length, paths: paths.sort() };
  };
