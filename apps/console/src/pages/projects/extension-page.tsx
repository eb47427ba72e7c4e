import { useState } from 'react';
import type { Extension } from '../../typed/kinds/extension.ts';
import { Icon } from '../../ui/icon.tsx';
import { TabSet } from '../../ui/tab-set.tsx';
import { ChildFrame } from './child-frame.tsx';
import type { ChildPageProps } from './child-kind.ts';
import { Doctor } from './doctor.tsx';
import { ExtensionOverview } from './extension-overview.tsx';
import { LoginsTab } from './logins-tab.tsx';
import { childPath } from './paths.ts';
import { RotateSecret } from './rotate-secret.tsx';

/** An extension: how apps log in through it, what is wrong with it, and who did. */
export function ExtensionPage(page: ChildPageProps<Extension>) {
  const { child, project, name } = page;
  const [rotating, setRotating] = useState(false);
  const path = childPath(project, child.collection, name);
  return (
    <ChildFrame
      {...page}
      buttons={(item) => (
        <>
          <button type="button" className="button" onClick={() => setRotating(true)}>
            <Icon name="refresh" />
            Rotate the secret…
          </button>
          {rotating ? <RotateSecret extension={item} path={path} onClose={() => setRotating(false)} /> : null}
        </>
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
              content: () => <LoginsTab project={project} extension={name} />,
            },
          ]}
        />
      )}
    </ChildFrame>
  );
}
