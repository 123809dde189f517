import java.util.concurrent.*;
class Concurrency {
    String load() { return ""; }
    void run(ExecutorService service) throws Exception {
        service.submit(() -> load()).get().trim();
        // ^ calls: Concurrency.Concurrency.load, Concurrency.Concurrency.run.<lambda1>, java.lang.String.trim, java.util.concurrent.ExecutorService.submit, java.util.concurrent.Future.get
        CompletableFuture.supplyAsync(this::load).thenApply(text -> text.trim()).thenAccept(text -> text.length());
        // ^ calls: Concurrency.Concurrency.load, Concurrency.Concurrency.run.<lambda2>, Concurrency.Concurrency.run.<lambda3>, java.lang.String.length, java.lang.String.trim, java.util.concurrent.CompletableFuture.supplyAsync, java.util.concurrent.CompletableFuture.thenAccept, java.util.concurrent.CompletableFuture.thenApply
        ConcurrentHashMap<String, Concurrency> map = new ConcurrentHashMap<>();
        // ^ calls: java.util.concurrent.ConcurrentHashMap.ConcurrentHashMap
        map.get("a").load();
        // ^ calls: Concurrency.Concurrency.load, java.util.concurrent.ConcurrentHashMap.get
    }
}
