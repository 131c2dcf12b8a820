import * as z from 'zod';
import { questionBatchSchema } from './contract.ts';

/**
 * The contract as JSON Schema for `tools/list`, made from the same zod schema that judges the call. `multiSelect` is
 * listed as required, so that models decide it on purpose, although a missing one is taken as false. Called at build
 * time: the bridge carries the result, not zod.
 */
export function askInputSchema(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(questionBatchSchema, { io: 'input' }) as Record<string, unknown>;
  const questions = at(schema, 'properties', 'questions', 'items');
  questions['required'] = ['question', 'header', 'options', 'multiSelect'];
  delete at(questions, 'properties', 'multiSelect')['default'];
  const header = at(questions, 'properties', 'header');
  header['minLength'] = 1;
  header['maxLength'] = 12;
  return schema;
}

function at(node: Record<string, unknown>, ...path: string[]): Record<string, unknown> {
  return path.reduce((inner, key) => inner[key] as Record<string, unknown>, node);
}
