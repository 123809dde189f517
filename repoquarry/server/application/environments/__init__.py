"""EnvironmentService: provisionings as durable work, in messages of the contract."""
