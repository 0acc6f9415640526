/** The metadata that apply to a package or rule. */

import type { Annotations, Module, Ref, Rule, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import type { Diagnostics } from '../diagnostics/diagnostics.js';
import { locationOf, type Span } from '../source/location.js';
import type { CompiledModule } from './compiled-rule.js';
import { groundPrefix } from './tree.js';

/** The annotations that apply to packages and rules. */
export interface AnnotationSet {
  /** Blocks of scope `package` by the package's path (`data.a.b`). */
  readonly byPackage: ReadonlyMap<string, Annotations>;
  /** Blocks of scope `subpackages` by path. */
  readonly bySubpackages: ReadonlyMap<string, Annotations>;
  /** Blocks of scope `document` by the rule's path. */
  readonly byDocument: ReadonlyMap<string, Annotations>;
}

/**
 * The annotations of modules, in order of their names. A second block for one package or document
 * is a complaint.
 */
export function annotationSet(modules: Iterable<CompiledModule>, diagnostics?: Diagnostics): AnnotationSet {
  const byPackage = new Map<string, Annotations>();
  const bySubpackages = new Map<string, Annotations>();
  const byDocument = new Map<string, Annotations>();
  const add = (map: Map<string, Annotations>, path: string, block: Annotations): void => {
    const first = map.get(path);
    if (!first) map.set(path, block);
    else if (first !== block)
      diagnostics?.report('annotationRedeclared', block.loc, { scope: block.scope, other: place(first.loc) });
  };
  for (const { parsed, rules } of modules) {
    if (parsed.annotations.length === 0) continue;
    const path = printRef(parsed.package.path);
    for (const block of parsed.annotations) {
      if (block.scope === 'package') add(byPackage, path, block);
      else if (block.scope === 'subpackages') add(bySubpackages, path, block);
    }
    for (const { rule, ref } of rules) {
      for (const block of rule.annotations)
        if (block.scope === 'document') add(byDocument, printRef(groundPrefix(ref)), block);
    }
  }
  return { byPackage, bySubpackages, byDocument };
}

function place(loc: Span): string {
  const { file, row, col } = locationOf(loc);
  return file === '' ? `${row}:${col}` : `${file}:${row}`;
}

/** A link of a chain: a path, and the block that applies there. */
interface ChainLink {
  readonly path: readonly Term[];
  readonly annotations: Annotations | undefined;
}

/** The blocks of scope `rule` before a rule, the nearest first. */
export function annotationsOfRule(link: Rule): readonly Annotations[] {
  return link.annotations.filter(({ scope }) => scope === 'rule').toSorted((a, b) => b.loc.start - a.loc.start);
}

/** A rule by its full path and its package, which its annotations depend on. */
export interface AnnotatedRule {
  readonly ref: Ref;
  readonly module: { readonly parsed: Pick<Module, 'package'> };
}

/**
 * The annotations of a rule, from near to far: rule, document, package, and the packages around it.
 */
export function annotationChain(link: Rule, rule: AnnotatedRule, set: AnnotationSet): readonly ChainLink[] {
  const own = groundPrefix(rule.ref);
  const blocks = annotationsOfRule(link);
  const chain: ChainLink[] =
    blocks.length > 0
      ? blocks.map((annotations) => ({ path: own, annotations }))
      : [{ path: own, annotations: undefined }];
  const document = set.byDocument.get(printRef(own));
  if (document) chain.push({ path: own, annotations: document });
  const { path } = rule.module.parsed.package;
  const pkg = set.byPackage.get(printRef(path));
  if (pkg) chain.push({ path, annotations: pkg });
  if (set.bySubpackages.size > 0) {
    for (let length = path.length; length > 0; length--) {
      const around = path.slice(0, length);
      const block = set.bySubpackages.get(printRef(around));
      if (block) chain.push({ path: around, annotations: block });
    }
  }
  return chain;
}
