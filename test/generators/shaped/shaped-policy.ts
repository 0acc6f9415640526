/** The property that policies over documents of one shape have. */
import fc from 'fast-check';
import { generateDocuments } from './documents.js';
import { generateSetPolicy, generateShapedPolicy } from './rules.js';
import { type Counts, differenceOf, type PolicyTexts } from './ways.js';

const choices = (maxLength: number) => fc.noBias(fc.array(fc.nat(1000), { maxLength, size: 'max' }));

/** All ways to decide agree. */
export const shapedPolicies = (counts: Counts) => decidedAlike(counts, generateShapedPolicy);

/** Of rules that use sets of others. */
export const setPolicies = (counts: Counts) => decidedAlike(counts, generateSetPolicy);

const decidedAlike = (counts: Counts, generate: (choices: readonly number[]) => PolicyTexts) =>
  fc.asyncProperty(choices(1500), choices(3000), fc.boolean(), async (rules, documents, isStrict) => {
    const found = await differenceOf(generate(rules), generateDocuments(documents), isStrict, counts);
    if (found !== undefined) throw new Error(found);
  });
