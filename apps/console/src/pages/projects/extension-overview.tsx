import type { Extension } from '../../typed/kinds/extension.ts';
import { Card } from '../../ui/card.tsx';
import { Copied, type Fact, ItemFacts } from './item-facts.tsx';

/** The values that the provider and the app need, and the restrictions of the extension. */
export function ExtensionOverview({ extension }: { readonly extension: Extension }) {
  const { spec, status, name } = extension;
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const facts: readonly Fact[] = [
    ['Provider', spec.provider_name],
    ...(spec.description === undefined ? [] : [['Description', spec.description] as const]),
    ['Issuer of the provider', <code key="i">{spec.issuer_url}</code>],
    ['Client id at the provider', <code key="c">{spec.client_id}</code>],
    ['Register there', <Copied key="r" text={status.callback_url} label="the callback" />],
    ['Scopes', (spec.scopes ?? []).join(' ') || 'those of the provider’s discovery'],
    ['Redirect URIs', <Redirects key="u" uris={spec.redirect_uris ?? []} />],
    ['Redirects to localhost', spec.allow_localhost === false ? 'refused' : 'allowed'],
    ['Client secret', spec.client_type === 'confidential' ? 'always required' : 'or a code challenge (PKCE)'],
  ];
  return (
    <div className="cards">
      <ItemFacts item={extension} facts={facts} />
      <Card title="For the app">
        <dl className="facts">
          <dt>
            <code>{prefix}_CLIENT_ID</code>
          </dt>
          <dd>
            <Copied text={status.client_id} label="the client id" />
          </dd>
          <dt>
            <code>{prefix}_CLIENT_SECRET</code>
          </dt>
          <dd className="muted">shown when it is made; rotate it when it is lost</dd>
          <dt>
            <code>{prefix}_ISSUER</code>
          </dt>
          <dd>
            <Copied text={status.issuer} label="the issuer" />
          </dd>
          <dt>
            <code>PLATFORM_ISSUER</code>
          </dt>
          <dd>
            <Copied text={window.location.origin} label="the issuer of the platform" />
          </dd>
        </dl>
      </Card>
    </div>
  );
}

function Redirects({ uris }: { readonly uris: readonly string[] }) {
  if (uris.length === 0) return 'any path at the addresses of the project';
  return uris.map((uri) => (
    <div key={uri}>
      <code>{uri}</code>
    </div>
  ));
}
