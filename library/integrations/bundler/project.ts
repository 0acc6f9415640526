/** The policies of a project as modules, for one run of a bundler, Node or a test runner. */
import { relative, sep } from 'node:path';
import { declarationPath, writeDeclarations } from '../../modules/declaration-files.js';
import { optionsFor, type RegoOptions } from './options.js';
import { type Problem, problemText } from './problems.js';
import { type RegoModuleRequest, type RegoOutcome, regoModule } from './rego-module.js';

/** Imports of policies; a query such as `?raw` asks for something else. */
export const isRego = /\.rego$/;

type ModuleForm = Pick<RegoModuleRequest, 'format' | 'live' | 'sharedRuntime'>;

export class Project {
  readonly #given: RegoOptions | undefined;
  #root: string;
  #options: RegoOptions | undefined;
  /** Absolute paths of files and folders that the bundler writes. */
  readonly outputs = new Set<string>();

  /** @throws RegoOptionsError */
  constructor(root: string, given: RegoOptions | undefined) {
    this.#root = root;
    this.#given = given;
    if (given !== undefined) this.#options = optionsFor(root, given);
  }

  get root(): string {
    return this.#root;
  }

  /** The folder that paths of options are relative to. */
  set root(root: string) {
    this.#root = root;
    this.#options = undefined;
  }

  get #settings(): RegoOptions {
    return (this.#options ??= optionsFor(this.#root, this.#given));
  }

  /** The module of a policy's package. Writes its declarations where the options say so. */
  module(file: string, form: ModuleForm): RegoOutcome {
    const outcome = regoModule({ file, root: this.#root, options: this.#settings, ...form });
    if (!this.#settings.types || outcome.module === undefined) return outcome;
    try {
      writeDeclarations(declarationPath(file), outcome.module.declarations);
    } catch (error) {
      return { ...outcome, module: undefined, problems: [{ message: (error as Error).message, place: undefined }] };
    }
    return outcome;
  }

  /**
   * The folders that a watcher follows, each with all below it. Where that is the output, each
   * build would start the next: new policies in such a folder are not seen.
   */
  watchedFolders({ folders }: RegoOutcome): readonly string[] {
    return folders.filter((folder) => ![...this.outputs].some((output) => areNested(folder, output)));
  }

  /** The text of problems, with the paths of files as they are seen from the root. */
  text(problems: readonly Problem[]): string {
    return problems.map((problem) => problemText(problem, (file) => relative(this.#root, file))).join('\n\n');
  }
}

function areNested(one: string, other: string): boolean {
  return `${one}${sep}`.startsWith(`${other}${sep}`) || `${other}${sep}`.startsWith(`${one}${sep}`);
}
