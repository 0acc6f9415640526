import { join } from 'node:path';

export default {
  // The policy and the data are beside this folder.
  turbopack: { root: join(import.meta.dirname, '..') },
  // `tsc -p next` checks the types.
  typescript: { ignoreBuildErrors: true },
};
