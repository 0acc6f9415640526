import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { keyOfDoors, readDoors, throughDoors } from '../scripts/doors.js';
import { projectNames, projectOf } from './projects.js';

const root = join(import.meta.dirname, '..');
const exported = readDoors();

/** A module that is kept is another one where a door takes a name from another file. */
const doorsKey = keyOfDoors(exported);

/** For vite's loader. A module loads the files behind doors that it needs, not whole rooms. */
const lookThroughDoors = {
  name: `through-doors ${doorsKey}`,
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/ },
    handler: (code: string, id: string) => throughDoors(code, relative(root, id), exported),
  },
} as const;

/** Node loads modules in less time than vite's loader, which can replace them. */
const loadedByNode = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  runner: 'test/modules/runner.mjs',
};

/** The settings of a run of test files, in their projects. */
export function configOf(files: readonly string[], env: Readonly<Record<string, string>> = {}): ViteUserConfig {
  const byProject = Map.groupBy(files, (file) => projectOf(file));
  return {
    plugins: [lookThroughDoors],
    test: {
      env: { ...env, WRIT_DOORS: doorsKey },
      setupFiles: ['properties', 'quiet-warnings', 'yaml-version'].map((name) => `test/harness/set-up/${name}.ts`),
      // Files of one process leave nothing behind for each other.
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
      // Tests of services and browsers wait for a fifth of their time.
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      // Only for hanging tests: on a busy machine a test takes many times as long as alone.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      projects: projectNames.map((name) => ({
        extends: true,
        test: {
          name,
          include: [...(byProject.get(name) ?? [])],
          isolate: name === 'isolated' || name === 'package',
          ...(name === 'isolated' ? {} : loadedByNode),
        },
      })),
    },
  };
}
