import type { Example } from '../endpoint/documentation.ts';

const apiVersion = 'platform.dev/v1alpha1';
const rules = [{ apiGroups: ['farm.example.dev'], resources: ['*'], verbs: ['get', 'list', 'watch'] }];
const subjects = [{ kind: 'Group', name: 'farmers' }];
const url = 'https://hooks.example.com/farm';
const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The request bodies of roles, bindings and subscriptions. */
export const accessExamples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  create_platform_dev_v1alpha1_roles: {
    role: {
      summary: 'Reads everything of one API group',
      value: { apiVersion, kind: 'Role', metadata: { name: 'farm-reader' }, spec: { rules } },
    },
  },
  replace_platform_dev_v1alpha1_roles: {
    role: {
      summary: 'One verb fewer',
      value: {
        apiVersion,
        kind: 'Role',
        metadata: { name: 'farm-reader', revision: 1 },
        spec: { rules: rules.map((rule) => ({ ...rule, verbs: ['get', 'list'] })) },
      },
    },
  },
  create_platform_dev_v1alpha1_rolebindings: {
    binding: {
      summary: 'A role for a group, everywhere',
      value: {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'farmers-read' },
        spec: { roleRef: { name: 'farm-reader' }, subjects },
      },
    },
  },
  replace_platform_dev_v1alpha1_rolebindings: {
    binding: {
      summary: 'One subject more',
      value: {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'farmers-read', revision: 1 },
        spec: {
          roleRef: { name: 'farm-reader' },
          subjects: [...subjects, { kind: 'User', name: 'ann@example.dev' }],
        },
      },
    },
  },
  create_platform_dev_v1alpha1_subscriptions: {
    subscription: {
      summary: 'Changes of two kinds',
      value: {
        apiVersion,
        kind: 'Subscription',
        metadata: { name: 'farm-hook' },
        spec: { url, secret, selector: { kinds: ['Tractor.farm.example.dev', 'Barn.farm.example.dev'] } },
      },
    },
  },
  replace_platform_dev_v1alpha1_subscriptions: {
    subscription: {
      summary: 'No delivery for now; the secret stays as it is',
      value: {
        apiVersion,
        kind: 'Subscription',
        metadata: { name: 'farm-hook', revision: 1 },
        spec: { url, suspend: true },
      },
    },
  },
};
