/** Threads of a platform, as a pool starts and ends them. */
import type { EvaluationJob, EvaluationReport, ThreadData } from './messages.js';

export interface StartedThread {
  post(job: EvaluationJob): void;
  /** Whether the process stays alive for it. */
  hold(isHeld: boolean): void;
  end(): Promise<void>;
}

interface ThreadListeners {
  onReport(report: EvaluationReport): void;
  onError(error: unknown): void;
  /** It has ended, by itself or by `end`. */
  onExit(): void;
}

export interface ThreadPlatform {
  readonly processors: number;
  /** The megabytes of heap that a thread for these documents may fill. */
  heapFor(documents: Uint8Array): number;
  /** Throws where the platform cannot start a thread now. */
  start(data: ThreadData, listeners: ThreadListeners): StartedThread;
  /** Whether a thread could not be started for a reason that may pass. */
  mayPass(error: unknown): boolean;
  /** The error for the work of a thread that failed. */
  failure(error: unknown): Error;
}
