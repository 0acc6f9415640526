// Values at any depth of a document, with their paths.
export const meta = { entrypoint: 'secrets/report', title: 'secrets in a nested configuration', timed: [0, 1, 2] };

const names = ['name', 'image', 'dbPassword', 'apiToken', 'port', 'host', 'env', 'labels'];

/** A tree of so many levels; `seed` says which values it has. */
function tree(levels, seed) {
  const node = {};
  for (let i = 0; i < 4; i++) {
    const n = (seed * 31 + i * 17 + levels * 7) % 1009;
    const key = names[n % names.length] + (n % 5 < 2 ? i : '');
    if (levels > 0 && n % 10 < 7) node[key] = tree(levels - 1, n + i);
    else node[key] = n % 3 === 0 ? n : n % 3 === 1 ? `vault:${n}` : `text-${n}`;
  }
  return node;
}

export function generate(scale = 1) {
  const inputs = Array.from({ length: 8 }, (_, n) => ({
    config: Object.fromEntries(Array.from({ length: scale }, (_, i) => [`part${i}`, tree(4, n * 53 + i)])),
  }));
  return { data: { words: ['password', 'token', 'secret'] }, inputs };
}
