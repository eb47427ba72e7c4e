-- migrate: create indexes concurrently

-- How many bytes of answers of its provider wait for an extension. The uid is an expression, because the planner would otherwise choose this
-- index for a code that is looked up by its hash and its extension.
create index concurrently oauth_codes_extension on oauth_codes ((extension_uid::text), expires_at);
