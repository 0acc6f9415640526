/** `POST /v1/transactions`: several writes in one step, or none. */
import { CompileErrors } from '../../../compiler/index.js';
import { Metrics } from '../../../engine/index.js';
import type { AppContext } from '../../control/app-context.js';
import { preconditionFailed } from '../etags.js';
import { authorizeAs } from '../middleware/authorize.js';
import type { Exchange } from '../requests/exchange.js';
import { atOperation, type TransactionOperation, transactionOf } from '../requests/transaction.js';
import { type HttpAnswer, textAnswer } from '../responses/answer.js';
import { ApiError, apiErrorOf, moduleErrors } from '../responses/api-error.js';
import { envelope } from '../responses/envelope.js';
import { type ClientWrite, writeTo } from '../writes.js';

export async function postTransaction(exchange: Exchange, context: AppContext): Promise<HttpAnswer> {
  const metrics = new Metrics();
  const operations = await transactionOf(exchange, context.settings);
  await authorizeOperations(operations, exchange, context);
  const { maxStatementTokens } = context.settings.limits;
  try {
    await writeTo(context, exchange, operations.map(wantedWrite), { metrics, maxStatementTokens, checksHeap: true });
  } catch (error) {
    throw error instanceof CompileErrors ? moduleErrors(error) : error;
  }
  const shown = exchange.params.on('metrics') ? metrics.toJson() : undefined;
  return textAnswer(200, envelope({ metrics: shown, revision: exchange.revision }, exchange.params.on('pretty')));
}

/**
 * Asks the policy about each operation as about the request that writes alone: a policy that denies
 * that must not be passed by.
 */
export async function authorizeOperations(
  operations: readonly TransactionOperation[],
  exchange: Exchange,
  context: AppContext,
): Promise<void> {
  if (context.settings.authorization === 'off') return;
  for (const [i, { method, path }] of operations.entries()) {
    try {
      await authorizeAs(exchange, context, { method, path });
    } catch (error) {
      throw error instanceof ApiError ? atOperation(i, error) : error;
    }
  }
}

/** A write whose condition does not hold refuses the transaction. */
function wantedWrite({ write }: TransactionOperation, index: number): ClientWrite {
  return {
    part: write.part,
    async isWanted(engine) {
      try {
        if (!(await write.isWanted(engine))) throw preconditionFailed('If-None-Match: it is there already');
        return true;
      } catch (error) {
        throw atOperation(index, apiErrorOf(error));
      }
    },
  };
}
