/** Why a request is denied, for administrators and for users. */
import type { Compiled } from '../../../compiler/index.js';
import type { DocumentWhy, Explanation, RuleWhy, SourceLocation } from '../../../engine/index.js';
import { explanationText } from '../../../engine/index.js';
import type { PlainObject } from '../../../values/index.js';
import type { AccessAnswer } from './access-answer.js';

/** A text by language. */
type Reason = Readonly<Record<string, string>>;

/**
 * A denial with its reasons in the context, where the policy gives none itself: the explanation for
 * administrators, and for users what the metadata of a failed rule say (`custom: {reason_user}`).
 */
export function withReasons(answer: AccessAnswer, explanation: Explanation, compiled: Compiled): AccessAnswer {
  if (answer.decision) return answer;
  const user = userReason(explanation.documents, compiled);
  const reasons: PlainObject = {
    reason_admin: { en: explanationText(explanation).trimEnd() },
    ...(user !== undefined && { reason_user: user }),
  };
  return { decision: false, context: { ...reasons, ...answer.context } };
}

/** The reason of the first failed rule that has one, or of the rules that its expressions read. */
function userReason(documents: readonly DocumentWhy[], compiled: Compiled): Reason | undefined {
  for (const { rules } of documents)
    for (const rule of rules) {
      const own = rule.outcome === 'fails' ? reasonAt(rule.location, compiled) : undefined;
      const found = own ?? userReason(documentsBelow(rule), compiled);
      if (found !== undefined) return found;
    }
  return undefined;
}

function documentsBelow({ failed, held = [] }: RuleWhy): readonly DocumentWhy[] {
  return [...(failed?.documents ?? []), ...held.flatMap(({ documents = [] }) => documents)];
}

function reasonAt({ file, row }: SourceLocation, { modules }: Compiled): Reason | undefined {
  for (const { parsed } of modules.values()) {
    if (parsed.source.file !== file) continue;
    const rule = parsed.rules.find(({ loc }) => loc.row === row);
    for (const { custom } of rule?.annotations ?? []) {
      const reason = reasonOf(custom.reason_user);
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

/** A text, or texts by language. */
function reasonOf(value: unknown): Reason | undefined {
  if (typeof value === 'string') return { en: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
