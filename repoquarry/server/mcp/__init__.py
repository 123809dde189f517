"""The Model Context Protocol: the reading tools and resources of a store or a service, for other agents and editors."""
