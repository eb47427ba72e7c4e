import { createResource } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemAnswer } from './render.ts';
import { collectionRequest } from './requests.ts';

/** `POST` to a collection. The answer says where the new resource is (RFC 9110, section 15.3.2). */
export const create: Operation = async (call) => {
  const created = await createResource(call.ports, { ...collectionRequest(call), body: await call.body() });
  const answer = itemAnswer(created, call.located, 201);
  if ('outcome' in answer || 'outcome' in created) return answer;
  return { ...answer, headers: { ...answer.headers, Location: `${call.path}/${created.name}` } };
};
