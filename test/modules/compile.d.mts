export const doorsKey: string;
export function compile(path: string, text: string): string;
