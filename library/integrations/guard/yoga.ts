/** A guard for GraphQL Yoga: `import { guard } from 'writ/yoga'`. */
import { GraphQLError } from 'graphql';
import type { GuardDecision } from './core/decision.js';
import { denialBody } from './core/denial.js';
import { type GraphQLDocument, type GraphQLOperation, operationOf } from './core/graphql-operation.js';
import { createGuard, type GuardOptions, type Outcome } from './core/guard.js';
import type { Checked, InputOf } from './core/input-types.js';

/** The facts of an operation for a policy. */
export interface GuardedOperation<Context> extends GraphQLOperation {
  readonly context: Context;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Execution {
  readonly args: {
    readonly document: GraphQLDocument;
    readonly operationName?: string | null | undefined;
    readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
    readonly contextValue: unknown;
  };
  setResultAndStopExecution(result: { errors: GraphQLError[] }): void;
}

/**
 * A plugin that asks a policy before each operation. A denial is an error with the code FORBIDDEN
 * and the reasons.
 * @example
 * type Operation = GuardedOperation<{ user: string }>;
 * const inputOf = ({ context, fields }: Operation) => ({ user: context.user, fields });
 * createYoga({ schema, plugins: [guard(allow, inputOf)] });
 */
export function guard<Input, const Made extends Checked<Input, Made>, Context>(
  decision: GuardDecision<Input>,
  input: InputOf<[GuardedOperation<Context>], Made>,
  options?: GuardOptions<GuardedOperation<Context>, NoInfer<Made>>,
): Record<'onExecute' | 'onSubscribe', (execution: Execution) => Promise<void>> {
  const check = createGuard(decision, input, options);
  const beforeOperation = async ({ args, setResultAndStopExecution: answer }: Execution) => {
    const { document, operationName, variableValues, contextValue } = args;
    const operation = operationOf(document, operationName);
    const outcome = await check({ ...operation, variables: variableValues ?? {}, context: contextValue as Context });
    if (!outcome.allowed) answer({ errors: [denialError(outcome)] });
  };
  return { onExecute: beforeOperation, onSubscribe: beforeOperation };
}

function denialError(denial: Outcome): GraphQLError {
  const { message, error: _, ...body } = denialBody(denial);
  const extensions = { code: 'FORBIDDEN', ...body, http: { status: denial.status, headers: denial.headers } };
  return new GraphQLError(message, { extensions });
}
