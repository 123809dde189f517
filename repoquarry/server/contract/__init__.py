"""Parts of the contract that many methods share: resource names, page tokens, values, entities, statuses."""
