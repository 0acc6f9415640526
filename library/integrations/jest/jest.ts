/**
 * The package's entry `writ/jest`: tests import or require policies. The options are the member
 * `writ` of the package.json at Jest's root, or the transform's own.
 * @example
 * // jest.config.js
 * module.exports = { transform: { '\\.rego$': 'writ/jest' } };
 */
import { createHash } from 'node:crypto';
import { withMap } from '../bundler/inline-map.js';
import type { RegoOptions } from '../bundler/options.js';
import { Project } from '../bundler/project.js';

/** The part of Jest's types that the transform needs. */
interface TransformOptions {
  readonly config: { readonly rootDir: string };
  readonly transformerConfig?: unknown;
  readonly supportsStaticESM: boolean;
}

interface Transformed {
  readonly code: string;
}

/** The transformer that Jest calls. */
export interface RegoTransformer {
  readonly process: (text: string, path: string, options: TransformOptions) => Transformed;
  readonly getCacheKey: (text: string, path: string, options: TransformOptions) => string;
}

/** @throws an Error that shows the errors of the policy at their places */
function transformed(path: string, { config, transformerConfig, supportsStaticESM }: TransformOptions): Transformed {
  const given = Object.keys(transformerConfig ?? {}).length === 0 ? undefined : (transformerConfig as RegoOptions);
  const project = new Project(config.rootDir, given);
  const { module, problems } = project.module(path, { format: supportsStaticESM ? 'es' : 'commonjs' });
  if (module === undefined) throw new Error(project.text(problems));
  for (const warning of module.warnings) console.warn(project.text([warning]));
  return { code: withMap(module.text, module.map) };
}

const transformer: RegoTransformer = {
  process: (_, path, options) => transformed(path, options),
  // Other files are part of the module as well, so its text is the key.
  getCacheKey(_, path, options) {
    try {
      return createHash('sha256').update(transformed(path, options).code).digest('hex');
    } catch {
      return `${path} ${Date.now()}`;
    }
  },
};

// Beside the default, for tools that read the exports of a CommonJS module by their names.
export const { process, getCacheKey } = transformer;
export default transformer;
