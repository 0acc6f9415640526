/** The plugin in the form of each bundler. */
import type { UnpluginContextMeta, UnpluginOptions } from 'unplugin';
import { setUpBun, setUpEsbuild } from './esbuild.js';
import type { RegoOptions } from './options.js';
import { isRego, Project } from './project.js';
import { type BuildOptions, isSharedRuntime, outputPaths, resolveSharedRuntime, rollupLoad } from './rollup.js';
import { ViteProject } from './vite.js';
import { webpackLoad } from './webpack.js';

const name = 'writ';

/** @throws RegoOptionsError */
export function plugin(given: RegoOptions | undefined, { framework }: UnpluginContextMeta): UnpluginOptions {
  const project = new Project(process.cwd(), given);
  const load = { filter: { id: isRego } };
  const resolveId = { filter: { id: isSharedRuntime }, handler: resolveSharedRuntime };
  const loadWithRuntime = { filter: { id: [isRego, isSharedRuntime] } };
  const atContext = ({ context }: { readonly context: string }) => {
    project.root = context;
  };
  const options = (given: BuildOptions) => {
    for (const path of outputPaths(given)) project.outputs.add(path);
  };
  switch (framework) {
    case 'esbuild':
      return { name, esbuild: { setup: (build) => setUpEsbuild(build, project) } };
    case 'bun':
      return { name, bun: { setup: (build) => setUpBun(build, project) } };
    case 'webpack':
    case 'rspack':
      return { name, load: { ...load, handler: webpackLoad(project) }, webpack: atContext, rspack: atContext };
    case 'vite': {
      const vite = new ViteProject(project);
      return { name, resolveId, load: { ...loadWithRuntime, handler: vite.load }, vite: { ...vite.hooks, options } };
    }
    default:
      return {
        name,
        resolveId,
        load: { ...loadWithRuntime, handler: rollupLoad(project) },
        rollup: { options },
        rolldown: { options },
      };
  }
}
