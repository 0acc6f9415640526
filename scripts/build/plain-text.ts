/**
 * A minified script in ASCII, which no server can name a wrong encoding of, with the paths of other
 * scripts in quotes: some bundlers look for these.
 */
export function plainText(script: string): string {
  return script
    .replaceAll(/\b(import|new URL)\(`(\.{1,2}\/[\w./-]+)`/g, '$1("$2"')
    .replaceAll(/\\[\x01-\x7e]|\\?([\0\x7f-\uffff])/g, (found, character: string | undefined) =>
      character === undefined ? found : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
