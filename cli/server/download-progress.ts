/** Downloads of a server as a line of progress: bundles, and other long answers of services. */
import { basename } from 'node:path/posix';
import { standardErrorSink } from '../../server/index.js';
import type { HostNetwork, NetworkRequest, NetworkResponse } from '../../values/index.js';
import type { Io } from '../io.js';
import { Progress, type ProgressLine } from '../output/progress.js';

interface Download {
  readonly name: string;
  received: number;
  total: number | undefined;
}

export class DownloadProgress {
  readonly #progress: Progress;
  readonly #running = new Set<Download>();

  constructor(write: Io['stderr'], options: ProgressLine) {
    this.#progress = new Progress(write, options);
  }

  /** Writes a line of the log in the place of the progress. */
  log(line: string, isAwaited: boolean): boolean {
    this.#progress.erase();
    return standardErrorSink().write(line, isAwaited);
  }

  /** The same network, whose downloads are shown. */
  network(network: HostNetwork): HostNetwork {
    return { ...network, request: (request, signal) => this.#request(network, request, signal) };
  }

  async #request(network: HostNetwork, request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse> {
    const download: Download = {
      name: basename(new URL(request.url).pathname),
      received: 0,
      total: undefined,
    };
    const onBody = (received: number, total: number | undefined) => {
      this.#running.add(Object.assign(download, { received, total }));
      this.#progress.stage(downloadsText([...this.#running]));
    };
    try {
      return await network.request({ ...request, onBody }, signal);
    } finally {
      this.#running.delete(download);
      if (this.#running.size === 0) this.#progress.end();
    }
  }
}

function downloadsText(downloads: readonly Download[]): string {
  const [first, ...others] = downloads;
  const what = first !== undefined && others.length === 0 ? first.name : `${downloads.length} files`;
  const received = downloads.reduce((sum, one) => sum + one.received, 0);
  const total = downloads.reduce<number | undefined>(
    (sum, one) => (sum === undefined || one.total === undefined ? undefined : sum + one.total),
    0,
  );
  return `downloading ${what}: ${megabytes(received)}${total === undefined ? '' : ` of ${megabytes(total)}`} MB`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
