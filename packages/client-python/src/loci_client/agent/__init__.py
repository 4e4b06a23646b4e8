"""Memory for agents of any framework: what is recalled for a message of the user, and how a finished run is kept."""

from loci_client.agent.block_layout import INSTRUCTIONS_NOTICE as INSTRUCTIONS_NOTICE
from loci_client.agent.conversation import Conversation as Conversation
from loci_client.agent.recalled_block import RecalledBlock as RecalledBlock
from loci_client.agent.tool_forms import AGENT_TOOLS as AGENT_TOOLS
from loci_client.agent.tool_forms import AgentTool as AgentTool
from loci_client.agent.tool_forms import anthropic_tools as anthropic_tools
from loci_client.agent.tool_forms import openai_tools as openai_tools
from loci_client.agent.without_recalled import without_recalled as without_recalled
from loci_client.asynchronous.agent_memory import AsyncAgentMemory as AsyncAgentMemory
from loci_client.asynchronous.agent_tools import AsyncAgentTools as AsyncAgentTools
from loci_client.synchronous.agent_memory import AgentMemory as AgentMemory
from loci_client.synchronous.agent_tools import AgentTools as AgentTools

__all__ = [
    "AGENT_TOOLS",
    "INSTRUCTIONS_NOTICE",
    "AgentMemory",
    "AgentTool",
    "AgentTools",
    "AsyncAgentMemory",
    "AsyncAgentTools",
    "Conversation",
    "RecalledBlock",
    "anthropic_tools",
    "openai_tools",
    "without_recalled",
]
