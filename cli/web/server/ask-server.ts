/** Questions of a page to the server that it is from, with the token of its user. */

const tokenKey = 'writ-token';

/** An answer with another status than 200. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks with another token from now on, which is kept until the tab of the browser is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(tokenKey, token);
}

/** JSON of a route. Rejects with a Refusal. */
export async function askServer<T>(path: string): Promise<T> {
  return JSON.parse(await askServerText(path)) as T;
}

/** The text of a route, whose numbers keep all digits. Rejects with a Refusal. */
export async function askServerText(path: string, init: RequestInit = {}): Promise<string> {
  const token = sessionStorage.getItem(tokenKey);
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(init.body && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(path, { ...init, headers });
  const text = await answer.text();
  if (!answer.ok) throw new Refusal(answer.status, messageOf(text));
  return text;
}

/** The message of an error of the API, with those of its parts. */
function messageOf(text: string): string {
  try {
    const { message, errors = [] } = JSON.parse(text) as {
      readonly message: string;
      readonly errors?: readonly {
        readonly message: string;
        readonly location?: { readonly row: number; readonly col: number };
      }[];
    };
    const parts = errors.map(({ message: part, location: at }) => (at ? `${at.row}:${at.col}: ${part}` : part));
    return [message, ...parts].join('\n');
  } catch {
    return text;
  }
}
