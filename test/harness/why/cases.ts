/** Policies, questions and their explanations: for the library, the command and the API. */

import { bodies } from './bodies.js';
import type { WhyCase } from './case.js';
import { documents } from './documents.js';
import { expressions } from './expressions.js';
import { rules } from './rules.js';
import { texts } from './texts.js';

export const whyCases: readonly WhyCase[] = [...expressions, ...bodies, ...rules, ...documents, ...texts];
