/** A project in the fragment of an address: compressed JSON. Nothing is sent anywhere. */

/** The parts of the page that a link holds. */
export interface LinkedProject {
  readonly files: readonly { readonly file: string; readonly text: string }[];
  readonly input: string;
  readonly data: string;
  readonly query: string;
}

const prefix = 'p=';
/** The most bytes that are read from a link: a short text may inflate to gigabytes. */
const mostBytes = 8_000_000;

/** The fragment without `#`. */
export async function linkOf(project: LinkedProject): Promise<string> {
  const { files, input, data, query } = project;
  const text = JSON.stringify({ files: files.map(({ file, text }) => [file, text]), input, data, query });
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return prefix + toBase64Url(bytes);
}

/**
 * The project of a fragment; undefined for a fragment without one. Rejects where it is damaged.
 */
export async function linkedProject(fragment: string): Promise<LinkedProject | undefined> {
  const text = fragment.replace(/^#/, '');
  if (!text.startsWith(prefix)) return undefined;
  const { files, input, data, query } = JSON.parse(await inflated(fromBase64Url(text.slice(prefix.length)))) as {
    files: unknown;
    input: unknown;
    data: unknown;
    query: unknown;
  };
  const isNamed = (one: unknown): one is [string, string] =>
    Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
  const isText = (one: unknown): one is string => typeof one === 'string';
  if (!Array.isArray(files) || !files.every(isNamed) || ![input, data, query].every(isText))
    throw new Error('the link does not hold a project');
  return {
    files: files.map(([file, text]) => ({ file, text })),
    input: input as string,
    data: data as string,
    query: query as string,
  };
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    read += value.length;
    if (read > mostBytes) {
      await reader.cancel();
      throw new Error(`the project of the link is larger than ${mostBytes / 1_000_000} MB`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0));
}
