-- Bootstrap credentials that expire, say who made them and when they were used, and can be rotated.

alter table deployments
  -- Null for a credential of a release that knew no expiry: it is valid until it is rotated or its deployment is deleted.
  add column credential_expires_at timestamptz(3),
  add column credential_created_by text,
  add column credential_last_used_at timestamptz(3),
  -- The credential before the last rotation, valid until then.
  add column previous_credential_hash hex_sha256 constraint deployments_previous_credential_hash_key unique,
  add column previous_credential_expires_at timestamptz(3),
  add constraint deployments_previous_credential
    check ((previous_credential_hash is null) = (previous_credential_expires_at is null));
