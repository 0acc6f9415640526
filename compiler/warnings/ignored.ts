/**
 * Comments that silence warnings: `# writ:ignore unresolved-reference` on the line of the warning
 * or on the line above. Several codes stand with commas between them; without a code, all are
 * meant. What follows ` -- ` is a reason.
 */

import type { Module } from '../ast/nodes.js';
import type { Warning } from '../diagnostics/warnings.js';

const directive = /^\s*writ:ignore(?![\w:-])(?<codes>(?:(?!\s--\s).)*)/;

/** The codes that are silent in each row of a module; an empty list silences all. */
export class IgnoredRows {
  readonly #rows = new Map<number, (readonly string[])[]>();

  constructor({ comments }: Module) {
    for (const { text, loc } of comments) {
      const found = directive.exec(text)?.groups?.codes;
      if (found === undefined) continue;
      const codes = found.split(/[\s,]+/).filter((code) => code !== '');
      const row = loc.row;
      // A comment behind an expression is about its own line.
      const isAlone = /^\s*#/.test(loc.source.line(row));
      for (const each of isAlone ? [row, row + 1] : [row]) this.#add(each, codes);
    }
  }

  #add(row: number, codes: readonly string[]): void {
    const all = this.#rows.get(row);
    if (all) all.push(codes);
    else this.#rows.set(row, [codes]);
  }

  has(code: string, row: number): boolean {
    return this.#rows.get(row)?.some((codes) => codes.length === 0 || codes.includes(code)) ?? false;
  }
}

/** Finds the comments of modules, each module's when it has a warning. */
export class Ignored {
  readonly #modules = new Map<string, Module>();
  readonly #rows = new Map<Module, IgnoredRows>();

  constructor(modules: Iterable<Module>) {
    for (const module of modules) this.#modules.set(module.source.file, module);
  }

  has({ code, location, span }: Warning): boolean {
    const module = this.#modules.get(location.file);
    if (module === undefined) return false;
    let rows = this.#rows.get(module);
    if (!rows) this.#rows.set(module, (rows = new IgnoredRows(module)));
    return rows.has(code, location.row) || rows.has(code, span.row);
  }
}
