import type { Deployment } from '../../typed/kinds/environment.ts';
import { SecretDialog } from '../../typed/secret-dialog.tsx';
import type { CreatedProps } from './child-kind.ts';

/** The credential of a new deployment, which nothing shows again. */
export function CreatedDeployment({ item, onClose }: CreatedProps<Deployment>) {
  if (item.bootstrap_credential === undefined) return null;
  return (
    <SecretDialog title="Bootstrap credential" secret={item.bootstrap_credential} onClose={onClose}>
      <p>
        The deployment in {item.environment} exchanges it for workload tokens. When it is lost, rotate it.
      </p>
    </SecretDialog>
  );
}
