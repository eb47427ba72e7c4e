-- migrate: create indexes concurrently
-- Bindings by what their scope is in. It is as small as there are bindings with a scope.
create index concurrently resources_binding_scopes on resources using gin (scope_uids) with (fastupdate = off) where scope_uids is not null;
