/** Policies, questions and their explanations: for the library, the command and the API. */

import { bodies } from './cases/bodies-testing.js';
import type { WhyCase } from './cases/case-testing.js';
import { documents } from './cases/documents-testing.js';
import { expressions } from './cases/expressions-testing.js';
import { rules } from './cases/rules-testing.js';
import { texts } from './cases/texts-testing.js';

export const whyCases: readonly WhyCase[] = [...expressions, ...bodies, ...rules, ...documents, ...texts];
