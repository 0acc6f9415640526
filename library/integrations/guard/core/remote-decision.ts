/** One decision of a server. */
import type { RemoteConnection } from './remote-connection.js';
import { RemoteError } from './remote-error.js';

/** The answer of a policy. */
export interface Asked {
  readonly result: unknown;
  /** The id that a server has given to the decision. */
  readonly decisionId?: string | undefined;
}

export async function askAlone(connection: RemoteConnection, path: string, input: unknown): Promise<Asked> {
  const { status, body } = await connection.post(`v1/data/${path}`, { input });
  if (status !== 200) throw refused(connection, status, body);
  return readDecision(body);
}

/** A decision in a response: undefined documents have no result. */
export function readDecision(body: unknown): Asked {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RemoteError('remote_response', 'the server of decisions answered with something other than a decision');
  const { result, decision_id: id } = body as { readonly result?: unknown; readonly decision_id?: unknown };
  return { result, decisionId: typeof id === 'string' ? id : undefined };
}

/** @param body what the server says about it, perhaps */
export function refused({ origin }: { readonly origin: string }, status: number, body: unknown): RemoteError {
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const said = [code, message].filter((text) => typeof text === 'string').join(': ');
  return new RemoteError('remote_status', `${origin} answered ${status}${said && `: ${said}`}`, {
    remoteStatus: status,
  });
}
