"""Execution of the commands and examples in README, CONTRIBUTING and the pages of docs.

Every fenced block names its language. Blocks of `EXECUTED` languages run in the order of their page, in a folder and an environment of
their own; others carry a comment that says why they do not. A `text` block directly behind an executed block is its output, where `…`
stands for anything. Two comments directly before a block steer it:

    <!-- not executed: REASON -->
    <!-- setup: COMMANDS THAT A READER HAS RUN BEFORE -->
"""
