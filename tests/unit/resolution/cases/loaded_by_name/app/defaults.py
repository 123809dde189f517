CACHE = "app.plugins.store.MemoryStore"
PIPELINES = {"app.plugins.store.FileStore": 1}
