export default { test: { include: ['vitest.test.mjs'], globals: true, testTimeout: 60_000 } };
