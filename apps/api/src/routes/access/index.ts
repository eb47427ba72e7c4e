import type { Endpoint } from '../../endpoint/descriptor.ts';
import type { ResourceDeps } from '../resources/index.ts';
import { accessCheck } from './check.ts';
import { accessSubjects } from './subjects.ts';

/** Questions about access: whether a request would be allowed, and who may send it. */
export const accessEndpoints: readonly Endpoint<ResourceDeps>[] = [accessCheck, accessSubjects];
