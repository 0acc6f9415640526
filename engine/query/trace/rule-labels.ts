/** The labels of the rules that hold in an evaluation, as the decision log has them. */

import { type AnnotationSet, annotationChain, type CompiledRule, type Rule } from '../../../compiler/index.js';
import { keyText, type PlainObject } from '../../../values/index.js';
import type { TraceEvent, Tracer } from '../tracer.js';

export class LabelTracer implements Tracer {
  readonly wantsUnify = false;
  readonly wantsPrints = false;
  readonly #annotations: AnnotationSet;
  readonly #found = new Map<string, PlainObject>();

  constructor(annotations: AnnotationSet) {
    this.#annotations = annotations;
  }

  trace({ op, node }: TraceEvent): void {
    if (op !== 'exit' || node?.type !== 'rule') return;
    const labels = labelsOf(node.rule, node.compiled, this.#annotations);
    if (Object.keys(labels).length === 0) return;
    const key = keyText([labels]);
    if (!this.#found.has(key)) this.#found.set(key, labels);
  }

  /** The labels of each rule, in the order of their first solutions. Equal ones occur once. */
  get all(): readonly PlainObject[] {
    return [...this.#found.values()];
  }
}

/** The labels of a rule and of what is around it. The nearest value of a label counts. */
function labelsOf(link: Rule, rule: CompiledRule, annotations: AnnotationSet): PlainObject {
  const blocks = annotationChain(link, rule, annotations).map((block) => block.annotations?.labels ?? {});
  return Object.fromEntries(blocks.reverse().flatMap((labels) => Object.entries(labels))) as PlainObject;
}
