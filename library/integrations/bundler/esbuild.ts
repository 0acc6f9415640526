/** esbuild and Bun. */
import { sharedRuntimeFile } from '../../modules/units-file.js';
import { withMap } from './inline-map.js';
import type { Problem } from './problems.js';
import { isRego, type Project } from './project.js';

/** The part of esbuild's types that the plugin needs. */
interface EsbuildBuild {
  readonly initialOptions: { readonly absWorkingDir?: string | undefined; readonly bundle?: boolean | undefined };
  onLoad(
    options: { readonly filter: RegExp },
    load: (args: { readonly path: string; readonly suffix: string }) => object | undefined,
  ): void;
}

export function setUpEsbuild(build: EsbuildBuild, project: Project): void {
  project.root = build.initialOptions.absWorkingDir ?? process.cwd();
  build.onLoad({ filter: isRego }, ({ path, suffix }) => {
    if (suffix !== '') return undefined;
    const sharedRuntime = build.initialOptions.bundle === true ? sharedRuntimeFile() : undefined;
    const { files, folders, module, problems } = project.module(path, { format: 'es', sharedRuntime });
    return {
      ...(module && { contents: withMap(module.text, module.map), loader: 'js' }),
      errors: problems.map(messageOf),
      warnings: module?.warnings.map(messageOf) ?? [],
      watchFiles: files,
      watchDirs: folders,
    };
  });
}

function messageOf({ message, place }: Problem): object {
  if (place === undefined) return { text: message };
  const { file, row, col, excerpt } = place;
  const characters = [...excerpt.line];
  const bytes = (from: number, to: number): number => Buffer.byteLength(characters.slice(from, to).join(''));
  const [text, ...details] = message.split('\n');
  return {
    text,
    location: {
      file,
      line: row,
      column: bytes(0, col - 1),
      length: bytes(col - 1, col - 1 + excerpt.length),
      lineText: excerpt.line,
    },
    notes: details.map((detail) => ({ text: detail.trim() })),
  };
}

/** The part of Bun's types that the plugin needs. */
interface BunBuild {
  readonly config?: { readonly root?: string };
  onLoad(options: { readonly filter: RegExp }, load: (args: { readonly path: string }) => object): void;
}

/** Bun shows the text of an error, and watches imported files alone. */
export function setUpBun(build: BunBuild, project: Project): void {
  build.onLoad({ filter: isRego }, ({ path }) => {
    const { module, problems } = project.module(path, { format: 'es', sharedRuntime: sharedRuntimeFile() });
    if (module === undefined) throw new Error(project.text(problems));
    for (const warning of module.warnings) console.warn(project.text([warning]));
    return { contents: withMap(module.text, module.map), loader: 'js' };
  });
}
