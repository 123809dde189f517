"""The kinds of question: each file holds one kind's forms, plan and steps."""
