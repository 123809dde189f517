"""Operations on code, declared once: arguments, run and wording, from which agent, MCP, RPC and command line derive theirs."""
