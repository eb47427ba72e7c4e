-- Names of deleted projects: cloud roles and apps that trust a name must not meet another project behind it at once.

create table reserved_project_names (
  name label_name primary key,
  deleted_at timestamptz(3) not null
);

-- A trigger, so that projects that a replica of the previous version deletes during an upgrade are reserved too.
create function reserve_project_name() returns trigger language plpgsql as $$
begin
  insert into reserved_project_names (name, deleted_at) values (old.name, now())
    on conflict (name) do update set deleted_at = excluded.deleted_at;
  return null;
end $$;
create trigger projects_reserve_name after delete on projects for each row execute function reserve_project_name();
