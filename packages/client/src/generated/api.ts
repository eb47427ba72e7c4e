/**
 * The types of the API, generated from its OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly ResourceCreate: {
            readonly apiVersion: string;
            readonly kind: string;
            readonly metadata: {
                /** @example my-app */
                readonly name: string;
                /**
                 * @description Keys and values as in Kubernetes; see docs/find.md.
                 * @example {
                 *       "app": "shop",
                 *       "example.dev/tier": "web"
                 *     }
                 */
                readonly labels?: {
                    readonly [key: string]: string;
                };
                /**
                 * @example {
                 *       "example.dev/team": "makers"
                 *     }
                 */
                readonly annotations?: {
                    readonly [key: string]: string;
                };
                /**
                 * @description Duplicates are stored once.
                 * @example []
                 */
                readonly finalizers?: readonly string[];
                /** @example [] */
                readonly ownerReferences?: readonly {
                    readonly apiVersion: string;
                    readonly kind: string;
                    readonly name: string;
                    /** Format: uuid */
                    readonly uid: string;
                    /** @default false */
                    readonly blockOwnerDeletion: boolean;
                }[];
                readonly uid?: null;
                readonly revision?: null;
                readonly generation?: null;
                readonly discriminator?: null;
                readonly ancestors?: null;
                readonly creationTimestamp?: null;
                readonly deletionTimestamp?: null;
                readonly managedFields?: null;
            };
            readonly spec?: Record<string, unknown>;
        };
        readonly ResourceReplace: {
            readonly apiVersion: string;
            readonly kind: string;
            /** @description Members that the server sets may be sent back unchanged. `labels`, `annotations`, `finalizers` and `ownerReferences` are replaced; absent ones become empty. */
            readonly metadata: {
                /** @example my-app */
                readonly name: string;
                /**
                 * @description Keys and values as in Kubernetes; see docs/find.md.
                 * @example {
                 *       "app": "shop",
                 *       "example.dev/tier": "web"
                 *     }
                 */
                readonly labels?: {
                    readonly [key: string]: string;
                };
                /**
                 * @example {
                 *       "example.dev/team": "makers"
                 *     }
                 */
                readonly annotations?: {
                    readonly [key: string]: string;
                };
                /**
                 * @description Duplicates are stored once.
                 * @example []
                 */
                readonly finalizers?: readonly string[];
                /** @example [] */
                readonly ownerReferences?: readonly {
                    readonly apiVersion: string;
                    readonly kind: string;
                    readonly name: string;
                    /** Format: uuid */
                    readonly uid: string;
                    /** @default false */
                    readonly blockOwnerDeletion: boolean;
                }[];
                readonly uid?: string | null;
                /** @description The revision that was read; 409 when the stored one differs. */
                readonly revision: number | null;
                readonly generation?: number | null;
                readonly discriminator?: string | null;
                readonly ancestors?: readonly string[] | null;
                readonly creationTimestamp?: string | null;
                readonly deletionTimestamp?: string | null;
                readonly managedFields?: readonly unknown[] | null;
            };
            readonly spec?: Record<string, unknown>;
        };
        /** @description A JSON Merge Patch (RFC 7396) or a JSON Patch (RFC 6902), by the content type. */
        readonly Patch: Record<string, unknown> | readonly {
            /** @enum {unknown} */
            readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
            /** @description A JSON pointer (RFC 6901). */
            readonly path: string;
            readonly from?: string;
            readonly value?: unknown;
        }[];
        readonly Batch: {
            readonly operations: readonly {
                /** @enum {string} */
                readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
                /**
                 * Format: starts_with
                 * @description The path with its query.
                 */
                readonly path: string;
                readonly body?: unknown;
                /** @description `Content-Type` and `If-Match` of the operation. */
                readonly headers?: {
                    readonly [key: string]: string;
                };
            }[];
        };
        readonly StatusWrite: {
            readonly status: unknown;
        };
        readonly FinalizersWrite: {
            /** @default [] */
            readonly add: readonly string[];
            /** @default [] */
            readonly remove: readonly string[];
        };
        readonly RestoreRequest: {
            /**
             * @description As `dryRun=true` in the query.
             * @default false
             */
            readonly dryRun: boolean;
            /**
             * @description Whether to restore everything that the deletion removed with it.
             * @default true
             */
            readonly dependents: boolean;
            /** @description Another name for the resource itself. */
            readonly name?: string;
        };
        readonly OrganizationSpec: {
            readonly deploymentControllerClass?: string;
            readonly displayName?: string;
            readonly description?: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly ResourceDefinitionSpec: {
            readonly group: string;
            readonly kind: string;
            readonly plural: string;
            readonly parent?: {
                readonly apiVersion: string;
                readonly kind: string;
            } | null;
            /** @description Exactly one has `storage: true`, at least one `served: true`, and each name appears once. */
            readonly versions: readonly {
                readonly name: string;
                readonly served: boolean;
                readonly storage: boolean;
                readonly schema?: Record<string, unknown> | boolean | null;
                readonly additionalPrinterColumns?: readonly {
                    readonly name: string;
                    /** @enum {string} */
                    readonly type: "integer" | "number" | "string" | "boolean" | "date";
                    /** @enum {string} */
                    readonly format?: "int32" | "int64" | "float" | "double" | "byte" | "date" | "date-time" | "password";
                    readonly description?: string;
                    readonly priority?: number;
                    readonly jsonPath: string;
                }[];
                readonly selectableFields?: readonly {
                    readonly jsonPath: string;
                }[];
            }[];
            readonly singular?: string;
            readonly shortNames?: readonly string[];
            readonly categories?: readonly string[];
            readonly description?: string;
            /** @default [] */
            readonly allowedStatusControllerIds: readonly string[];
        };
        readonly RoleSpec: {
            /**
             * @description A request is allowed when one rule names its group, its resource, its name and its verb.
             * @default []
             */
            readonly rules: readonly {
                /** @description Groups of kinds; `*` for each. */
                readonly apiGroups: readonly string[];
                /** @description Plurals, or `plural/subresource`; `*` for each. */
                readonly resources: readonly string[];
                /** @description Only resources with these names. */
                readonly resourceNames?: readonly string[];
                readonly verbs: readonly ("get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "restore" | "*")[];
            }[];
        };
        readonly RoleBindingSpec: {
            readonly roleRef: {
                /** @description The name of a Role. */
                readonly name: string;
            };
            /** @default [] */
            readonly subjects: readonly {
                /** @enum {string} */
                readonly kind: "User" | "Group" | "ServiceAccount" | "Controller";
                /** @description An e-mail address, a group, a service account, or the id of a controller. */
                readonly name: string;
            }[];
            /** @description The binding covers this resource and everything below it; everything without it. */
            readonly scope?: {
                readonly apiVersion: string;
                readonly kind: string;
                readonly name: string;
                readonly uid: string;
                /** @default false */
                readonly blockOwnerDeletion: boolean;
            } | null;
        };
        readonly SubscriptionSpec: {
            /** @description An https URL that takes CloudEvents. */
            readonly url: string;
            /** @description Which changes are delivered; all of them without it. */
            readonly selector?: {
                readonly kinds?: readonly (string | {
                    readonly kind: string;
                    readonly group?: string;
                    readonly apiVersion?: string;
                })[] | null;
                readonly scope?: {
                    readonly apiVersion: string;
                    readonly kind: string;
                    readonly name: string;
                    readonly uid: string;
                    /** @default false */
                    readonly blockOwnerDeletion: boolean;
                } | null;
                readonly labelSelector?: string | null;
            } | null;
            /** @description Base64 of 24 to 64 bytes, stored sealed and never shown again. A new subscription needs it; a replacement without it keeps the one before. */
            readonly secret?: string;
            /** @description No change is delivered while it is true. */
            readonly suspend?: boolean | null;
        };
        readonly BatchResults: {
            readonly results: readonly {
                readonly status: number;
                readonly body: unknown;
            }[];
        };
        readonly SearchResults: {
            readonly items: readonly components["schemas"]["Resource"][];
            /**
             * @description The time, or the 16 MiB of an answer, did not suffice for every name.
             * @constant
             */
            readonly complete?: false;
        };
        readonly RestoredResources: {
            /** @description Parents and owners before what depends on them. */
            readonly restored: readonly {
                /**
                 * Format: uuid
                 * @description Its uid before it was removed.
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly from: string;
                readonly resource: components["schemas"]["Resource"];
            }[];
        };
        readonly OwnerReference: {
            readonly apiVersion: string;
            readonly kind: string;
            readonly name: string;
            /** Format: uuid */
            readonly uid: string;
            /** @default false */
            readonly blockOwnerDeletion: boolean;
        };
        readonly VersionImpact: {
            /** @description Stored at the version, terminating ones included. */
            readonly rows: number;
            /** @description Refused by the new schema of the version. */
            readonly invalid: number;
            /** @description Up to ten of the invalid ones. */
            readonly samples: readonly {
                readonly identity: components["schemas"]["ResourceIdentity"];
                readonly apiVersion: string;
                readonly kind: string;
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /** Format: uuid */
                readonly parentUid: string | null;
                readonly errors: readonly {
                    readonly path: string;
                    readonly message: string;
                }[];
            }[];
        };
        /** @description Without `spec` and `status` where `view=metadata` asks for it. */
        readonly Resource: {
            /** @description `<group>/<version>`, at the version of the URL. */
            readonly apiVersion: string;
            readonly kind: string;
            readonly metadata: {
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /**
                 * Format: int64
                 * @description Grows with every write.
                 */
                readonly revision: number;
                /**
                 * Format: int64
                 * @description Grows when `spec` changes.
                 */
                readonly generation: number;
                readonly discriminator: string;
                readonly labels: {
                    readonly [key: string]: string;
                };
                /** @description Names of the ancestors, root first. */
                readonly ancestors: readonly string[];
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly creationTimestamp: string;
                /**
                 * Format: date-time
                 * @description There while the resource waits for its deletion.
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly deletionTimestamp?: string;
                readonly annotations: {
                    readonly [key: string]: string;
                };
                readonly finalizers: readonly string[];
                readonly ownerReferences: readonly components["schemas"]["OwnerReference"][];
                /** @description Who has which fields. There once the resource was applied. */
                readonly managedFields?: readonly {
                    readonly manager: string;
                    /** @enum {unknown} */
                    readonly operation: "Apply" | "Update";
                    readonly apiVersion: string;
                    /** Format: date-time */
                    readonly time: string;
                    /** @constant */
                    readonly fieldsType: "FieldsV1";
                    readonly fieldsV1: Record<string, unknown>;
                    /**
                     * @description Of fields of the status that were applied through the Kubernetes API.
                     * @constant
                     */
                    readonly subresource?: "status";
                }[];
            };
            /** @description As it was written, to the digit. */
            readonly spec?: Record<string, unknown>;
            readonly status?: {
                readonly controllers: Record<string, unknown>;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid. */
            readonly impact?: {
                readonly [key: string]: components["schemas"]["VersionImpact"];
            };
            /**
             * Format: date-time
             * @description With `removed=true`: when it was removed.
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly removedAt?: string;
            /** @description With `removed=true`: who removed it. */
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /** @description With `removed=true`: the deletion that removed it. */
            readonly cascadeId?: string | null;
            /** @description With `impact`: whether every stored resource was checked in time. */
            readonly complete?: boolean;
        };
        readonly ResourceList: {
            readonly apiVersion: string;
            readonly kind: string;
            readonly metadata: {
                /** @description Opaque; `?continue=` of the next page. Absent on the last. */
                readonly continue?: string;
                /** @description A watch from here on shows what changes after this page. */
                readonly cursor: string;
            };
            readonly items: readonly components["schemas"]["Resource"][];
        };
        readonly PendingDeletionList: {
            /** @constant */
            readonly apiVersion: "platform.dev/v1alpha1";
            /** @constant */
            readonly kind: "PendingDeletionList";
            readonly metadata: {
                readonly continue?: string;
            };
            readonly items: readonly components["schemas"]["Resource"][];
        };
        readonly History: {
            readonly metadata: {
                readonly continue?: string;
            };
            readonly items: readonly components["schemas"]["HistoryEntry"][];
        };
        readonly HistoryEntry: {
            /** @description The point of the change log after the entry. */
            readonly cursor?: string;
            readonly uid: string;
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly time: string;
            readonly actor: {
                readonly type: string;
                readonly id: string;
            };
            readonly requestId: string | null;
            readonly operation: string;
            readonly removed: boolean;
            readonly reason?: string;
            readonly cascadeId?: string;
            readonly generation: number;
            /** @description The JSON Patch (RFC 6902) from the revision before; null when the log does not reach back to it. */
            readonly changes: readonly Record<string, unknown>[] | null;
            /** @description The resource after the write, with `full=true`. */
            readonly object?: Record<string, unknown>;
        };
        readonly ResourceIdentity: {
            /** @description As it is stored. */
            readonly apiVersion: string;
            readonly kind: string;
            readonly name: string;
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** Format: uuid */
            readonly parentUid: string | null;
        };
        readonly DeletionPlan: {
            /** @description For `?plan=` of a DELETE. Null when the plan is truncated. */
            readonly hash: string | null;
            /** @description By kind. */
            readonly counts: {
                readonly [key: string]: number;
            };
            /** @description Without the requested one. */
            readonly resources: readonly components["schemas"]["PlannedResource"][];
            /** @description A DELETE is 409 while there is one. */
            readonly protected: readonly components["schemas"]["ResourceIdentity"][];
            /**
             * @description There are more dependents than were read.
             * @constant
             */
            readonly truncated?: true;
        };
        readonly PlannedResource: {
            readonly identity: components["schemas"]["ResourceIdentity"];
            readonly apiVersion: string;
            readonly kind: string;
            readonly name: string;
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** Format: uuid */
            readonly parentUid: string | null;
            readonly because: {
                /** @enum {string} */
                readonly relationship: "structuralChild" | "ownerReference";
                readonly owner?: components["schemas"]["ResourceIdentity"];
                readonly blockOwnerDeletion?: boolean;
            };
            /** @enum {string} */
            readonly effect: "removed" | "held";
            readonly heldBy: readonly {
                readonly resource: components["schemas"]["ResourceIdentity"];
                readonly finalizers: readonly string[];
                readonly protected: boolean;
            }[];
        };
        readonly Explanation: {
            readonly causes: readonly components["schemas"]["DeletionCause"][];
            /**
             * @description There may be more.
             * @constant
             */
            readonly truncated?: true;
        } | {
            readonly owners: readonly components["schemas"]["Relative"][];
            readonly dependents: readonly components["schemas"]["Relative"][];
            /** @description The newest ten. */
            readonly changes: readonly components["schemas"]["HistoryEntry"][];
            /**
             * @description There are more dependents.
             * @constant
             */
            readonly truncated?: true;
        };
        readonly DeletionCause: {
            /** @enum {string} */
            readonly kind: "finalizer" | "live_dependent" | "protected" | "collector" | "definition_missing";
            readonly resource: components["schemas"]["ResourceIdentity"];
            /** @description The shortest way, both ends included. */
            readonly path: readonly components["schemas"]["ResourceIdentity"][];
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly since: string;
            /** @description For a person. */
            readonly detail: string;
            /** @description Performing every action as its `who` frees the resource. */
            readonly action?: {
                readonly method: string;
                readonly path: string;
                readonly body: Record<string, unknown>;
                readonly who: {
                    readonly type: string;
                    readonly id?: string;
                };
            };
        };
        readonly Relative: {
            /** @enum {string} */
            readonly relationship: "parent" | "owner" | "structuralChild" | "ownerReference";
            readonly apiVersion: string;
            readonly kind: string;
            readonly name: string;
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** Format: uuid */
            readonly parentUid: string | null;
            readonly blockOwnerDeletion?: boolean;
            /** Format: date-time */
            readonly deletionTimestamp: string | null;
        };
        readonly DeletionBlockers: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly resourceUid: string;
            readonly cascadeFinalizerPresent: boolean;
            readonly blockers: readonly {
                /** @enum {string} */
                readonly relationship: "structuralChild" | "ownerReference";
                readonly apiVersion: string;
                readonly kind: string;
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /** @constant */
                readonly blockOwnerDeletion?: true;
                /** Format: date-time */
                readonly deletionTimestamp: string | null;
                readonly finalizers: readonly string[];
            }[];
            /**
             * @description There are more than the 1000 shown.
             * @constant
             */
            readonly truncated?: true;
        };
        readonly ResourceDeleted: {
            /** @constant */
            readonly deleted: true;
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
        };
        readonly ResourceMarkedForDeletion: {
            /** @constant */
            readonly deleted: false;
            /** @constant */
            readonly markedForDeletion: true;
            readonly resource: components["schemas"]["Resource"];
        };
        /**
         * @example {
         *       "type": "BOOKMARK",
         *       "cursor": "MDE5MGE1YzIuMy43",
         *       "initial": true
         *     }
         */
        readonly WatchEvent: components["schemas"]["WatchChange"] | components["schemas"]["WatchBookmark"] | components["schemas"]["WatchError"];
        /** @description The initial state has only `type` and `object`. */
        readonly WatchChange: {
            /** @enum {string} */
            readonly type: "ADDED" | "MODIFIED" | "DELETED";
            /** @description Where the stream is after this event. */
            readonly cursor?: string;
            /** @enum {string} */
            readonly operation?: "create" | "update" | "patch" | "apply" | "status" | "finalizers" | "delete" | "cascade" | "collect" | "release" | "restore";
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly time?: string;
            readonly requestId?: string | null;
            /** @description The `X-Change-Reason` of the request, when it had one. */
            readonly reason?: string;
            /** @description The same for everything that one DELETE causes. */
            readonly cascadeId?: string;
            readonly object: components["schemas"]["Resource"];
        };
        readonly WatchBookmark: {
            /** @constant */
            readonly type: "BOOKMARK";
            /** @description Where the stream is after this event. */
            readonly cursor: string;
            /**
             * @description The initial state is complete.
             * @constant
             */
            readonly initial?: true;
        };
        readonly WatchError: {
            /** @constant */
            readonly type: "ERROR";
            readonly problem: components["schemas"]["Problem"];
        };
        readonly ProjectCreate: {
            readonly name: string;
            readonly organization?: string;
            /** @enum {string} */
            readonly access_class?: "public" | "private";
            readonly url?: string;
            readonly custom_domains?: readonly string[];
            readonly owner?: {
                readonly user: string;
            } | {
                readonly team: string;
            };
            readonly members?: readonly string[];
        };
        readonly ProjectReplace: {
            readonly uid?: unknown;
            readonly name?: unknown;
            readonly organization?: unknown;
            readonly organization_resource_uid?: unknown;
            readonly revision?: unknown;
            readonly created_at?: unknown;
            readonly contested_addresses?: unknown;
            /** @enum {string} */
            readonly access_class?: "public" | "private";
            readonly url?: string;
            readonly custom_domains?: readonly string[];
            readonly owner?: {
                readonly user: string;
            } | {
                readonly team: string;
            };
            readonly members?: readonly string[];
        };
        readonly TeamCreate: {
            readonly name: string;
            readonly organization?: string;
            readonly members?: readonly {
                readonly email: string;
                /** @enum {string} */
                readonly role: "owner" | "member";
            }[];
        };
        readonly TeamReplace: {
            readonly uid?: unknown;
            readonly name?: unknown;
            readonly organization?: unknown;
            readonly organization_resource_uid?: unknown;
            readonly revision?: unknown;
            readonly created_at?: unknown;
            readonly members?: readonly {
                readonly email: string;
                /** @enum {string} */
                readonly role: "owner" | "member";
            }[];
        };
        readonly EnvironmentWrite: {
            readonly name: string;
        };
        readonly EnvironmentReplace: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid?: string;
            /** @example staging */
            readonly name?: string;
            /** @example shop */
            readonly project?: string;
            /** @example 1 */
            readonly revision?: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at?: string;
        };
        readonly Environment: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** @example staging */
            readonly name: string;
            /** @example shop */
            readonly project: string;
            /** @example 1 */
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly EnvironmentList: {
            readonly items: readonly components["schemas"]["Environment"][];
            /**
             * @description Opaque; `?continue=` of the next page. Absent on the last.
             * @example bXktYXBw
             */
            readonly continue?: string;
        };
        readonly ServiceAccountWrite: {
            readonly name: string;
            readonly issuer_url: string;
            readonly claims: {
                readonly aud: string;
            } & {
                readonly [key: string]: string | number | boolean;
            };
        };
        readonly ServiceAccountReplace: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid?: string;
            /** @example ci */
            readonly name?: string;
            /** @example shop */
            readonly project?: string;
            /** @example shop+ci@sa.platform.local */
            readonly email?: string;
            /**
             * Format: uri
             * @example https://token.actions.githubusercontent.com
             */
            readonly issuer_url: string;
            readonly claims: {
                readonly aud: string;
            } & {
                readonly [key: string]: string | number | boolean;
            };
            /** @example 1 */
            readonly revision?: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at?: string;
        };
        readonly ServiceAccount: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** @example ci */
            readonly name: string;
            /** @example shop */
            readonly project: string;
            /** @example shop+ci@sa.platform.local */
            readonly email: string;
            /**
             * Format: uri
             * @example https://token.actions.githubusercontent.com
             */
            readonly issuer_url: string;
            /**
             * @example {
             *       "aud": "platform",
             *       "sub": "repo:acme/shop:ref:refs/heads/main"
             *     }
             */
            readonly claims: {
                readonly [key: string]: string;
            };
            /** @example 1 */
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly ServiceAccountList: {
            readonly items: readonly components["schemas"]["ServiceAccount"][];
            /**
             * @description Opaque; `?continue=` of the next page. Absent on the last.
             * @example bXktYXBw
             */
            readonly continue?: string;
        };
        readonly DeploymentWrite: {
            readonly environment: string;
            /** Format: date-time */
            readonly expires_at?: string;
        };
        readonly DeploymentReplace: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid?: string;
            /** @example h0r8dezl */
            readonly name?: string;
            /** @example shop */
            readonly project?: string;
            /** @example staging */
            readonly environment?: string;
            /**
             * Format: date-time
             * @description When the bootstrap credential expires; null for one of version 0.24.0.
             * @example 2026-04-01T12:00:00.000Z
             */
            readonly expires_at?: string | null;
            /**
             * @description Who made or rotated the credential.
             * @example owner@example.dev
             */
            readonly created_by?: string | null;
            /**
             * Format: date-time
             * @description When the credential was used last, to the minute.
             * @example null
             */
            readonly last_used_at?: string | null;
            /**
             * Format: date-time
             * @description Until when the credential before the last rotation is valid.
             * @example null
             */
            readonly previous_credential_expires_at?: string | null;
            /** @example 1 */
            readonly revision?: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at?: string;
        };
        readonly CredentialRotate: {
            /** @default 3600 */
            readonly overlap_seconds: number;
            /** Format: date-time */
            readonly expires_at?: string;
        };
        readonly Deployment: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** @example h0r8dezl */
            readonly name: string;
            /** @example shop */
            readonly project: string;
            /** @example staging */
            readonly environment: string;
            /**
             * Format: date-time
             * @description When the bootstrap credential expires; null for one of version 0.24.0.
             * @example 2026-04-01T12:00:00.000Z
             */
            readonly expires_at: string | null;
            /**
             * @description Who made or rotated the credential.
             * @example owner@example.dev
             */
            readonly created_by: string | null;
            /**
             * Format: date-time
             * @description When the credential was used last, to the minute.
             * @example null
             */
            readonly last_used_at: string | null;
            /**
             * Format: date-time
             * @description Until when the credential before the last rotation is valid.
             * @example null
             */
            readonly previous_credential_expires_at: string | null;
            /** @example 1 */
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at: string;
            /** @description Only in the answers to creation and rotation. */
            readonly bootstrap_credential?: string;
        };
        readonly DeploymentList: {
            readonly items: readonly components["schemas"]["Deployment"][];
            /**
             * @description Opaque; `?continue=` of the next page. Absent on the last.
             * @example bXktYXBw
             */
            readonly continue?: string;
        };
        readonly ExtensionWrite: {
            readonly name: string;
            /** @constant */
            readonly type: "oauth";
            readonly spec: components["schemas"]["ExtensionSpecWrite"];
        };
        readonly ExtensionReplace: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid?: string;
            /** @example sign-in */
            readonly name?: string;
            /** @example shop */
            readonly project?: string;
            /** @constant */
            readonly type?: "oauth";
            readonly spec: components["schemas"]["ExtensionSpecWrite"];
            readonly status?: {
                /** @example shop-sign-in */
                readonly client_id: string;
                /**
                 * Format: uri
                 * @example https://platform.example/oidc/shop/sign-in/callback
                 */
                readonly callback_url: string;
                /**
                 * Format: uri
                 * @example https://platform.example/oidc/shop/sign-in
                 */
                readonly issuer: string;
            };
            /** @example 1 */
            readonly revision?: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at?: string;
        };
        readonly ExtensionSpecWrite: {
            readonly provider_name: string;
            readonly description?: string;
            readonly client_id: string;
            readonly client_secret_encrypted?: string;
            readonly issuer_url: string;
            readonly authorization_endpoint?: string;
            readonly token_endpoint?: string;
            readonly scopes?: readonly string[];
            readonly redirect_uris?: readonly string[];
            readonly allow_localhost?: boolean;
            /** @constant */
            readonly client_type?: "confidential";
        };
        readonly Extension: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** @example sign-in */
            readonly name: string;
            /** @example shop */
            readonly project: string;
            /** @constant */
            readonly type: "oauth";
            /**
             * @example {
             *       "provider_name": "Example",
             *       "client_id": "shop",
             *       "issuer_url": "https://accounts.example.dev"
             *     }
             */
            readonly spec: {
                readonly provider_name: string;
                readonly description?: string;
                readonly client_id: string;
                readonly issuer_url: string;
                readonly authorization_endpoint?: string;
                readonly token_endpoint?: string;
                readonly scopes?: readonly string[];
                readonly redirect_uris?: readonly string[];
                readonly allow_localhost?: boolean;
                /** @constant */
                readonly client_type?: "confidential";
            };
            readonly status: {
                /** @example shop-sign-in */
                readonly client_id: string;
                /**
                 * Format: uri
                 * @example https://platform.example/oidc/shop/sign-in/callback
                 */
                readonly callback_url: string;
                /**
                 * Format: uri
                 * @example https://platform.example/oidc/shop/sign-in
                 */
                readonly issuer: string;
            };
            /** @example 1 */
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at: string;
            /** @description Only in the answers to creation and rotation. */
            readonly client_secret?: string;
        };
        readonly ExtensionList: {
            readonly items: readonly components["schemas"]["Extension"][];
            /**
             * @description Opaque; `?continue=` of the next page. Absent on the last.
             * @example bXktYXBw
             */
            readonly continue?: string;
        };
        readonly Project: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** @example shop */
            readonly name: string;
            /** @example acme */
            readonly organization: string;
            /**
             * Format: uuid
             * @example 01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11
             */
            readonly organization_resource_uid: string;
            /**
             * @example private
             * @enum {string}
             */
            readonly access_class: "public" | "private";
            /**
             * Format: uri
             * @example https://shop.example.dev
             */
            readonly url: string;
            readonly custom_domains: readonly string[];
            /** @description Addresses that belong to an older project, from version 0.24.0. Nothing trusts them. */
            readonly contested_addresses: readonly string[];
            /**
             * @example {
             *       "team": "makers"
             *     }
             */
            readonly owner: {
                readonly user: string;
            } | {
                readonly team: string;
            };
            readonly members: readonly string[];
            /** @example 1 */
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly ProjectList: {
            readonly items: readonly components["schemas"]["Project"][];
            /**
             * @description Opaque; `?continue=` of the next page. Absent on the last.
             * @example bXktYXBw
             */
            readonly continue?: string;
        };
        readonly DomainChallenge: {
            /** @example www.shop.example */
            readonly host: string;
            /** @example _platform-challenge.www.shop.example */
            readonly record: string;
            /** @constant */
            readonly type: "TXT";
            /** @example platform-challenge=3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b */
            readonly value: string;
        };
        readonly DomainChallengeList: {
            readonly items: readonly components["schemas"]["DomainChallenge"][];
        };
        readonly Team: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly uid: string;
            /** @example makers */
            readonly name: string;
            /** @example acme */
            readonly organization: string;
            /**
             * Format: uuid
             * @example 01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11
             */
            readonly organization_resource_uid: string;
            readonly members: readonly {
                /** @example ann@example.dev */
                readonly email: string;
                /** @enum {string} */
                readonly role: "owner" | "member";
            }[];
            /** @example 1 */
            readonly revision: number;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly created_at: string;
        };
        readonly TeamList: {
            readonly items: readonly components["schemas"]["Team"][];
            /**
             * @description Opaque; `?continue=` of the next page. Absent on the last.
             * @example bXktYXBw
             */
            readonly continue?: string;
        };
        /** @description One step of a login through the OAuth proxy. */
        readonly Login: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly time: string;
            /**
             * @example failed
             * @enum {unknown}
             */
            readonly outcome: "started" | "completed" | "failed";
            /** @example sign-in */
            readonly extension: string | null;
            /** @example callback */
            readonly step: string | null;
            /**
             * @description Of a token request: what the app redeemed.
             * @example null
             */
            readonly grant: string | null;
            /**
             * @description Of a failed step.
             * @example access_denied
             */
            readonly reason: string | null;
            /** @example 5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10 */
            readonly requestId: string | null;
        };
        readonly LoginList: {
            readonly items: readonly components["schemas"]["Login"][];
            /** @example bXktYXBw */
            readonly continue?: string;
        };
        readonly Diagnosis: {
            /** @example false */
            readonly healthy: boolean;
            readonly checks: readonly {
                /** @example discovery */
                readonly name: string;
                /**
                 * @example failed
                 * @enum {string}
                 */
                readonly result: "ok" | "warning" | "failed" | "note";
                /** @example The provider did not answer. */
                readonly detail: string;
                /** @example Check issuer_url. */
                readonly remedy?: string;
            }[];
        };
        readonly Deleted: {
            /** @constant */
            readonly deleted: true;
        };
        readonly AccessCheck: {
            readonly checks: readonly {
                /** @enum {unknown} */
                readonly verb: "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "restore";
                /** @description The whole path of the request, below `/api/v1/resources/`. */
                readonly path: string;
            }[];
            /** @description For operators: the subject to ask for. */
            readonly as?: {
                /** @enum {unknown} */
                readonly kind: "User" | "Group" | "ServiceAccount" | "Controller";
                readonly name: string;
            };
        };
        readonly AccessCheckResults: {
            readonly results: readonly {
                readonly allowed: boolean;
                readonly because?: components["schemas"]["AccessReason"];
            }[];
        };
        readonly AccessReason: {
            /** @constant */
            readonly type: "operator";
        } | {
            /** @constant */
            readonly type: "controller";
        } | {
            /** @constant */
            readonly type: "binding";
            /** @description The name of the RoleBinding. */
            readonly binding: string;
            /** @description The name of its Role. */
            readonly role: string;
            readonly rule: {
                readonly apiGroups: readonly string[];
                readonly resources: readonly string[];
                readonly resourceNames?: readonly string[];
                readonly verbs: readonly ("get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "restore" | "*")[];
            };
            /**
             * Format: uuid
             * @description The uid of the scope; null for everything.
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly scope: string | null;
        };
        readonly AccessSubjectList: {
            readonly subjects: readonly {
                /** @enum {unknown} */
                readonly kind: "User" | "Group" | "ServiceAccount" | "Controller";
                readonly name: string;
                readonly binding: string;
            }[];
        };
        readonly TokenExchange: {
            /** @constant */
            readonly grant_type: "urn:ietf:params:oauth:grant-type:token-exchange";
            /** @description A JWT of the external issuer, at most 8192 bytes. */
            readonly subject_token: string;
            /** @constant */
            readonly subject_token_type: "urn:ietf:params:oauth:token-type:jwt";
            /** @constant */
            readonly requested_token_type?: "urn:ietf:params:oauth:token-type:jwt";
            /** @description The e-mail address of the service account; left out by a controller. */
            readonly identity?: string;
        };
        readonly ExchangedToken: {
            /** @example <access token> */
            readonly access_token: string;
            /** @constant */
            readonly issued_token_type: "urn:ietf:params:oauth:token-type:jwt";
            /** @constant */
            readonly token_type: "Bearer";
            /** @example 600 */
            readonly expires_in: number;
        };
        readonly CodeExchange: {
            /** @constant */
            readonly grant_type: "authorization_code";
            readonly code: string;
            readonly code_verifier: string;
            /** Format: uri */
            readonly redirect_uri: string;
            /** @constant */
            readonly client_id: "platform-cli";
        } | {
            /** @constant */
            readonly grant_type: "urn:ietf:params:oauth:grant-type:device_code";
            readonly device_code: string;
            /** @constant */
            readonly client_id: "platform-cli";
        };
        /** @description RFC 8628, section 3.1. */
        readonly DeviceAuthorizationRequest: {
            /** @constant */
            readonly client_id: "platform-cli";
            /** @description Of `openid`, `email` and `profile`; shown to the person. */
            readonly scope?: string;
        };
        /** @description RFC 8628, section 3.2. */
        readonly DeviceAuthorization: {
            /** @example <device code> */
            readonly device_code: string;
            /** @example WDJB-MJHT */
            readonly user_code: string;
            /**
             * Format: uri
             * @example https://platform.example.com/device
             */
            readonly verification_uri: string;
            /**
             * Format: uri
             * @example https://platform.example.com/device?user_code=WDJB-MJHT
             */
            readonly verification_uri_complete: string;
            /** @example 600 */
            readonly expires_in: number;
            /** @example 5 */
            readonly interval: number;
        };
        readonly Session: {
            /** @example <session token> */
            readonly access_token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @example 86400 */
            readonly expires_in: number;
            /** @example <ID token> */
            readonly id_token: string;
        };
        readonly WorkloadTokenRequest: {
            readonly audience: string;
            readonly ttl_seconds?: number;
        };
        readonly WorkloadToken: {
            /** @example <workload token> */
            readonly token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @example 600 */
            readonly expires_in: number;
            /** @example https://queue.example.dev */
            readonly audience: string;
        };
        readonly IngressToken: {
            /** @example <ingress token> */
            readonly token: string;
            /** @constant */
            readonly token_type: "Bearer";
            /** @example 3600 */
            readonly expires_in: number;
            /**
             * Format: uri
             * @example https://shop.example.dev
             */
            readonly audience: string;
            /** @example shop */
            readonly project: string;
        };
        readonly Plaintext: {
            readonly plaintext: string;
            readonly project?: string;
        };
        readonly Ciphertext: {
            /** @example <ciphertext> */
            readonly encrypted: string;
        };
        readonly Caller: {
            /** @constant */
            readonly type: "user";
            /** @example 01a1fc66-ebc7-7abd-b820-e103976092a4 */
            readonly uid: string;
            /** @example ann@example.dev */
            readonly email: string;
            /** @example true */
            readonly operator: boolean;
            /** @example false */
            readonly admin: boolean;
            /** @description Groups that the identity provider vouches for. */
            readonly groups?: readonly string[];
            readonly bindings?: readonly {
                /** @example farmers-read */
                readonly name: string;
                /** @example farm-reader */
                readonly role: string;
                /**
                 * @description The uid of the resource that it covers; null for everything.
                 * @example null
                 */
                readonly scope: string | null;
            }[];
        } | {
            /** @constant */
            readonly type: "service_account";
            readonly uid: string;
            readonly email: string;
            readonly project: string;
            /** @constant */
            readonly operator: false;
            /** @constant */
            readonly admin: false;
            readonly bindings?: readonly {
                /** @example farmers-read */
                readonly name: string;
                /** @example farm-reader */
                readonly role: string;
                /**
                 * @description The uid of the resource that it covers; null for everything.
                 * @example null
                 */
                readonly scope: string | null;
            }[];
        } | {
            /** @constant */
            readonly type: "controller";
            readonly id: string;
            /** @constant */
            readonly operator: false;
            /** @constant */
            readonly admin: false;
            readonly bindings?: readonly {
                /** @example farmers-read */
                readonly name: string;
                /** @example farm-reader */
                readonly role: string;
                /**
                 * @description The uid of the resource that it covers; null for everything.
                 * @example null
                 */
                readonly scope: string | null;
            }[];
        };
        /** @description RFC 7517. */
        readonly Jwks: {
            readonly keys: readonly ({
                /** @example RSA */
                readonly kty: string;
                /** @example <thumbprint> */
                readonly kid?: string;
                /** @example sig */
                readonly use?: string;
                /** @example RS256 */
                readonly alg?: string;
                /** @example <modulus> */
                readonly n?: string;
                /** @example AQAB */
                readonly e?: string;
            } & {
                readonly [key: string]: unknown;
            })[];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2. */
        readonly ProviderMetadata: {
            /**
             * Format: uri
             * @example https://platform.example/oidc/shop/sign-in
             */
            readonly issuer: string;
            /**
             * Format: uri
             * @example https://platform.example/oidc/shop/sign-in/authorize
             */
            readonly authorization_endpoint: string;
            /**
             * Format: uri
             * @example https://platform.example/oidc/shop/sign-in/token
             */
            readonly token_endpoint: string;
            /** Format: uri */
            readonly device_authorization_endpoint?: string;
            /** Format: uri */
            readonly revocation_endpoint?: string;
            /** Format: uri */
            readonly introspection_endpoint?: string;
            /**
             * Format: uri
             * @example https://platform.example/oidc/shop/sign-in/jwks
             */
            readonly jwks_uri: string;
            readonly response_types_supported?: readonly string[];
            /**
             * @example [
             *       "openid",
             *       "email",
             *       "profile"
             *     ]
             */
            readonly scopes_supported?: readonly string[];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description The tokens of the upstream provider (RFC 6749, section 5.1); members we do not know are kept. */
        readonly Tokens: {
            /** @example <access token of the provider> */
            readonly access_token: string;
            /** @example Bearer */
            readonly token_type: string;
            /** @example 3600 */
            readonly expires_in?: number;
            readonly refresh_token?: string;
            /** @example openid email profile */
            readonly scope?: string;
            /** @example <ID token> */
            readonly id_token?: string;
            readonly upstream_id_token?: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly SessionList: {
            readonly items: readonly {
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly id: string;
                /**
                 * @description The e-mail address.
                 * @example ann@example.dev
                 */
                readonly user: string;
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly createdAt: string;
                /**
                 * Format: date-time
                 * @example 2026-01-02T12:00:00.000Z
                 */
                readonly expiresAt: string;
                /**
                 * @description As the program named itself; unprintable characters are `?`.
                 * @example platform-cli/0.25.0
                 */
                readonly userAgent: string;
            }[];
            /** @example bXktYXBw */
            readonly continue?: string;
        };
        /** @description RFC 7009, section 2.1. */
        readonly Revocation: {
            /** @description A session token, or an ingress token, which stands for its session. */
            readonly token?: string;
            readonly token_type_hint?: string;
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly session_id?: string;
            /** @description Of a public client that sends no credential: `platform-cli`. */
            readonly client_id?: string;
        };
        /** @description RFC 7662, section 2.1. */
        readonly IntrospectionRequest: {
            readonly token: string;
            readonly token_type_hint?: string;
        };
        /** @description RFC 7662, section 2.2. A token that is not active has `active` alone. */
        readonly Introspection: {
            /** @example true */
            readonly active: boolean;
            /** @constant */
            readonly token_type?: "Bearer";
            /**
             * @example ingress
             * @enum {unknown}
             */
            readonly token_use?: "session" | "ingress";
            /**
             * Format: uri
             * @example https://platform.example
             */
            readonly iss?: string;
            /** @example https://shop.example.dev */
            readonly aud?: string;
            /** @example 01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11 */
            readonly sub?: string;
            /** @example ann@example.dev */
            readonly username?: string;
            /** @example ann@example.dev */
            readonly email?: string;
            /** @example 1767268800 */
            readonly iat?: number;
            /** @example 1767272400 */
            readonly exp?: number;
            /** @example 01a1fc66-ebc7-7abd-b820-e103976092a4 */
            readonly sid?: string;
            readonly jti?: string;
            /** @example shop */
            readonly project?: string;
        };
        readonly BackChannelLogout: {
            readonly logout_token: string;
        };
        readonly Health: {
            /** @example ok */
            readonly status: string;
        };
        /** @description docs/audit.md lists the actions. */
        readonly AuditRecord: {
            /**
             * Format: uuid
             * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
             */
            readonly id: string;
            /**
             * Format: date-time
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly time: string;
            /**
             * @example project.updated
             * @enum {unknown}
             */
            readonly action: "auth.login" | "auth.device" | "auth.logout" | "auth.signed_out" | "auth.provider_logout" | "token.issued" | "token.refused" | "token.revoked" | "secret.encrypted" | "oauth.flow_started" | "oauth.flow_completed" | "oauth.flow_failed" | "request.refused" | "project.created" | "project.updated" | "project.deleted" | "team.created" | "team.updated" | "team.deleted" | "environment.created" | "environment.updated" | "environment.deleted" | "service_account.created" | "service_account.updated" | "service_account.deleted" | "deployment.created" | "deployment.updated" | "deployment.deleted" | "deployment.credential_rotated" | "extension.created" | "extension.updated" | "extension.deleted" | "extension.secret_rotated" | "resource.created" | "resource.updated" | "resource.status_updated" | "resource.finalizers_updated" | "resource.deleted" | "resource.deletion_cascaded" | "resource.collected" | "resource.released" | "resource.restored" | "resource.listed";
            /** @enum {unknown} */
            readonly outcome: "allowed" | "denied" | "failed";
            readonly actor: {
                /**
                 * @example user
                 * @enum {unknown}
                 */
                readonly type: "operator" | "controller" | "system" | "user" | "service_account" | "anonymous";
                /** @example ann@example.dev */
                readonly id: string;
            };
            /** @example 5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10 */
            readonly requestId: string | null;
            /** @example 192.0.2.1 */
            readonly sourceAddress: string | null;
            /** @example platform-cli/0.25.0 */
            readonly userAgent: string | null;
            readonly resource?: {
                readonly apiVersion?: string;
                /** @example Project */
                readonly kind: string;
                /** @example shop */
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /** Format: uuid */
                readonly parentUid?: string | null;
            };
            /** @example shop */
            readonly project?: string;
            readonly reason?: string;
            /**
             * @example {
             *       "changed": [
             *         "members"
             *       ],
             *       "members": [
             *         "carol@example.dev"
             *       ]
             *     }
             */
            readonly details: {
                readonly [key: string]: unknown;
            };
        };
        readonly AuditRecordList: {
            readonly items: readonly components["schemas"]["AuditRecord"][];
            /** @example bXktYXBw */
            readonly continue?: string;
        };
        /**
         * @description A refusal (RFC 9457).
         *
         *     | Code | Status | Meaning |
         *     |---|---|---|
         *     | `malformed_request` | 400 | The request is not valid HTTP |
         *     | `malformed_path` | 400 | The path is malformed |
         *     | `malformed_body` | 400 | The body is not acceptable JSON |
         *     | `malformed_patch` | 400 | The patch is not well-formed |
         *     | `invalid_query` | 400 | A query parameter is invalid |
         *     | `validation_failed` | 400 | The request has invalid fields |
         *     | `schema_violation` | 400 | The spec does not match the schema of its kind |
         *     | `revision_required` | 400 | metadata.revision is required |
         *     | `owner_reference_invalid` | 400 | An owner reference is not acceptable |
         *     | `owner_reference_cycle` | 400 | The owner references would form a cycle |
         *     | `owner_graph_too_large` | 400 | Too many resources are above the resource |
         *     | `finalizer_reserved` | 400 | The finalizer is reserved for the platform |
         *     | `unauthenticated` | 401 | Authentication is required |
         *     | `forbidden` | 403 | The caller may not do this |
         *     | `finalizer_not_owned` | 403 | The finalizer belongs to another writer |
         *     | `unknown_endpoint` | 404 | There is no such endpoint |
         *     | `unknown_collection` | 404 | There is no such collection |
         *     | `not_found` | 404 | There is no such resource |
         *     | `method_not_allowed` | 405 | The method is not valid for this path |
         *     | `request_timeout` | 408 | The request took too long to arrive |
         *     | `already_exists` | 409 | The name is taken |
         *     | `revision_conflict` | 409 | The resource has changed since it was read |
         *     | `apply_conflict` | 409 | The apply changes fields of other managers |
         *     | `request_in_progress` | 409 | The same request is still running |
         *     | `uid_conflict` | 409 | Another resource has this name now |
         *     | `parent_terminating` | 409 | An ancestor is being deleted |
         *     | `definition_terminating` | 409 | The definition of the kind is being deleted |
         *     | `definition_conflict` | 409 | Another definition claims this name |
         *     | `definition_immutable` | 409 | The identity of a definition in use cannot change |
         *     | `definition_in_use` | 409 | The definition is in use |
         *     | `version_in_use` | 409 | Resources are stored at the version |
         *     | `deletion_protected` | 409 | The deletion would reach a protected resource |
         *     | `not_removed` | 409 | The resource still exists |
         *     | `restore_conflict` | 409 | Names are taken, or parents or owners are gone |
         *     | `plan_changed` | 409 | The deletion would affect other resources than planned |
         *     | `in_use` | 409 | Something else still needs it |
         *     | `organization_in_use` | 409 | The organization has projects or teams |
         *     | `organization_terminating` | 409 | The organization is being deleted |
         *     | `cursor_expired` | 410 | The change log no longer reaches back to the cursor |
         *     | `restore_expired` | 410 | The change log no longer has the whole deletion |
         *     | `precondition_failed` | 412 | If-Match or If-None-Match does not hold |
         *     | `payload_too_large` | 413 | The body is too large |
         *     | `unsupported_media_type` | 415 | The content type is not supported |
         *     | `storage_version_required` | 422 | Writes must use the storage version |
         *     | `idempotency_key_reused` | 422 | The idempotency key belongs to another request |
         *     | `patch_failed` | 422 | The patch cannot be applied to the resource |
         *     | `restore_invalid` | 422 | A removed resource is no longer valid |
         *     | `restore_too_large` | 422 | The deletion removed more than one restore brings back |
         *     | `definition_missing` | 422 | No definition claims this kind |
         *     | `domain_unverified` | 422 | The domain is not proven to be yours |
         *     | `rate_limited` | 429 | Too many requests |
         *     | `headers_too_large` | 431 | The headers are too large |
         *     | `internal_error` | 500 | Something went wrong on our side |
         *     | `discriminator_exhausted` | 503 | No free discriminator was found |
         *     | `contention` | 503 | Too many concurrent changes |
         *     | `unavailable` | 503 | A part the service depends on cannot be reached |
         *     | `outcome_unknown` | 503 | Whether the write happened is not known |
         */
        readonly Problem: {
            /**
             * Format: uri-reference
             * @description `/problems/<code>`
             */
            readonly type: string;
            readonly title: string;
            readonly status: number;
            /** @description The fault of this request, for a person. */
            readonly detail: string;
            /** @description The path of the request. */
            readonly instance: string;
            /**
             * @description Stable, for programs.
             * @enum {string}
             */
            readonly code: "malformed_request" | "malformed_path" | "malformed_body" | "malformed_patch" | "invalid_query" | "validation_failed" | "schema_violation" | "revision_required" | "owner_reference_invalid" | "owner_reference_cycle" | "owner_graph_too_large" | "finalizer_reserved" | "unauthenticated" | "forbidden" | "finalizer_not_owned" | "unknown_endpoint" | "unknown_collection" | "not_found" | "method_not_allowed" | "request_timeout" | "already_exists" | "revision_conflict" | "apply_conflict" | "request_in_progress" | "uid_conflict" | "parent_terminating" | "definition_terminating" | "definition_conflict" | "definition_immutable" | "definition_in_use" | "version_in_use" | "deletion_protected" | "not_removed" | "restore_conflict" | "plan_changed" | "in_use" | "organization_in_use" | "organization_terminating" | "cursor_expired" | "restore_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "storage_version_required" | "idempotency_key_reused" | "patch_failed" | "restore_invalid" | "restore_too_large" | "definition_missing" | "domain_unverified" | "rate_limited" | "headers_too_large" | "internal_error" | "discriminator_exhausted" | "contention" | "unavailable" | "outcome_unknown";
            /** @description Also in `X-Request-Id` and in the logs of the service. */
            readonly requestId: string;
            /** @description Every fault of the request, not just the first. */
            readonly errors?: readonly {
                /** @description A JSON pointer into the body. */
                readonly path: string;
                readonly message: string;
            }[];
            /** @description Of a `revision_conflict` or `precondition_failed`: the stored revision. */
            readonly currentRevision?: number;
            /** @description Of a `uid_conflict`: the uid of the stored resource. */
            readonly currentUid?: string;
            /** @description Of an `apply_conflict`: the fields that the apply changes, and who has them. */
            readonly conflicts?: readonly {
                readonly manager: string;
                /** @enum {unknown} */
                readonly operation: "Apply" | "Update";
                readonly field: string;
            }[];
            /** @description Of a batch: the index of the operation that was refused. */
            readonly operation?: number;
            /** @description Of a `domain_unverified`: the TXT records to publish. */
            readonly challenges?: readonly components["schemas"]["DomainChallenge"][];
            /** @description Of a `deletion_protected`: the protected resources, at most 100. */
            readonly protected?: readonly components["schemas"]["ResourceIdentity"][];
            /** @description Of a `plan_changed`: what would be deleted and is not in the plan; at most 1000. */
            readonly added?: readonly components["schemas"]["ResourceIdentity"][];
            /** @description Of a `plan_changed`: what is in the plan and would not be deleted; at most 1000. */
            readonly removed?: readonly components["schemas"]["ResourceIdentity"][];
            /** @description Of a `restore_conflict`: names that are taken, with the uid that needs each; at most 1000. */
            readonly taken?: readonly {
                readonly apiVersion: string;
                readonly kind: string;
                readonly name: string;
                readonly ancestors: readonly string[];
                readonly from: string;
                readonly detail?: string;
            }[];
            /** @description Of a `restore_conflict`: parents and owners that do not exist; at most 1000. */
            readonly missing?: readonly {
                /** @enum {unknown} */
                readonly relationship: "parent" | "owner";
                readonly kind: string;
                readonly name: string;
                readonly uid: string;
                /** @constant */
                readonly terminating?: true;
                readonly of: components["schemas"]["ResourceIdentity"];
            }[];
            /** @description Of a `restore_invalid`: the identity of each stored state with its `errors`. */
            readonly invalid?: readonly Record<string, unknown>[];
            /** @description Of a `restore_too_large`: how many one restore brings back. */
            readonly limit?: number;
            /** @description The number of resources that still use it. */
            readonly rows?: number;
            /** @description Of `/readyz`: everything that keeps the service from serving. */
            readonly reasons?: readonly string[];
        };
        /** @description A refusal of an OAuth endpoint (RFC 6749, section 5.2). */
        readonly OAuthError: {
            /** @description Stable, for programs. */
            readonly error: string;
            /** @description The fault, for a person. */
            readonly error_description: string;
        };
        /** @description Without `spec` and `status` where `view=metadata` asks for it. */
        readonly "platform.dev.v1alpha1.Organization": {
            /** @constant */
            readonly apiVersion: "platform.dev/v1alpha1";
            /** @constant */
            readonly kind: "Organization";
            readonly metadata: {
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /**
                 * Format: int64
                 * @description Grows with every write.
                 */
                readonly revision: number;
                /**
                 * Format: int64
                 * @description Grows when `spec` changes.
                 */
                readonly generation: number;
                readonly discriminator: string;
                readonly labels: {
                    readonly [key: string]: string;
                };
                /** @description Names of the ancestors, root first. */
                readonly ancestors: readonly string[];
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly creationTimestamp: string;
                /**
                 * Format: date-time
                 * @description There while the resource waits for its deletion.
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly deletionTimestamp?: string;
                readonly annotations: {
                    readonly [key: string]: string;
                };
                readonly finalizers: readonly string[];
                readonly ownerReferences: readonly components["schemas"]["OwnerReference"][];
                /** @description Who has which fields. There once the resource was applied. */
                readonly managedFields?: readonly {
                    readonly manager: string;
                    /** @enum {unknown} */
                    readonly operation: "Apply" | "Update";
                    readonly apiVersion: string;
                    /** Format: date-time */
                    readonly time: string;
                    /** @constant */
                    readonly fieldsType: "FieldsV1";
                    readonly fieldsV1: Record<string, unknown>;
                    /**
                     * @description Of fields of the status that were applied through the Kubernetes API.
                     * @constant
                     */
                    readonly subresource?: "status";
                }[];
            };
            /** @description As it was written. Resources that are older than the schema may differ from it. */
            readonly spec?: components["schemas"]["platform.dev.v1alpha1.Organization.Spec"];
            readonly status?: {
                readonly controllers: Record<string, unknown>;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid. */
            readonly impact?: {
                readonly [key: string]: components["schemas"]["VersionImpact"];
            };
            /**
             * Format: date-time
             * @description With `removed=true`: when it was removed.
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly removedAt?: string;
            /** @description With `removed=true`: who removed it. */
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /** @description With `removed=true`: the deletion that removed it. */
            readonly cascadeId?: string | null;
            /** @description With `impact`: whether every stored resource was checked in time. */
            readonly complete?: boolean;
        };
        readonly "platform.dev.v1alpha1.Organization.Spec": components["schemas"]["OrganizationSpec"];
        /** @description Without `spec` and `status` where `view=metadata` asks for it. */
        readonly "platform.dev.v1alpha1.ResourceDefinition": {
            /** @constant */
            readonly apiVersion: "platform.dev/v1alpha1";
            /** @constant */
            readonly kind: "ResourceDefinition";
            readonly metadata: {
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /**
                 * Format: int64
                 * @description Grows with every write.
                 */
                readonly revision: number;
                /**
                 * Format: int64
                 * @description Grows when `spec` changes.
                 */
                readonly generation: number;
                readonly discriminator: string;
                readonly labels: {
                    readonly [key: string]: string;
                };
                /** @description Names of the ancestors, root first. */
                readonly ancestors: readonly string[];
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly creationTimestamp: string;
                /**
                 * Format: date-time
                 * @description There while the resource waits for its deletion.
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly deletionTimestamp?: string;
                readonly annotations: {
                    readonly [key: string]: string;
                };
                readonly finalizers: readonly string[];
                readonly ownerReferences: readonly components["schemas"]["OwnerReference"][];
                /** @description Who has which fields. There once the resource was applied. */
                readonly managedFields?: readonly {
                    readonly manager: string;
                    /** @enum {unknown} */
                    readonly operation: "Apply" | "Update";
                    readonly apiVersion: string;
                    /** Format: date-time */
                    readonly time: string;
                    /** @constant */
                    readonly fieldsType: "FieldsV1";
                    readonly fieldsV1: Record<string, unknown>;
                    /**
                     * @description Of fields of the status that were applied through the Kubernetes API.
                     * @constant
                     */
                    readonly subresource?: "status";
                }[];
            };
            /** @description As it was written. Resources that are older than the schema may differ from it. */
            readonly spec?: components["schemas"]["platform.dev.v1alpha1.ResourceDefinition.Spec"];
            readonly status?: {
                readonly controllers: Record<string, unknown>;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid. */
            readonly impact?: {
                readonly [key: string]: components["schemas"]["VersionImpact"];
            };
            /**
             * Format: date-time
             * @description With `removed=true`: when it was removed.
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly removedAt?: string;
            /** @description With `removed=true`: who removed it. */
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /** @description With `removed=true`: the deletion that removed it. */
            readonly cascadeId?: string | null;
            /** @description With `impact`: whether every stored resource was checked in time. */
            readonly complete?: boolean;
        };
        readonly "platform.dev.v1alpha1.ResourceDefinition.Spec": components["schemas"]["ResourceDefinitionSpec"];
        /** @description Without `spec` and `status` where `view=metadata` asks for it. */
        readonly "platform.dev.v1alpha1.Role": {
            /** @constant */
            readonly apiVersion: "platform.dev/v1alpha1";
            /** @constant */
            readonly kind: "Role";
            readonly metadata: {
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /**
                 * Format: int64
                 * @description Grows with every write.
                 */
                readonly revision: number;
                /**
                 * Format: int64
                 * @description Grows when `spec` changes.
                 */
                readonly generation: number;
                readonly discriminator: string;
                readonly labels: {
                    readonly [key: string]: string;
                };
                /** @description Names of the ancestors, root first. */
                readonly ancestors: readonly string[];
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly creationTimestamp: string;
                /**
                 * Format: date-time
                 * @description There while the resource waits for its deletion.
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly deletionTimestamp?: string;
                readonly annotations: {
                    readonly [key: string]: string;
                };
                readonly finalizers: readonly string[];
                readonly ownerReferences: readonly components["schemas"]["OwnerReference"][];
                /** @description Who has which fields. There once the resource was applied. */
                readonly managedFields?: readonly {
                    readonly manager: string;
                    /** @enum {unknown} */
                    readonly operation: "Apply" | "Update";
                    readonly apiVersion: string;
                    /** Format: date-time */
                    readonly time: string;
                    /** @constant */
                    readonly fieldsType: "FieldsV1";
                    readonly fieldsV1: Record<string, unknown>;
                    /**
                     * @description Of fields of the status that were applied through the Kubernetes API.
                     * @constant
                     */
                    readonly subresource?: "status";
                }[];
            };
            /** @description As it was written. Resources that are older than the schema may differ from it. */
            readonly spec?: components["schemas"]["platform.dev.v1alpha1.Role.Spec"];
            readonly status?: {
                readonly controllers: Record<string, unknown>;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid. */
            readonly impact?: {
                readonly [key: string]: components["schemas"]["VersionImpact"];
            };
            /**
             * Format: date-time
             * @description With `removed=true`: when it was removed.
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly removedAt?: string;
            /** @description With `removed=true`: who removed it. */
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /** @description With `removed=true`: the deletion that removed it. */
            readonly cascadeId?: string | null;
            /** @description With `impact`: whether every stored resource was checked in time. */
            readonly complete?: boolean;
        };
        readonly "platform.dev.v1alpha1.Role.Spec": components["schemas"]["RoleSpec"];
        /** @description Without `spec` and `status` where `view=metadata` asks for it. */
        readonly "platform.dev.v1alpha1.RoleBinding": {
            /** @constant */
            readonly apiVersion: "platform.dev/v1alpha1";
            /** @constant */
            readonly kind: "RoleBinding";
            readonly metadata: {
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /**
                 * Format: int64
                 * @description Grows with every write.
                 */
                readonly revision: number;
                /**
                 * Format: int64
                 * @description Grows when `spec` changes.
                 */
                readonly generation: number;
                readonly discriminator: string;
                readonly labels: {
                    readonly [key: string]: string;
                };
                /** @description Names of the ancestors, root first. */
                readonly ancestors: readonly string[];
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly creationTimestamp: string;
                /**
                 * Format: date-time
                 * @description There while the resource waits for its deletion.
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly deletionTimestamp?: string;
                readonly annotations: {
                    readonly [key: string]: string;
                };
                readonly finalizers: readonly string[];
                readonly ownerReferences: readonly components["schemas"]["OwnerReference"][];
                /** @description Who has which fields. There once the resource was applied. */
                readonly managedFields?: readonly {
                    readonly manager: string;
                    /** @enum {unknown} */
                    readonly operation: "Apply" | "Update";
                    readonly apiVersion: string;
                    /** Format: date-time */
                    readonly time: string;
                    /** @constant */
                    readonly fieldsType: "FieldsV1";
                    readonly fieldsV1: Record<string, unknown>;
                    /**
                     * @description Of fields of the status that were applied through the Kubernetes API.
                     * @constant
                     */
                    readonly subresource?: "status";
                }[];
            };
            /** @description As it was written. Resources that are older than the schema may differ from it. */
            readonly spec?: components["schemas"]["platform.dev.v1alpha1.RoleBinding.Spec"];
            readonly status?: {
                readonly controllers: Record<string, unknown>;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid. */
            readonly impact?: {
                readonly [key: string]: components["schemas"]["VersionImpact"];
            };
            /**
             * Format: date-time
             * @description With `removed=true`: when it was removed.
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly removedAt?: string;
            /** @description With `removed=true`: who removed it. */
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /** @description With `removed=true`: the deletion that removed it. */
            readonly cascadeId?: string | null;
            /** @description With `impact`: whether every stored resource was checked in time. */
            readonly complete?: boolean;
        };
        readonly "platform.dev.v1alpha1.RoleBinding.Spec": components["schemas"]["RoleBindingSpec"];
        /** @description Without `spec` and `status` where `view=metadata` asks for it. */
        readonly "platform.dev.v1alpha1.Subscription": {
            /** @constant */
            readonly apiVersion: "platform.dev/v1alpha1";
            /** @constant */
            readonly kind: "Subscription";
            readonly metadata: {
                readonly name: string;
                /**
                 * Format: uuid
                 * @example 01a1fc66-ebc7-7abd-b820-e103976092a4
                 */
                readonly uid: string;
                /**
                 * Format: int64
                 * @description Grows with every write.
                 */
                readonly revision: number;
                /**
                 * Format: int64
                 * @description Grows when `spec` changes.
                 */
                readonly generation: number;
                readonly discriminator: string;
                readonly labels: {
                    readonly [key: string]: string;
                };
                /** @description Names of the ancestors, root first. */
                readonly ancestors: readonly string[];
                /**
                 * Format: date-time
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly creationTimestamp: string;
                /**
                 * Format: date-time
                 * @description There while the resource waits for its deletion.
                 * @example 2026-01-01T12:00:00.000Z
                 */
                readonly deletionTimestamp?: string;
                readonly annotations: {
                    readonly [key: string]: string;
                };
                readonly finalizers: readonly string[];
                readonly ownerReferences: readonly components["schemas"]["OwnerReference"][];
                /** @description Who has which fields. There once the resource was applied. */
                readonly managedFields?: readonly {
                    readonly manager: string;
                    /** @enum {unknown} */
                    readonly operation: "Apply" | "Update";
                    readonly apiVersion: string;
                    /** Format: date-time */
                    readonly time: string;
                    /** @constant */
                    readonly fieldsType: "FieldsV1";
                    readonly fieldsV1: Record<string, unknown>;
                    /**
                     * @description Of fields of the status that were applied through the Kubernetes API.
                     * @constant
                     */
                    readonly subresource?: "status";
                }[];
            };
            /** @description As it was written. Resources that are older than the schema may differ from it. */
            readonly spec?: components["schemas"]["platform.dev.v1alpha1.Subscription.Spec"];
            readonly status?: {
                readonly controllers: Record<string, unknown>;
            } & {
                readonly [key: string]: unknown;
            };
            /** @description Of a `PUT` of a definition with `dryRun=true`, by version: the stored resources, and those that would be invalid. */
            readonly impact?: {
                readonly [key: string]: components["schemas"]["VersionImpact"];
            };
            /**
             * Format: date-time
             * @description With `removed=true`: when it was removed.
             * @example 2026-01-01T12:00:00.000Z
             */
            readonly removedAt?: string;
            /** @description With `removed=true`: who removed it. */
            readonly actor?: {
                readonly type: string;
                readonly id: string;
            };
            /** @description With `removed=true`: the deletion that removed it. */
            readonly cascadeId?: string | null;
            /** @description With `impact`: whether every stored resource was checked in time. */
            readonly complete?: boolean;
        };
        readonly "platform.dev.v1alpha1.Subscription.Spec": components["schemas"]["SubscriptionSpec"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
