import { getResource } from '@platform/resources';
import type { Operation } from './call.ts';
import { itemAnswer } from './render.ts';
import { itemRequest } from './requests.ts';

/** `GET` of an item. */
export const get: Operation = async (call) =>
  itemAnswer(await getResource(call.ports, itemRequest(call)), call.located);
