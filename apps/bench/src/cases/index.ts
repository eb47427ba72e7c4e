import type { BenchCase } from '../bench-case.ts';
import { kindAt, note } from '../fixture/kinds.ts';
import { accessCases } from './access.ts';
import { baselines } from './baselines.ts';
import { create, deleteLeaf } from './create-and-delete.ts';
import { createObject, getObject, listObjects } from './kubernetes.ts';
import { fullLogin } from './oauth-login.ts';
import { listPage, readByUid, readItem, whoAmI } from './reads.ts';
import { exchange, ingressToken } from './tokens.ts';
import { changeFinalizers, replace, replaceStatus } from './writes.ts';

/**
 * Every case that is measured at several numbers of connections, in the order of a round. A case and its baseline are neighbours, so that
 * both are measured under the same conditions on a machine with changing load.
 */
export const cases: readonly BenchCase[] = [
  readItem(0),
  baselines.express,
  readItem(1),
  getObject,
  baselines.http,
  baselines.select,
  readItem(2),
  readItem(8),
  readByUid,
  baselines.page,
  listPage,
  listObjects,
  baselines.insert,
  create(kindAt(1), 'with schema', false),
  createObject,
  create(note, 'without schema', false),
  create(kindAt(1), 'with schema and owner', true),
  baselines.updateSpec,
  replace,
  baselines.updateStatus,
  replaceStatus,
  changeFinalizers,
  baselines.delete,
  deleteLeaf,
  whoAmI,
  exchange,
  ingressToken,
  ...accessCases,
  fullLogin('OAuth'),
  fullLogin('OpenID Connect'),
];
