/** `moto_server` for tests: S3, STS, ECR and the metadata service of AWS in one program. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from '../set-up/concurrent-tests.js';
import { freePort } from './free-port.js';

/** Whether the program is installed. Tests that need it are skipped elsewhere. */
export const hasMoto = spawnSync('moto_server', ['--help'], { stdio: 'ignore' }).status === 0;
if (!hasMoto && process.env.WRIT_MOTO === 'required') throw new Error('moto_server is not installed');
if (!hasMoto) console.log('tests with S3 and STS are skipped: moto_server (pip install "moto[server]") is not installed');

/** Waits until a server answers. Rejects where its process ends before. */
export async function answering(url: string, process: ChildProcess): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (process.exitCode !== null) throw new Error(`the server of ${url} ended with ${process.exitCode}`);
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer`);
}

/** Starts a server for one test. `checksAfter` requests are taken without signatures. */
export async function startMoto(checksAfter?: number): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, ...(checksAfter !== undefined && { INITIAL_NO_AUTH_ACTION_COUNT: String(checksAfter) }) };
  const moto = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore', env });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        moto.on('exit', () => resolve());
        moto.kill('SIGKILL');
      }),
  );
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/moto-api/`, moto);
  return url;
}

/** Calls an action of a service that takes forms, such as `iam` and `sts`. */
export async function callMoto(url: string, service: string, parameters: Record<string, string>): Promise<string> {
  const authorization = `AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  const response = await fetch(url, { method: 'POST', headers: { authorization }, body: new URLSearchParams(parameters) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
