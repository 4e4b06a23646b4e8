from typing import TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore

from loci_client import Loci
from loci_client.langgraph import LociStore


class State(TypedDict, total=False):
    question: str
    answer: str


def answer(state: State, config: RunnableConfig, *, store: BaseStore) -> State:
    user = config["configurable"]["user"]  # as your application put it into the call
    notes = store.search(("notes", user), query=state["question"], limit=1)
    return {"answer": notes[0].value["text"] if notes else "I do not know."}  # yours: what a model makes of them


with Loci.local() as loci:
    store = LociStore(loci, "agent:notes")
    store.put(("notes", "ann"), "tea", {"text": "Ann drinks Assam."})
    store.put(("notes", "ann"), "ferry", {"text": "The ferry to Oslo leaves at nine."})

    graph = StateGraph(State).add_node("answer", answer).add_edge(START, "answer").compile(store=store)
    for user in ("ann", "anna"):
        state = graph.invoke({"question": "Which tea does Ann drink?"}, {"configurable": {"user": user}})
        print(state["answer"])

    print(loci.memories.get(scope="agent:notes", key='["notes","ann","tea"]').text)  # an item is a memory
