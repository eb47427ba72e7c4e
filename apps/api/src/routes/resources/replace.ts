import { replaceResource } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemAnswer } from './render.ts';
import { writeRequest } from './requests.ts';

/** `PUT` of an item, under optimistic concurrency. */
export const replace: Operation = async (call) =>
  itemAnswer(
    await replaceResource(call.ports, { ...writeRequest(call), body: await call.body() }),
    call.located,
  );
