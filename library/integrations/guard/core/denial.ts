/** How a denial is told to the one who asked. */
import type { Outcome } from './guard.js';

/** The body of a denial's response. */
export interface DenialBody {
  readonly error: string;
  readonly message: string;
  /** Left out where the policy gives none. */
  readonly reasons?: readonly string[];
  readonly decision_id: string;
}

const titles: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };

export function denialBody({ reasons, status, decisionId }: Outcome): DenialBody {
  const error = titles[status] ?? 'Denied';
  return {
    error,
    message: denialMessage(reasons, error),
    ...(reasons.length > 0 && { reasons }),
    decision_id: decisionId,
  };
}

function denialMessage(reasons: readonly string[], title: string): string {
  return reasons.length === 0 ? title : reasons.join('; ');
}

/** The response of a denial, where a framework works with these. */
export function denialResponse(denial: Outcome): Response {
  return Response.json(denialBody(denial), { status: denial.status, headers: denial.headers });
}
