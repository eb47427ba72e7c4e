-- The answers of providers that wait for the apps of a project are counted by its extensions, so those of a deleted one end with it. They
-- could not be redeemed any more.
create function delete_extension_codes() returns trigger language plpgsql as $$
begin
  delete from oauth_codes where extension_uid::text = old.uid::text;
  return null;
end $$;
create trigger extensions_codes after delete on extensions for each row execute function delete_extension_codes();
