import type { Extension } from '../../typed/kinds/extension.ts';
import { SecretDialog } from '../../typed/secret-dialog.tsx';
import type { CreatedProps } from './child-kind.ts';
import { Copied } from './item-facts.tsx';

/** The client secret for the app, which nothing shows again, and what the app and the provider need besides. */
export function CreatedExtension({ item, onClose }: CreatedProps<Extension>) {
  const { client_secret: secret, status, spec } = item;
  if (secret === undefined) return null;
  return (
    <SecretDialog title="Client secret of the app" secret={secret} onClose={onClose}>
      <dl className="facts">
        <dt>Client id</dt>
        <dd>
          <Copied text={status.client_id} label="the client id" />
        </dd>
        <dt>Issuer</dt>
        <dd>
          <Copied text={status.issuer} label="the issuer" />
        </dd>
        <dt>Register at {spec.provider_name}</dt>
        <dd>
          <Copied text={status.callback_url} label="the callback" />
        </dd>
      </dl>
    </SecretDialog>
  );
}
