import { changeFinalizers } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemAnswer } from './render.ts';
import { writeRequest } from './requests.ts';

/** `PUT .../finalizers`: adds some, removes others. */
export const putFinalizers: Operation = async (call) => {
  const request = { ...writeRequest(call), body: await call.body(), controllerIds: call.controllerIds };
  return itemAnswer(await changeFinalizers(call.ports, request), call.located);
};
