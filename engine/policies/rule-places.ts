/** Where the rules of a version of the policies are. */

import { type RuleTree, type VirtualDocument, VirtualDocuments } from '../../compiler/index.js';
import type { RuleOutline } from './program-source.js';

/** The rule at a prefix of a path, or the package at its end. */
interface Place {
  readonly unit: VirtualDocument;
  /** Segments of the prefix. */
  readonly length: number;
}

export class RulePlaces {
  readonly #units: VirtualDocuments;

  constructor(tree: RuleTree) {
    this.#units = new VirtualDocuments(tree);
  }

  /** Undefined where only a base document can be. */
  locate(path: readonly string[]): Place | undefined {
    let unit = this.#units.root;
    for (const [length, key] of path.entries()) {
      if (unit.kind !== 'package') return { unit, length };
      const child = this.#units.child(unit, key);
      if (child === undefined) return undefined;
      unit = child;
    }
    return { unit, length: path.length };
  }

  /** The paths of the rules in a package but functions; of a rule, its own. */
  paths(unit: VirtualDocument = this.#units.root): (readonly string[])[] {
    if (unit.kind === 'function') return [];
    if (unit.kind !== 'package') return [unit.path];
    return this.#units.children(unit).flatMap(([, child]) => this.paths(child));
  }

  /** The names below a package; none below a rule. */
  namesAt(path: readonly string[]): readonly string[] {
    const place = this.locate(path);
    return place?.unit.kind === 'package' ? this.#units.children(place.unit).map(([key]) => key) : [];
  }

  outline(unit: VirtualDocument = this.#units.root): RuleOutline {
    if (unit.kind !== 'package') return unit.kind;
    return this.#units.children(unit).map(([key, child]) => [key, this.outline(child)] as const);
  }
}
