/** Events that wait for their upload. When a buffer is full, the oldest events are dropped. */
import type { ChunkEncoder } from './chunk-encoder.js';
import type { Upload } from './upload.js';

export interface EventBuffer {
  /** Adds an event as JSON. */
  add(text: string): void;
  /** Makes all events that are there due, although they may not fill a chunk. */
  flush(): Promise<void>;
  /** The oldest events that are due or fill a chunk. They count until they are sent. */
  take(): Promise<readonly Upload[]>;
  sent(upload: Upload): void;
  /** Puts events that could not be sent in front again. */
  giveBack(uploads: readonly Upload[]): void;
  /** Puts the events of an upload that was too large for the service in front, for smaller ones. */
  split(upload: Upload): Promise<void>;
  /** Keeps an upload that the service refused apart, where it holds up no other. */
  setAside(upload: Upload): void;
  /** Takes the uploads that were set aside. They count until they are sent. */
  takeAside(): readonly Upload[];
  /** Events that have not been sent. */
  readonly count: number;
}

export interface BufferOptions {
  readonly encoder: ChunkEncoder;
  /** Bytes or events. */
  readonly limit: number;
  /** Called with the number of events that were dropped. */
  readonly lose: (count: number) => void;
  /** Called when there is a full chunk. */
  readonly onFull: () => void;
}
