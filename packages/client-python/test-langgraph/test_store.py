"""A LangGraph store whose items are memories, against a running server."""

import asyncio
import random
import unittest
from datetime import timedelta
from unittest import mock
from uuid import uuid4

from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from loci_client import InvalidArgumentError, UnsupportedError
from loci_client.items.kept_item import memory_key
from loci_client.langgraph import LociStore
from served_loci import connect, connect_async, needs_server

LABELS = ("a", "ab", "b", "A", "é", "e\u0301", "x y", '"]')


def shown(result):
    """What has to be the same: both have clocks of their own."""
    if isinstance(result, list):
        return [shown(each) for each in result]
    if result is None or isinstance(result, tuple):
        return result
    return (result.namespace, result.key, result.value)


class RandomOperations:
    """Operations by chance, and how LangGraph's own store answers them: the oldest first, no namespace without items."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.store = InMemoryStore()
        self.made = {}

    def next(self):
        return [self._operation() for _ in range(self.random.randint(1, 4))]

    def answers(self, operations):
        given = iter([self._read(op) for op in operations if not isinstance(op, PutOp)])
        self.store.batch([op for op in operations if isinstance(op, PutOp)])
        results = []
        for op in operations:
            if isinstance(op, PutOp):
                results.append(None)
            elif isinstance(op, SearchOp):
                found = sorted(next(given), key=lambda item: self.made[item[:2]])
                results.append(found[op.offset : op.offset + op.limit])
            elif isinstance(op, ListNamespacesOp):
                results.append(next(given)[op.offset : op.offset + op.limit])
            else:
                results.append(next(given))
        for place, value in {(op.namespace, op.key): op.value for op in operations if isinstance(op, PutOp)}.items():
            if value is None:
                self.made.pop(place, None)
            else:
                self.made.setdefault(place, len(self.made) and max(self.made.values()) + 1)
        return results

    def _read(self, op):
        # Reading an item makes its namespace there.
        for namespace in [name for name, items in self.store._data.items() if not items]:
            del self.store._data[namespace]
        whole = op if isinstance(op, GetOp) else op._replace(limit=10**9, offset=0)
        return shown(self.store.batch([whole]))[0]

    def _operation(self):
        pick = self.random
        namespace = tuple(pick.choice(LABELS) for _ in range(pick.randint(1, 3)))
        key = pick.choice(("a", "b", "ab", '","', "ключ"))
        page = {"limit": pick.randint(0, 12), "offset": pick.randint(0, 4)}
        kind = pick.random()
        if kind < 0.4:
            value = {"n": pick.randint(-3, 3), "s": pick.choice(("", "tea", "$eq")), "o": {"deep": pick.random() < 0.5}}
            return PutOp(namespace, key, value)
        if kind < 0.55:
            return PutOp(namespace, key, None)
        if kind < 0.75:
            return GetOp(namespace, key)
        if kind < 0.92:
            wanted = pick.choice((None, {"n": 1}, {"s": "$eq"}, {"o": {"deep": True}}, {"n": {"$gte": 0, "$lt": 3}}))
            return SearchOp(namespace[: pick.randint(0, 2)], filter=wanted, **page)
        path = tuple(pick.choice((*LABELS, "*")) for _ in range(pick.randint(1, 2)))
        conditions = pick.choice((None, (MatchCondition(pick.choice(("prefix", "suffix")), path),)))
        return ListNamespacesOp(conditions, pick.choice((None, 1, 2)), **page)


@needs_server
class StoreTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.scope = f"agent:{uuid4()}"
        self.store = LociStore(self.loci, self.scope)

    def test_random_operations_answer_as_the_stores_of_langgraph_itself(self):
        operations = RandomOperations(7)
        for _ in range(150):
            batch = operations.next()
            self.assertEqual((batch, shown(self.store.batch(batch))), (batch, operations.answers(batch)))

    def test_hostile_namespaces_reach_nothing_of_one_another(self):
        strange = (*LABELS, "a/b", "*", "%", "_", "' OR 1=1 --", "\u202ea", "a\u200b", "__class__", "0", "00", "ns0", "a\n")
        namespaces = [(first,) for first in strange] + [(first, second) for first in strange[:8] for second in strange[:8]]
        self.store.batch([PutOp(each, "key", {"place": list(each), "word": "plum"}) for each in namespaces])
        for each in namespaces[::4]:
            self.assertEqual(self.store.get(each, "key").value["place"], list(each))
            wanted = [other for other in namespaces if other[: len(each)] == each]
            self.assertEqual([item.namespace for item in self.store.search(each, limit=999)], wanted)
            found = self.store.search(each, query="plum", limit=999)
            self.assertEqual(sorted(item.namespace for item in found), sorted(wanted))

    def test_a_question_finds_what_is_searched_and_nothing_else(self):
        self.store.put(("users", "ann"), "food", {"likes": "Pizza with anchovies"})
        self.store.put(("users", "ann"), "work", {"employer": "The harbour office"})
        self.store.put(("users", "ann"), "secret", {"likes": "Pizza with pineapple"}, index=False)
        found = self.store.search(("users", "ann"), query="What pizza does she like?")
        self.assertEqual(found[0].key, "food")
        self.assertGreater(found[0].score, 0.2)
        self.assertNotIn("secret", [item.key for item in found])
        self.assertIsNone(self.store.search(("users", "ann"))[0].score)
        kept = self.loci.memories.get(scope=self.scope, key='["users","ann","food"]')
        self.assertEqual((kept.text, kept.category), ("likes: Pizza with anchovies", "item"))

    def test_what_cannot_be_kept_is_refused_before_anything_is_written(self):
        good = PutOp(("a",), "good", {"n": 1})
        for op, reason in (
            (PutOp(("a",), "k", {"text": "x" * 36 * 1024}), "METADATA_TOO_LARGE"),
            (PutOp(("a",), "k", {"n": object()}), "INVALID_REQUEST"),
            (PutOp(("a",), "k", {"n": float("nan")}), "INVALID_REQUEST"),
            (GetOp(("a",), "k" * 513), "INVALID_IDENTIFIER"),
            (GetOp(("a" * 201,), "k"), "INVALID_IDENTIFIER"),
            (GetOp(("a", "\ud800"), "k"), "INVALID_IDENTIFIER"),
            (GetOp(("a",) * 17, "k"), "INVALID_IDENTIFIER"),
        ):
            with self.assertRaisesRegex(InvalidArgumentError, reason):
                self.store.batch([good, op])
        for wanted in ({"n": {"$regex": "1"}}, {"o": {"deep": {"$in": [1]}}}):
            with self.assertRaisesRegex(UnsupportedError, "UNSUPPORTED_OPERATION"):
                self.store.batch([good, SearchOp(("a",), filter=wanted)])
        with self.assertRaises(InvalidNamespaceError):
            self.store.batch([good, PutOp((), "k", {"n": 1})])
        self.assertEqual(self.store.search(()), [])

    def test_items_expire_and_are_put_again(self):
        self.store.put(("a",), "k", {"n": 1}, ttl=1)
        self.assertEqual(self.store.get(("a",), "k").value, {"n": 1})
        from loci_client.synchronous import item_store

        later = item_store._now() + timedelta(minutes=2)
        with mock.patch.object(item_store, "_now", lambda: later):
            self.assertIsNone(self.store.get(("a",), "k"))
            self.assertEqual(self.store.search(("a",)), [])
            self.store.put(("a",), "k", {"n": 2}, ttl=None)
        self.assertEqual(self.store.get(("a",), "k").value, {"n": 2})

    def test_whose_items_they_are_is_said_for_each_namespace(self):
        store = LociStore(self.loci, lambda namespace: f"user:{namespace[1]}" if len(namespace) > 1 else None)
        user = str(uuid4())
        store.put(("users", user), "k", {"text": "hers"})
        self.assertEqual([item.value for item in store.search(("users", user))], [{"text": "hers"}])
        self.assertEqual(store.list_namespaces(prefix=("users", user)), [("users", user)])
        for refused in (lambda: store.search(()), lambda: LociStore(self.loci, f"user:{None}").get(("a",), "k")):
            with self.assertRaisesRegex(InvalidArgumentError, "SCOPE_REQUIRED"):
                refused()

    def test_a_batch_reads_what_was_there_before_it(self):
        self.store.put(("a",), "k", {"n": 1})
        ops = [PutOp(("a",), "k", {"n": 2}), GetOp(("a",), "k"), SearchOp(("a",)), PutOp(("a",), "k", {"n": 3})]
        _, read, found, _ = self.store.batch(ops)
        self.assertEqual((read.value, [item.value for item in found]), ({"n": 1}, [{"n": 1}]))
        self.assertEqual(self.store.get(("a",), "k").value, {"n": 3})
        self.loci.memories.remember("Another memory of the scope.", scope=self.scope)
        self.assertEqual(len(self.store.search(())), 1)

    def test_a_graph_has_it(self):
        from typing import TypedDict

        from langgraph.graph import START, StateGraph
        from langgraph.store.base import BaseStore

        class State(TypedDict, total=False):
            said: str

        def note(state: State, *, store: BaseStore) -> State:
            store.put(("notes",), "last", {"text": state["said"]})
            return {"said": store.search(("notes",), query="ferry")[0].value["text"]}

        graph = StateGraph(State).add_node("note", note).add_edge(START, "note").compile(store=self.store)
        self.assertEqual(graph.invoke({"said": "The ferry leaves at nine."}), {"said": "The ferry leaves at nine."})
        self.assertEqual(self.store.get(("notes",), "last").value, {"text": "The ferry leaves at nine."})

    def test_in_both_ways_from_one_client_or_from_an_asynchronous_one(self):
        async def used(store):
            await asyncio.gather(*[store.aput(("a",), "k", {"n": n}) for n in range(8)])
            found = await store.asearch(("a",))
            await store.adelete(("a",), "k")
            return len(found), await store.aget(("a",), "k"), await store.alist_namespaces()

        async def asynchronously():
            async with connect_async() as loci:
                store = LociStore(loci, f"agent:{uuid4()}")
                with self.assertRaisesRegex(TypeError, "abatch"):
                    store.batch([])
                return await used(store)

        self.assertEqual(asyncio.run(asynchronously()), (1, None, []))
        self.assertEqual(asyncio.run(used(self.store)), (1, None, []))


class MemoryKeyTest(unittest.TestCase):
    def test_it_is_the_same_in_every_language(self):
        self.assertEqual(memory_key(("notes", 'é"\n\u007f'), "tea"), '["notes","é\\"\\n\u007f","tea"]')
        self.assertEqual(
            memory_key(("a" * 200, "b" * 200), "c" * 200),
            "sha256:b9f33c2c14adc00673f253996126403ff4307d823df9f6c9bb6252dde2296781",
        )


if __name__ == "__main__":
    unittest.main()
