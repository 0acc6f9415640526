/**
 * The package's entry `writ/register`: Node imports and requires policies without a bundler. The
 * options are the member `writ` of the project's package.json.
 * @example node --import writ/register app.js
 */
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setUpBun } from '../bundler/esbuild.js';
import { withMap } from '../bundler/inline-map.js';
import { projectRoot } from '../bundler/options.js';
import { isRego, Project } from '../bundler/project.js';

const project = new Project(projectRoot(process.cwd()), undefined);

/** The ES module of a policy; a `require` gets its exports, and shares it with imports. */
function moduleText(path: string): string {
  const { module, problems, files } = project.module(path, { format: 'es' });
  reportToWatch(files);
  if (module === undefined) throw new SyntaxError(project.text(problems));
  for (const warning of module.warnings) process.emitWarning(project.text([warning]));
  const sources = module.map.sources.map((source) => pathToFileURL(source).href);
  return withMap(module.text, { ...module.map, sources });
}

/** `node --watch` starts again when one of these changes, as with files that are imported. */
function reportToWatch(files: readonly string[]): void {
  if (process.env.WATCH_REPORT_DEPENDENCIES)
    process.send?.({ 'watch:import': files.map((path) => pathToFileURL(path).href) });
}

/** Bun, which has plugins instead of these hooks. */
interface BunGlobal {
  readonly Bun?: {
    plugin(plugin: { readonly name: string; setup(build: Parameters<typeof setUpBun>[0]): void }): void;
  };
}

const { Bun: bun } = globalThis as BunGlobal;
if (bun !== undefined) bun.plugin({ name: 'writ', setup: (build) => setUpBun(build, project) });
else {
  // The release that has the hooks; those before it lack the function.
  if (typeof nodeModule.registerHooks !== 'function') {
    console.error(`writ/register: Node ${process.versions.node} is too old: install Node 22.19 or newer`);
    process.exit(1);
  }
  nodeModule.registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:') || !isRego.test(url)) return next(url, context);
      return { format: 'module', source: moduleText(fileURLToPath(url)), shortCircuit: true };
    },
  });
}
