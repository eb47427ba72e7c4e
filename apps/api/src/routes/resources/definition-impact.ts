import {
  type DefinitionImpact,
  impactOfDefinition,
  type ResolvedTarget,
  resourceDefinitions,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { ResourceCall } from './call.ts';
import type { ResourceOperation } from './operation.ts';

/** How long stored resources are validated. The request itself has more time. */
const longestMs = 3_000;

/** Whether the operation replaces a definition. */
export function changesDefinition(
  { form, method }: Pick<ResourceOperation, 'form' | 'method'>,
  { collection }: Pick<ResolvedTarget, 'collection'>,
): boolean {
  return form === 'item' && method === 'PUT' && collection === resourceDefinitions;
}

/** Adds to the answer of a dry run how the changed definition would affect the stored resources. */
export async function withImpact(call: ResourceCall, answer: Answer): Promise<Answer> {
  const deadline = performance.now() + longestMs;
  const body = await call.body();
  const impact = await impactOfDefinition(call.ports, call, body, () => performance.now() < deadline);
  const envelope = String(answer.body).slice(0, -1);
  return { ...answer, body: `${envelope},"impact":${renderImpact(impact)},"complete":${impact.complete}}` };
}

function renderImpact({ versions }: DefinitionImpact): string {
  const shown = [...versions].map(([name, { rows, invalid, samples }]) => [
    name,
    {
      rows,
      invalid,
      samples: samples.map(({ resource, errors }) => ({ identity: resource, ...resource, errors })),
    },
  ]);
  return JSON.stringify(Object.fromEntries(shown));
}
