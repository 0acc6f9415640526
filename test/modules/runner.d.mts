export function withImporter(error: unknown): unknown;
