-- migrate: create indexes concurrently
-- Sign-outs by e-mail address.
create index concurrently users_email on users (lower(email collate "C"));
