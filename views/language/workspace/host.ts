/** Files of a workspace, as the platform has them: a disk, or the memory of a page. */
export interface WorkspaceHost {
  /** The URIs of all files below a folder that may be policies or documents. */
  list(folder: string): AsyncIterable<string> | Iterable<string>;
  /** The text of a file; undefined where it cannot be read. */
  read(uri: string): Promise<string | undefined>;
  /** Reads a file without waiting, where the platform can. */
  readNow?(uri: string): string | undefined;
}
