type Owner = { readonly user: string } | { readonly team: string };

/** A person or a team. */
export function OwnerField({
  id,
  value,
  onChange,
  ...shared
}: {
  readonly id: string;
  readonly value: unknown;
  readonly onChange: (owner: Owner | undefined) => void;
}) {
  const owner = (value ?? { user: '' }) as Owner;
  const isTeam = 'team' in owner;
  const name = 'team' in owner ? owner.team : owner.user;
  const change = (team: boolean, now: string) => {
    if (now === '' && !team) onChange(undefined);
    else onChange(team ? { team: now } : { user: now });
  };
  return (
    <div className="row">
      <select
        className="input"
        aria-label="Kind of owner"
        value={isTeam ? 'team' : 'user'}
        onChange={({ target }) => change(target.value === 'team', '')}
      >
        <option value="user">Person</option>
        <option value="team">Team</option>
      </select>
      <input
        {...shared}
        id={id}
        className="input grow"
        autoComplete="off"
        placeholder={isTeam ? 'name of the team' : 'ann@example.dev'}
        value={name}
        onChange={({ target }) => change(isTeam, target.value)}
      />
    </div>
  );
}
