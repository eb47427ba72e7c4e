import { useState } from 'react';
import { type Extension, extensionKind } from '../../typed/kinds/extension.ts';
import { Icon } from '../../ui/icon.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { ChildActions } from './child-actions.tsx';
import { ChildFrame, type ChildProps } from './child-frame.tsx';
import { childPath } from './collections.ts';
import { Doctor } from './doctor.tsx';
import { ExtensionOverview } from './extension-overview.tsx';
import { LoginLedger } from './login-ledger.tsx';
import { RotateSecret } from './rotate-secret.tsx';

/** An extension: how apps log in through it, what is wrong with it, and who did. */
export function ExtensionPage({ project, name }: ChildProps) {
  const [rotating, setRotating] = useState(false);
  const path = childPath(project, 'extensions', name);
  return (
    <ChildFrame<Extension>
      project={project}
      name={name}
      collection="extensions"
      actions={(item) => (
        <ChildActions
          kind={extensionKind}
          project={project}
          item={item}
          collection="extensions"
          warning={
            <p>Nobody can log in through it any more. Its client secrets and signing keys are destroyed.</p>
          }
        >
          <button type="button" className="button" onClick={() => setRotating(true)}>
            <Icon name="refresh" />
            Rotate the secret…
          </button>
          {rotating ? <RotateSecret extension={item} path={path} onClose={() => setRotating(false)} /> : null}
        </ChildActions>
      )}
    >
      {(item) => (
        <TabSet
          label={`Parts of ${name}`}
          tabs={[
            { id: 'overview', label: 'Overview', content: () => <ExtensionOverview extension={item} /> },
            { id: 'doctor', label: 'Doctor', content: () => <Doctor path={`${path}/doctor`} name={name} /> },
            {
              id: 'logins',
              label: 'Logins',
              content: () => <LoginLedger project={project} extension={name} />,
            },
          ]}
        />
      )}
    </ChildFrame>
  );
}
