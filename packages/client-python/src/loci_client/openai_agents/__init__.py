"""Memory for OpenAI's Agents SDK: a filter of what its models are sent, what is kept of a run, a session, and tools."""

try:
    import agents as _agents  # noqa: F401
except ModuleNotFoundError as _error:
    from loci_client.agent.required_extra import missing_extra

    raise missing_extra(_error, "openai-agents", "OpenAI's Agents SDK", ("agents",)) from None

from loci_client.openai_agents.finished_run import keep_run as keep_run
from loci_client.openai_agents.finished_run import keep_run_sync as keep_run_sync
from loci_client.openai_agents.input_filter import loci_input_filter as loci_input_filter
from loci_client.openai_agents.session import LociSession as LociSession
from loci_client.openai_agents.tools import loci_tools as loci_tools

__all__ = ["LociSession", "keep_run", "keep_run_sync", "loci_input_filter", "loci_tools"]
