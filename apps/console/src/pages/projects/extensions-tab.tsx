import type { components } from 'platform-service-client/api-types';
import { usePages } from '../../api/use-pages.ts';
import { Card } from '../../ui/card.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Doctor } from './doctor.tsx';

type Extension = components['schemas']['Extension'];

/** The extensions of a project, each with its settings and its doctor. */
export function ExtensionsTab({ path }: { readonly path: string }) {
  const { items, error, refresh } = usePages<Extension>(`${path}/extensions`);
  if (error !== null) return <Failure error={error} what="list its extensions" retry={refresh} />;
  if (items === undefined) return <Loading />;
  if (items.length === 0) return <Empty title="No extensions yet" />;
  return (
    <div className="stack">
      {items.map((extension) => (
        <Card key={extension.uid} title={extension.name}>
          <div className="stack">
            <dl className="facts">
              <dt>Provider</dt>
              <dd>{extension.spec.provider_name}</dd>
              <dt>Issuer</dt>
              <dd>
                <code>{extension.spec.issuer_url}</code>
              </dd>
              <dt>Client id at the provider</dt>
              <dd>
                <code>{extension.spec.client_id}</code>
              </dd>
              <dt>Client id for the app</dt>
              <dd>
                <code>{extension.status.client_id}</code>
              </dd>
              <dt>Scopes</dt>
              <dd>{(extension.spec.scopes ?? []).join(' ') || <span className="muted">default</span>}</dd>
            </dl>
            <Doctor
              path={`${path}/extensions/${encodeURIComponent(extension.name)}/doctor`}
              name={extension.name}
            />
          </div>
        </Card>
      ))}
    </div>
  );
}
