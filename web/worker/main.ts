/** The engine of the page, in a worker: answers the page's questions. */
import { answers } from './answers.js';
import type { Question, Reply } from './protocol.js';

addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  const { id, name, ask } = data;
  let reply: Reply;
  try {
    reply = { id, answer: await answers[name](ask as never) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  postMessage(reply);
});
