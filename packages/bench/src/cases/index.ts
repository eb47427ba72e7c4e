import { levels, note } from '../stage/kinds.ts';
import type { BenchCase } from './case.ts';
import { changeFinalizers } from './change-finalizers.ts';
import { create } from './create.ts';
import { deleteLeaf } from './delete-leaf.ts';
import { exchange } from './exchange.ts';
import { floors } from './floors.ts';
import { ingressToken } from './ingress-token.ts';
import { listPage } from './list-page.ts';
import { fullLogin } from './oauth-login.ts';
import { readByUid } from './read-by-uid.ts';
import { readItem } from './read-item.ts';
import { replace } from './replace.ts';
import { replaceStatus } from './replace-status.ts';
import { whoAmI } from './who-am-i.ts';

/**
 * Everything that is measured at several numbers of connections, in the order of a round. What a target compares stands side by side: on a
 * machine that others use, floors that were all measured first lay minutes apart from their cases, and told of another machine.
 */
export const cases: readonly BenchCase[] = [
  readItem(0),
  floors.express,
  readItem(1),
  floors.http,
  floors.select,
  readItem(2),
  readItem(8),
  readByUid,
  floors.page,
  listPage,
  floors.insert,
  create(levels[1], 'with schema', false),
  create(note, 'without schema', false),
  create(levels[1], 'with schema and owner', true),
  floors.updateSpec,
  replace,
  floors.updateStatus,
  replaceStatus,
  changeFinalizers,
  deleteLeaf,
  whoAmI,
  exchange,
  ingressToken,
  fullLogin('OAuth'),
  fullLogin('OpenID Connect'),
];
