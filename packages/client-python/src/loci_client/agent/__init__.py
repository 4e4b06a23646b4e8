"""Memory for agents of any framework: what is recalled for a message of the user, and how a finished run is kept."""

from loci_client.agent.block_layout import INSTRUCTIONS_NOTICE as INSTRUCTIONS_NOTICE
from loci_client.agent.conversation import Conversation as Conversation
from loci_client.agent.recalled_block import RecalledBlock as RecalledBlock
from loci_client.agent.without_recalled import without_recalled as without_recalled
from loci_client.asynchronous.agent_memory import AsyncAgentMemory as AsyncAgentMemory
from loci_client.synchronous.agent_memory import AgentMemory as AgentMemory

__all__ = ["INSTRUCTIONS_NOTICE", "AgentMemory", "AsyncAgentMemory", "Conversation", "RecalledBlock", "without_recalled"]
