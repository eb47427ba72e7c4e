import type { ReactNode } from 'react';
import type { TypedItem } from '../../typed/kind.ts';
import { deploymentKind, environmentKind } from '../../typed/kinds/environment.ts';
import { extensionKind } from '../../typed/kinds/extension.ts';
import { serviceAccountKind } from '../../typed/kinds/service-account.ts';
import type { TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { ChildFrame } from './child-frame.tsx';
import type { ChildKind } from './child-kind.ts';
import { ChildTab } from './child-tab.tsx';
import { Claims } from './claims.tsx';
import { CreatedDeployment } from './created-deployment.tsx';
import { CreatedExtension } from './created-extension.tsx';
import { CredentialState } from './credential-state.tsx';
import { DeploymentPage } from './deployment-page.tsx';
import { DeploymentsTab } from './deployments-tab.tsx';
import { EnvironmentPage } from './environment-page.tsx';
import { ExtensionPage } from './extension-page.tsx';
import { Copied } from './item-facts.tsx';

/** A collection below a project, whatever its items are. */
interface Collection {
  readonly name: string;
  readonly tab: string;
  readonly title: string;
  readonly renderTab: (project: string) => ReactNode;
  readonly renderPage: (project: string, name: string) => ReactNode;
}

const age: TableColumn<TypedItem> = { name: 'Age', cell: (one) => <Age time={one.created_at} /> };

/** The collections below a project, in the order of its tabs. A new kind needs an entry here and its form in `src/typed/kinds/`. */
export const collections: readonly Collection[] = [
  collectionOf({
    collection: 'environments',
    tab: 'environments',
    title: 'Environments',
    kind: environmentKind,
    columns: [age],
    warning: 'No deployment runs in it.',
    Page: EnvironmentPage,
  }),
  collectionOf({
    collection: 'deployments',
    tab: 'deployments',
    title: 'Deployments',
    // The tab has the choice of environments, and nothing of a deployment can be edited.
    kind: deploymentKind([]),
    columns: [
      { name: 'Environment', cell: ({ environment }) => environment },
      { name: 'Credential', cell: (deployment) => <CredentialState deployment={deployment} /> },
      {
        name: 'Last used',
        cell: (one) => (one.last_used_at === null ? 'never' : <Age time={one.last_used_at} />),
      },
      { name: 'Created by', cell: (one) => one.created_by ?? 'unknown' },
    ],
    warning: 'Its credential ends at once. Workload tokens that it already has end by themselves.',
    Tab: DeploymentsTab,
    Created: CreatedDeployment,
    Page: DeploymentPage,
  }),
  collectionOf({
    collection: 'service-accounts',
    tab: 'accounts',
    title: 'Service accounts',
    kind: serviceAccountKind,
    columns: [
      { name: 'E-mail', cell: ({ email }) => <code>{email}</code> },
      { name: 'Issuer', cell: (one) => <code>{one.issuer_url}</code> },
      { name: 'Claims', cell: ({ claims }) => <Claims claims={claims} /> },
      age,
    ],
    facts: (item) => [
      ['E-mail', <Copied key="e" text={item.email} label="the e-mail address" />],
      ['Issuer', <code key="i">{item.issuer_url}</code>],
      ['Claims', <Claims key="c" claims={item.claims} />],
    ],
    warning: 'Its tokens end at once, and role bindings that name it grant nothing any more.',
  }),
  collectionOf({
    collection: 'extensions',
    tab: 'extensions',
    title: 'Extensions',
    kind: extensionKind,
    columns: [
      { name: 'Provider', cell: ({ spec }) => spec.provider_name },
      { name: 'Issuer of the provider', cell: ({ spec }) => <code>{spec.issuer_url}</code> },
      { name: 'Client id for the app', cell: ({ status }) => <code>{status.client_id}</code> },
      age,
    ],
    warning: 'Nobody can log in through it any more. Its client secrets and signing keys are destroyed.',
    Created: CreatedExtension,
    Page: ExtensionPage,
  }),
];

/** The collection of that name, if projects have it. */
export function collectionNamed(name: string): Collection | undefined {
  return collections.find((one) => one.name === name);
}

function collectionOf<T extends TypedItem>(child: ChildKind<T>): Collection {
  const { collection, tab, title, Tab = ChildTab, Page = ChildFrame } = child;
  return {
    name: collection,
    tab,
    title,
    renderTab: (project) => <Tab child={child} project={project} />,
    // The key, because two kinds may have the same component, which would keep its state.
    renderPage: (project, name) => <Page key={collection} child={child} project={project} name={name} />,
  };
}
