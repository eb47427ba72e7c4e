"""Lists, watches and changes objects with the client of Kubernetes for Python. Prints the events as lines."""
from kubernetes import client, config, watch

config.load_kube_config()
objects = client.CustomObjectsApi()
place = dict(group="example.dev", version="v1", namespace="acme", plural="widgets")


def widget(name):
    return {"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": {"name": name}, "spec": {"size": "small"}}


objects.create_namespaced_custom_object(body=widget("one"), **place)
page = objects.list_namespaced_custom_object(limit=1, **place)
objects.create_namespaced_custom_object(body=widget("two"), **place)
objects.patch_namespaced_custom_object(name="one", body={"spec": {"size": "large"}}, **place)
objects.patch_namespaced_custom_object_status(name="two", body={"status": {"ready": True}}, **place)
objects.delete_namespaced_custom_object(name="one", **place)

stream = watch.Watch()
for event in stream.stream(
    objects.list_namespaced_custom_object, resource_version=page["metadata"]["resourceVersion"], timeout_seconds=30, **place
):
    found = event["object"]
    print(event["type"], found["metadata"]["name"], found["spec"]["size"], found.get("status"))
    if event["type"] == "DELETED":
        stream.stop()

core = client.CoreV1Api()
core.create_namespaced_secret("acme", client.V1Secret(metadata=client.V1ObjectMeta(name="key"), string_data={"a": "b"}))
print("SECRET", core.read_namespaced_secret("key", "acme").data["a"])
print("NAMESPACES", *[one.metadata.name for one in core.list_namespace().items])
