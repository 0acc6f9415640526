/**
 * The compilation of modules with errors. A compilation stops at the first stage with an error;
 * here the faulty rules are replaced, and it goes on with the others: so the errors of all stages
 * are found, and there are always compiled modules without errors, which the next change starts
 * from.
 */

import type { Compiled, CompileOptions, Diagnostic, Import, Module, Rule } from '../../../compiler/index.js';
import { compileModules, compileSteps, recompileSteps } from '../../../compiler/index.js';
import { allAtOnce, type Steps } from '../../../values/index.js';
import { stubOf } from './stubs.js';

/** New and changed modules by name; undefined for removed ones. */
type Changes = ReadonlyMap<string, Module | undefined>;

/** The parts of a module that are replaced or left out, by the offset of their start. */
interface Faults {
  /** Rules that have a stub. */
  readonly stubbed: Set<number>;
  readonly dropped: Set<number>;
  isLeftOut: boolean;
}

/** A compilation has some ten stages; each may find errors after those of the last are gone. */
const maxRounds = 200;

export class FaultTolerantCompilation {
  readonly #options: CompileOptions;
  /** The modules as parsed. */
  readonly #modules = new Map<string, Module>();
  /** Faults by the name of the module; absent for modules without errors. */
  #faults = new Map<string, Faults>();
  #diagnostics = new Map<string, readonly Diagnostic[]>();
  #compiled: Compiled;

  constructor(options: CompileOptions) {
    this.#options = { ...options, errorLimit: 0 };
    this.#compiled = compileModules({ modules: new Map(), options: this.#options });
  }

  /** The modules without their faulty rules: compiled without errors. */
  get compiled(): Compiled {
    return this.#compiled;
  }

  /** The modules as they were given. */
  get modules(): ReadonlyMap<string, Module> {
    return this.#modules;
  }

  /** The errors of all stages in a module. */
  diagnosticsOf(name: string): readonly Diagnostic[] {
    return this.#diagnostics.get(name) ?? [];
  }

  /** The names of modules with errors. */
  get faulty(): Iterable<string> {
    return this.#diagnostics.keys();
  }

  /** Whether a rule that begins at an offset of a module is one without errors. */
  isSound(name: string, start: number): boolean {
    const faults = this.#faults.get(name);
    return faults === undefined || !(faults.isLeftOut || faults.stubbed.has(start) || faults.dropped.has(start));
  }

  /** Changes modules, and finds the errors of all modules again. */
  update(changes: Changes): void {
    allAtOnce(this.updateSteps(changes));
  }

  /** As `update`, in steps. It must not be called again before they have ended. */
  *updateSteps(changes: Changes): Steps {
    const isFirst = this.#modules.size === 0;
    for (const [name, module] of changes) {
      if (module) this.#modules.set(name, module);
      else this.#modules.delete(name);
    }
    // The errors of other modules may have gone with the change.
    const pending = new Map(changes);
    for (const name of this.#faults.keys()) if (!pending.has(name)) pending.set(name, this.#modules.get(name));
    const faults = new Map<string, Faults>();
    const found = new Map<string, Diagnostic[]>();
    for (let round = 0; round < maxRounds; round++) {
      const reduced = new Map(
        [...pending].map(([name, module]) => [name, module && without(module, faults.get(name))]),
      );
      const compiled = isFirst
        ? yield* compileSteps({ modules: present(reduced), options: this.#options })
        : yield* recompileSteps(this.#compiled, reduced, this.#options);
      if (compiled.diagnostics.length === 0) {
        this.#compiled = compiled;
        break;
      }
      let blamed = false;
      for (const diagnostic of compiled.diagnostics) {
        const name = diagnostic.span?.file;
        const module = name === undefined ? undefined : this.#modules.get(name);
        if (name === undefined || module === undefined) continue;
        // A module that reads a changed one is now among those to be compiled again.
        pending.set(name, module);
        add(found, name, diagnostic);
        if (blame(module, diagnostic, faultsOf(faults, name))) blamed = true;
      }
      if (!blamed) break;
    }
    this.#faults = faults;
    this.#diagnostics = found;
  }
}

function present(modules: ReadonlyMap<string, Module | undefined>): ReadonlyMap<string, Module> {
  return new Map([...modules].filter((entry): entry is [string, Module] => entry[1] !== undefined));
}

function faultsOf(faults: Map<string, Faults>, name: string): Faults {
  let found = faults.get(name);
  if (!found) faults.set(name, (found = { stubbed: new Set(), dropped: new Set(), isLeftOut: false }));
  return found;
}

function add(found: Map<string, Diagnostic[]>, name: string, diagnostic: Diagnostic): void {
  const list = found.get(name) ?? [];
  if (list.some(({ message, span }) => message === diagnostic.message && span?.start === diagnostic.span?.start))
    return;
  list.push(diagnostic);
  found.set(name, list);
}

/**
 * Marks the part of a module that an error is in. A rule gets a stub; if that has an error too, it
 * is left out. False where nothing is left to mark.
 */
function blame(module: Module, { span }: Diagnostic, faults: Faults): boolean {
  if (span === undefined || faults.isLeftOut) return false;
  const includes = ({ loc }: Rule | Import): boolean =>
    span.start >= loc.start && span.start < Math.max(loc.end, loc.start + 1);
  const rule = module.rules.find((each) => includes(each) && !faults.dropped.has(each.loc.start));
  if (rule !== undefined) {
    const { start } = rule.loc;
    if (faults.stubbed.has(start)) faults.dropped.add(start);
    else faults.stubbed.add(start);
    return true;
  }
  const statement = module.imports.find((each) => includes(each) && !faults.dropped.has(each.loc.start));
  if (statement !== undefined) {
    faults.dropped.add(statement.loc.start);
    return true;
  }
  faults.isLeftOut = true;
  return true;
}

/** A module without its faults; undefined where nothing is left. */
function without(module: Module, faults: Faults | undefined): Module | undefined {
  if (faults === undefined) return module;
  if (faults.isLeftOut) return undefined;
  const { stubbed, dropped } = faults;
  return {
    ...module,
    imports: module.imports.filter(({ loc }) => !dropped.has(loc.start)),
    rules: module.rules.flatMap((rule) => {
      if (dropped.has(rule.loc.start)) return [];
      return stubbed.has(rule.loc.start) ? [stubOf(rule)] : [rule];
    }),
  };
}
