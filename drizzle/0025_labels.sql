-- Labels of resources, and the table that lists are selected with: `key=value` and `key` alone for each label, in the order of pages. Rows
-- without labels have no part in it.

alter table resources
  add column labels jsonb not null default '{}' constraint resources_labels_object check (jsonb_typeof(labels) = 'object');

-- The names of the ancestors as one text. The comma sorts before every character of a name, so that texts have the order of the names
-- themselves. Cut, because an entry of an index has at most 2,700 bytes; names that follow do not count for the order.
create function ancestor_path(ancestors text[]) returns text language sql immutable strict parallel safe
  return left(array_to_string(ancestors, ','), 1400);

create table resource_labels (
  label text collate "C" not null,
  api_group text collate "C" not null,
  kind text collate "C" not null,
  path text collate "C" not null,
  name text collate "C" not null,
  uid uuid not null,
  primary key (label, api_group, kind, path, name, uid)
);

-- A trigger, so that every statement that writes labels is covered. No foreign key: it would cost every deletion a look-up.
create function index_labels() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from resource_labels l
    using (select key || '=' || value as label from jsonb_each_text(old.labels) union all select jsonb_object_keys(old.labels)) as gone
    where l.label = gone.label and l.api_group = split_part(old.api_version, '/', 1) and l.kind = old.kind
      and l.path = ancestor_path(old.ancestors) and l.name = old.name and l.uid = old.uid;
  end if;
  if tg_op <> 'DELETE' then
    insert into resource_labels (label, api_group, kind, path, name, uid)
    select label, split_part(new.api_version, '/', 1), new.kind, ancestor_path(new.ancestors), new.name, new.uid
    from (select key || '=' || value as label from jsonb_each_text(new.labels) union all select jsonb_object_keys(new.labels)) as added
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger resources_labels_added after insert on resources
  for each row when (new.labels <> '{}') execute function index_labels();
create trigger resources_labels_changed after update of labels on resources
  for each row when (old.labels <> new.labels) execute function index_labels();
create trigger resources_labels_removed after delete on resources
  for each row when (old.labels <> '{}') execute function index_labels();

create function clear_labels() returns trigger language plpgsql as $$
begin
  truncate resource_labels;
  return null;
end $$;
create trigger resources_labels_truncated after truncate on resources
  for each statement execute function clear_labels();

-- Sets the lists from those of the parent; walks up only while the parent does not have them yet.
create or replace function set_ancestors() returns trigger language plpgsql as $$
begin
  select p.ancestors || p.name::text, p.ancestor_uids || p.uid into new.ancestors, new.ancestor_uids
  from resources p where p.uid = new.parent_uid and (p.parent_uid is null or p.ancestors <> '{}');
  if not found then
    select names, uids into new.ancestors, new.ancestor_uids from ancestors_below(new.parent_uid);
  end if;
  return new;
end $$;
