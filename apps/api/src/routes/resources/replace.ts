import { replaceResource } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemAnswer } from './render.ts';
import { itemRequest } from './requests.ts';

/** `PUT` of an item, under optimistic concurrency. */
export const replace: Operation = async (call) =>
  itemAnswer(
    await replaceResource(call.ports, { ...itemRequest(call), body: await call.body() }),
    call.located,
  );
