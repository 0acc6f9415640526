/** The query for the document at a path. */

import { callExpr, operatorRef, refTerm, stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Body } from '../../compiler/ast/nodes.js';
import { nowhere } from '../../compiler/source/location.js';

/** The variable of the document: a wildcard, for traces. */
const resultName = '$term1';

export function pathQuery(path: readonly string[]): Body {
  const terms = [varTerm(nowhere, 'data'), ...path.map((key) => stringTerm(nowhere, key))];
  return [callExpr(nowhere, operatorRef(nowhere, 'eq'), [refTerm(nowhere, terms), varTerm(nowhere, resultName)])];
}
