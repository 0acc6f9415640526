/**
 * Writes events to a file, a JSON object on each line. A full file is renamed, and a new one begun.
 */

import { type FileHandle, open } from 'node:fs/promises';
import { fileErrorText } from '../../../../engine/node.js';
import type { PluginLogger } from '../../plugin.js';
import type { FileConfig } from './file-config.js';
import { renameDated, renameNumbered, tidyDated } from './rotation.js';

/** The most characters that wait to be written. */
const mostWaiting = 64 * 1024 * 1024;

/** Milliseconds between attempts while the disk is full or the folder missing. */
const retryMs = 1000;

export class FileSink {
  readonly config: FileConfig;
  readonly #logger: PluginLogger;
  #lines: string[] = [];
  #length = 0;
  #handle: FileHandle | undefined;
  #size = 0;
  #writing: Promise<void> | undefined;
  #tidying: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #failure = '';
  #isClosed = false;

  constructor(config: FileConfig, logger: PluginLogger) {
    this.config = config;
    this.#logger = logger;
  }

  /**
   * False for an event that is dropped because too many wait.
   * @param event an object of JSON
   */
  add(event: string): boolean {
    const { logger } = this.config;
    if (logger?.isOn === false) return true;
    const text = logger === undefined ? event : logLine(event);
    if (this.#length + text.length > mostWaiting) return false;
    this.#lines.push(text);
    this.#length += text.length;
    if (this.#retry === undefined) this.#write();
    return true;
  }

  /** Writes the waiting events, and closes the file. Returns the number of lost events. */
  async close(): Promise<number> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    await this.#writing;
    await this.#writeAll();
    await this.#handle?.close();
    this.#handle = undefined;
    await this.#tidying;
    return this.#lines.length;
  }

  /** Lines that are added meanwhile are written together. */
  #write(): void {
    this.#writing ??= Promise.resolve()
      .then(() => this.#writeAll())
      .finally(() => {
        this.#writing = undefined;
      });
  }

  async #writeAll(): Promise<void> {
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      try {
        await this.#append(Buffer.from(`${lines.join('\n')}\n`));
        for (const line of lines) this.#length -= line.length;
        this.#failure = '';
      } catch (error) {
        this.#lines = [...lines, ...this.#lines];
        this.#failed(error);
        return;
      }
    }
  }

  #failed(error: unknown): void {
    const message = fileErrorText(error);
    if (message !== this.#failure) this.#logger.error(`Log file cannot be written: ${message}.`);
    this.#failure = message;
    // Its events count as lost.
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#write();
    }, retryMs);
    this.#retry.unref();
  }

  async #append(bytes: Buffer): Promise<void> {
    if (this.#handle !== undefined && this.#size > 0 && this.#size + bytes.length > this.config.maxSizeBytes)
      await this.#rotate();
    if (this.#handle === undefined) {
      this.#handle = await open(this.config.path, 'a', 0o600);
      this.#size = (await this.#handle.stat()).size;
    }
    const start = this.#size;
    try {
      for (let from = 0; from < bytes.length; ) from += (await this.#handle.write(bytes, from)).bytesWritten;
    } catch (error) {
      // The lines are written again later, so none may stay in part.
      await this.#handle.truncate(start).catch(() => undefined);
      throw error;
    }
    this.#size = start + bytes.length;
  }

  async #rotate(): Promise<void> {
    await this.#handle!.close();
    this.#handle = undefined;
    const { logger } = this.config;
    if (logger === undefined) return await renameNumbered(this.config);
    await renameDated(this.config);
    // Events need not wait for the compression of a hundred megabytes.
    this.#tidying = this.#tidying
      .then(() => tidyDated(this.config, logger))
      .catch((error) => this.#logger.error(`Old log files cannot be tidied: ${fileErrorText(error)}.`))
      .then(() => undefined);
  }
}

/** The line of a log for an event. */
function logLine(event: string): string {
  const type = 'openpolicyagent.org/decision_logs';
  const line = JSON.stringify({ level: 'info', msg: 'Decision Log', time: new Date().toISOString(), type });
  return `${line.slice(0, -1)},${event.slice(1)}`;
}
