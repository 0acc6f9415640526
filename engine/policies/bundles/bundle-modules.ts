/** Modules of bundles, each in the language that its bundle's manifest states. */

import { type Module, parseModuleSteps } from '../../../compiler/index.js';
import { allAtOnce, type Steps } from '../../../values/index.js';
import type { Bundle, ModuleFile } from '../../bundle/bundle.js';
import { regoVersionOf } from '../../bundle/manifest.js';
import type { PolicyRecord } from '../../version.js';
import { parseOptions, type Reading } from '../language.js';

/** The version of the language of a module. Throws a BundleError. */
export function moduleVersion({ manifest }: Bundle, { bundlePath }: ModuleFile, { language }: Reading): 0 | 1 {
  return regoVersionOf(manifest, bundlePath, language === 'v0' ? 0 : 1);
}

/** Throws CompileErrors. */
export function parseBundleModule(file: ModuleFile, version: 0 | 1, reading: Reading): Module {
  return allAtOnce(parseBundleModuleSteps(file, version, reading));
}

/** As `parseBundleModule`, in steps. */
export function parseBundleModuleSteps({ path, text }: ModuleFile, version: 0 | 1, reading: Reading): Steps<Module> {
  return parseModuleSteps(path, text, parseOptions({ ...reading, language: version === 1 ? 'v1' : 'v0' }));
}

/**
 * A policy that is parsed when its module is first read. With programs of a snapshot that may
 * never happen.
 */
export class BundlePolicy implements PolicyRecord {
  readonly id: string;
  readonly raw: string;
  readonly bundle: string;
  readonly regoVersion: 0 | 1;
  #parse: (() => Steps<Module>) | undefined;
  #module: Module | undefined;

  constructor(id: string, raw: string, bundle: string, regoVersion: 0 | 1, parse: () => Steps<Module>) {
    this.id = id;
    this.regoVersion = regoVersion;
    this.raw = raw;
    this.bundle = bundle;
    this.#parse = parse;
  }

  /** Throws CompileErrors. */
  get module(): Module {
    return allAtOnce(this.moduleSteps());
  }

  /** Parses the module if that has not been done. Throws CompileErrors. */
  *moduleSteps(): Steps<Module> {
    if (this.#module !== undefined) return this.#module;
    const module = yield* this.#parse!();
    // Others may have parsed it meanwhile: all see one tree.
    this.#module ??= module;
    this.#parse = undefined;
    return this.#module;
  }
}
