export const stampFile: string;
export function fingerprint(root: string): string;
export function isBuilt(root: string): boolean;
