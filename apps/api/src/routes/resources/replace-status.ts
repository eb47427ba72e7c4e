import { replaceStatus } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemAnswer } from './render.ts';
import { writeRequest } from './requests.ts';

/** `PUT .../status`: one slot, the caller's own unless an operator names another. */
export const putStatus: Operation = async (call) => {
  const request = { ...writeRequest(call), body: await call.body(), query: call.query() };
  return itemAnswer(await replaceStatus(call.ports, request), call.located);
};
