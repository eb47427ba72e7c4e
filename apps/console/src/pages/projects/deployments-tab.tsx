import { useMemo } from 'react';
import { type Deployment, deploymentKind, type Environment } from '../../typed/kinds/environment.ts';
import { useFew } from '../../typed/use-item.ts';
import type { ChildTabProps } from './child-kind.ts';
import { ChildTab } from './child-tab.tsx';
import { collectionPathOf } from './paths.ts';

/** The deployments of a project. A new one is in one of its environments. */
export function DeploymentsTab(tab: ChildTabProps<Deployment>) {
  const { data } = useFew<Environment>(collectionPathOf(tab.project, 'environments'));
  const kind = useMemo(
    () => (data === undefined ? null : deploymentKind(data.items.map(({ name }) => name))),
    [data],
  );
  return <ChildTab {...tab} kind={kind} />;
}
