import { StateBadge } from '../ui/state-badge.tsx';

/** The effect of a changed definition on the stored resources, by version. */
export type Impact = Readonly<
  Record<
    string,
    {
      readonly rows: number;
      readonly invalid: number;
      readonly samples: readonly {
        readonly name: string;
        readonly uid: string;
        readonly errors: readonly { readonly path: string; readonly message: string }[];
      }[];
    }
  >
>;

export function ImpactTable({ impact, complete }: { readonly impact: Impact; readonly complete: boolean }) {
  return (
    <div className="table-box">
      <table className="table">
        <caption className="label">
          Stored resources under the new schema{complete ? '' : ' (a part was checked)'}
        </caption>
        <thead>
          <tr>
            <th>Version</th>
            <th className="number">Rows</th>
            <th>Result</th>
            <th>Examples</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(impact).map(([version, { rows, invalid, samples }]) => (
            <tr key={version}>
              <td>{version}</td>
              <td className="number">{rows}</td>
              <td>
                <StateBadge state={invalid === 0 ? 'ready' : 'failed'}>
                  {invalid === 0 ? 'all valid' : `${invalid} invalid`}
                </StateBadge>
              </td>
              <td>
                {samples.map(({ uid, name, errors }) => (
                  <div key={uid}>
                    {name}: {errors.map(({ path, message }) => `${path} ${message}`).join('; ')}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
