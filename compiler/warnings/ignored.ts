/** Warnings that comments silence: on the line of the warning, or on the line above. */

import type { Module } from '../ast/nodes.js';
import type { Warning } from '../diagnostics/warnings.js';
import { type Directives, directivesOf, isIgnored } from './directives.js';

/** Finds the comments of modules, each module's when it has a warning. */
export class Ignored {
  readonly #modules = new Map<string, Module>();
  readonly #directives = new Map<Module, Directives>();

  constructor(modules: Iterable<Module>) {
    for (const module of modules) this.#modules.set(module.source.file, module);
  }

  has({ code, location, span }: Warning): boolean {
    const module = this.#modules.get(location.file);
    if (module === undefined) return false;
    let directives = this.#directives.get(module);
    if (!directives) this.#directives.set(module, (directives = directivesOf(module.comments)));
    return isIgnored(directives, code, location.row) || isIgnored(directives, code, span.row);
  }
}
