import { invalid, Problem } from '@platform/kernel';
import { type SentObject, storedBody } from '@platform/kubernetes';
import type { Answer } from '../../endpoint/answer.ts';
import { AnsweredVersion } from './answered-version.ts';
import { runNative } from './native-call.ts';
import { dryRunOf, isDryRun, type KubernetesDeps, type ObjectRequest } from './object-request.ts';
import { nameFaults } from './object-schemas.ts';
import { objectAnswers } from './reads.ts';
import { bodyOf, sentObject } from './sent-body.ts';
import { managerOf, requireNamespace, throwNamespaceMissing } from './writes.ts';

/** `create`. */
export async function createObject(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const sent = sentObject(request, await bodyOf(deps, request));
  // A create has no managers; a name that no other write takes is refused all the same.
  managerOf(request.query);
  requireNamespace(sent, request);
  if (sent.resourceVersion !== null) {
    throw new Problem('malformed_body', 'resourceVersion should not be set on objects to be created');
  }
  return sent.name === null
    ? await createGenerated(deps, request, sent)
    : await createNamed(deps, request, sent, sent.name);
}

async function createNamed(
  deps: KubernetesDeps,
  request: ObjectRequest,
  sent: SentObject,
  name: string,
): Promise<Answer> {
  const { call, kind, path, query, renderer } = request;
  request.named(name);
  const { generateName } = sent;
  const faults = await nameFaults(deps.ports.schemas, request.schemas.metadata, { name, generateName });
  if (faults.length > 0) throw invalid(faults, 'schema_violation');
  const created = runNative(deps, call, {
    method: 'POST',
    kind,
    namespace: path.namespace,
    query: dryRunOf(query),
    body: storedBody(sent, kind, { name }),
    answers: objectAnswers(renderer, new AnsweredVersion(isDryRun(query))),
  });
  return await created.catch(throwNamespaceMissing);
}

/** Names made from `generateName`, as Kubernetes makes them: random characters at the end, no longer than a label, and another try when it is taken. */
const generated = { random: 5, longest: 63, attempts: 8 };

async function createGenerated(
  deps: KubernetesDeps,
  request: ObjectRequest,
  sent: SentObject,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await createNamed(deps, request, sent, generatedName(deps, sent));
    } catch (error) {
      const isTaken = error instanceof Problem && error.code === 'already_exists';
      if (!isTaken || attempt === generated.attempts) throw error;
    }
  }
}

function generatedName({ ports }: KubernetesDeps, { generateName }: SentObject): string {
  if (generateName === null) {
    const message = 'name or generateName is required';
    throw invalid([{ path: '/metadata/name', message, reason: 'FieldValueRequired' }]);
  }
  const { random, longest } = generated;
  return generateName.slice(0, longest - random) + ports.identifiers.discriminator().slice(-random);
}
