import { useState } from 'react';
import { type Extension, extensionKind } from '../../typed/kinds/extension.ts';
import { SecretDialog } from '../../typed/secret-dialog.tsx';
import { PagedTable, type TableColumn } from '../../ui/paged-table.tsx';
import { Age } from '../../ui/time.tsx';
import { CreateButton } from '../tenants/create-button.tsx';
import { ChildLink } from './child-link.tsx';
import { collectionPathOf } from './collections.ts';
import { Copied } from './item-facts.tsx';

const columns: readonly TableColumn<Extension>[] = [
  {
    name: 'Name',
    cell: ({ project, name }) => <ChildLink project={project} collection="extensions" name={name} />,
  },
  { name: 'Provider', cell: ({ spec }) => spec.provider_name },
  { name: 'Issuer of the provider', cell: ({ spec }) => <code>{spec.issuer_url}</code> },
  { name: 'Client id for the app', cell: ({ status }) => <code>{status.client_id}</code> },
  { name: 'Age', cell: (one) => <Age time={one.created_at} /> },
];

/** The logins that the platform does for the apps of a project. */
export function ExtensionsTab({ project }: { readonly project: string }) {
  const [created, setCreated] = useState<Extension | null>(null);
  const path = collectionPathOf(project, 'extensions');
  return (
    <>
      <PagedTable
        path={path}
        label="Extensions"
        what="list its extensions"
        none="No extensions yet"
        action={<CreateButton kind={extensionKind} path={path} project={project} onCreated={setCreated} />}
        keyOf={({ uid }) => uid}
        columns={columns}
      />
      {created?.client_secret === undefined ? null : (
        <SecretDialog
          title="Client secret of the app"
          secret={created.client_secret}
          onClose={() => setCreated(null)}
        >
          <dl className="facts">
            <dt>Client id</dt>
            <dd>
              <Copied text={created.status.client_id} label="the client id" />
            </dd>
            <dt>Issuer</dt>
            <dd>
              <Copied text={created.status.issuer} label="the issuer" />
            </dd>
            <dt>Register at {created.spec.provider_name}</dt>
            <dd>
              <Copied text={created.status.callback_url} label="the callback" />
            </dd>
          </dl>
        </SecretDialog>
      )}
    </>
  );
}
