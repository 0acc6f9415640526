/** Uploads of events. Where there is no memory for them, the events are lost. */
import type { BufferOptions } from './event-buffer.js';
import type { Upload } from './upload.js';

type Losing = Pick<BufferOptions, 'encoder' | 'lose'>;

export async function encoded(texts: readonly string[], { encoder, lose }: Losing): Promise<readonly Upload[]> {
  return await encoder.encode(texts).catch(() => {
    lose(texts.length);
    return [];
  });
}

/** Smaller uploads with the events of one. */
export async function splitUp(upload: Upload, { encoder, lose }: Losing): Promise<readonly Upload[]> {
  return await encoder.split(upload).catch(() => {
    lose(upload.count);
    return [];
  });
}
