/** URIs of files, and the names that messages show for them. */

/** The path of a `file:` URI; of another one its path as well. */
export function pathOfUri(uri: string): string {
  const [, , path = uri] = /^([a-zA-Z][\w+.-]*):(?:\/\/[^/]*)?(.*)$/s.exec(uri) ?? [];
  return decoded(path.replace(/[?#].*$/s, ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `encodeURIComponent` leaves out some that editors encode as well. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The same URI for all ways to write it: editors differ in what they encode. */
export function normalUri(uri: string): string {
  const [, scheme, authority = '', path] = /^([a-zA-Z][\w+.-]*):(\/\/[^/]*)?(.*)$/s.exec(uri) ?? [];
  if (scheme === undefined || path === undefined) return uri;
  return `${scheme}:${authority}${decoded(path).split('/').map(encodeSegment).join('/')}`;
}

/** The path of a URI from the nearest of some folders; the whole path where it is in none. */
export function nameOfUri(uri: string, folders: readonly string[]): string {
  const inside = folders
    .filter((folder) => uri.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (inside === undefined) return pathOfUri(uri);
  return pathOfUri(uri).slice(pathOfUri(inside).replace(/\/$/, '').length + 1);
}
