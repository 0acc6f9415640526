/** The folders of the build's sources. */
export const folders: readonly string[];

export const stampFile: string;
export function fingerprint(root: string): string;
export function isBuilt(root: string): boolean;
