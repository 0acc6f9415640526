/** The first lines of files of declarations, by which later runs know what they may replace. */

const start = 'Made by writ from ';

/** The first line's comment in the module and the declarations of a policy file. */
export function fileTitle(file: string): string {
  return `${start}${file.split(/[\\/]/).at(-1)}; changes are lost`;
}

/** The first line of the map of decisions. */
export const mapTitle = `${start}policies; changes are lost`;

/** Whether a text begins with such a line. */
export function isMade(text: string): boolean {
  return text.startsWith(`// ${start}`);
}
