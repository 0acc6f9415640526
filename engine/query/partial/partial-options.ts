import type { RefTerm, RegoVersion, Term } from '../../../compiler/index.js';
import type { KnownDocuments } from '../long-documents.js';
import type { OnPlug } from '../plug-timer.js';
import type { Tracer } from '../tracer.js';
import type { AuthorVariables } from './residual/author-variables.js';

/** The known values of a partial evaluation, and the treatment of rules. */
export interface ResidualOptions {
  /** Refs into `input` and `data`. Others name nothing. */
  readonly unknowns: readonly Term[];
  /** Documents whose rules are not inlined, and all rules below them. */
  readonly disableInlining?: readonly RefTerm[];
  /** No rules are inlined, and equalities are not used to shorten the residual. */
  readonly shallowInlining?: boolean;
  /** Non-deterministic built-ins are evaluated. Default: they stay in the residual. */
  readonly nondeterministicBuiltins?: boolean;
  /** The version that modules of support are in. Default: `v1`. */
  readonly supportVersion?: RegoVersion;
  /** Asked for documents in which nothing is unknown, unless there is a tracer. */
  readonly known?: KnownDocuments | undefined;
  /** Gets the events of the evaluation. */
  readonly tracer?: Tracer | undefined;
  /** Gets the time of each term, expression and query that is written into the residual. */
  readonly plugged?: OnPlug | undefined;
  /** Gets the names that stand for variables of authors. */
  readonly variables?: AuthorVariables | undefined;
}
