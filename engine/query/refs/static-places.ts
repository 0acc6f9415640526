/** The documents to which refs into data lead if nothing is replaced: found once for each ref. */

import type { RefTerm, VirtualDocument } from '../../../compiler/index.js';
import { childDocument } from '../child-document.js';
import type { SearchProgram, StaticPlace } from '../search.js';

export function staticPlaceOf({ root, places }: SearchProgram, ref: RefTerm): StaticPlace {
  let place = places.get(ref);
  if (place === undefined) places.set(ref, (place = findStaticPlace(root, ref)));
  return place;
}

function findStaticPlace(root: VirtualDocument, { terms }: RefTerm): StaticPlace {
  let document: VirtualDocument | undefined = root;
  let next = 1;
  for (const term of terms.slice(1)) {
    if (document?.kind !== 'package' || term.type !== 'string') break;
    document = childDocument(document, term.value);
    next++;
  }
  return { document, next };
}
