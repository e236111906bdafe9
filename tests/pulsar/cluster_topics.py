"""Topics with a subscription that nobody reads, on every broker of a cluster: what the tests about more than one broker begin with."""
from client import Admin, Clients
from waiting import wait_until

COUNT = 8


def spread_topics(cluster, namespace, name, entries):
    """They are loaded, `name` is left behind on each with `entries` messages. One list for each bundle: what is in one moves together."""
    admin = Admin(cluster.brokers[0])
    admin.make_namespace(namespace)
    bundles = {}
    for i in range(COUNT):
        topic = f"persistent://{namespace}/left-{i}"
        admin.make_topic(topic)
        admin.make_subscription(topic, name)
        bundles.setdefault(cluster.bundle(topic), []).append(topic)
    for i, group in enumerate(bundles.values()):  # before anything is loaded by a client
        cluster.move(group[0], cluster.brokers[i % len(cluster.brokers)])
    topics = {topic for group in bundles.values() for topic in group}
    with Clients(cluster.brokers[0]) as clients:
        for topic in topics:
            clients.publish(topic, entries)
    listed = [Admin(broker) for broker in cluster.brokers]
    wait_until(lambda: topics <= {topic for one in listed for topic in one.sweep()}, 150, "the brokers list all topics as loaded")
    return list(bundles.values())
