package java.util.concurrent;
abstract class AbstractExecutorService implements java.util.concurrent.ExecutorService {
 AbstractExecutorService() {}
 native <T> java.util.concurrent.RunnableFuture<T> newTaskFor(java.lang.Runnable p0, T p1);
 native <T> java.util.concurrent.RunnableFuture<T> newTaskFor(java.util.concurrent.Callable<T> p0);
 native <T> T invokeAny(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0);
 native <T> T invokeAny(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0, long p1, java.util.concurrent.TimeUnit p2);
 native <T> java.util.List<java.util.concurrent.Future<T>> invokeAll(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0);
 native <T> java.util.List<java.util.concurrent.Future<T>> invokeAll(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0, long p1, java.util.concurrent.TimeUnit p2);
 native java.util.concurrent.Future<?> submit(java.lang.Runnable p0);
 native <T> java.util.concurrent.Future<T> submit(java.lang.Runnable p0, T p1);
 native <T> java.util.concurrent.Future<T> submit(java.util.concurrent.Callable<T> p0);
}
class ArrayBlockingQueue<E>  extends java.util.AbstractQueue<E> implements java.util.concurrent.BlockingQueue<E>, java.io.Serializable {
 ArrayBlockingQueue(int p0) {}
 ArrayBlockingQueue(int p0, boolean p1) {}
 ArrayBlockingQueue(int p0, boolean p1, java.util.Collection<? extends E> p2) {}
 native boolean add(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int remainingCapacity();
 native int size();
 native E peek();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E take();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void put(E p0);
}
interface BlockingDeque<E>  extends java.util.concurrent.BlockingQueue<E>, java.util.Deque<E> {
 boolean add(E p0);
 boolean contains(java.lang.Object p0);
 boolean offer(E p0);
 boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 boolean offerFirst(E p0);
 boolean offerFirst(E p0, long p1, java.util.concurrent.TimeUnit p2);
 boolean offerLast(E p0);
 boolean offerLast(E p0, long p1, java.util.concurrent.TimeUnit p2);
 boolean remove(java.lang.Object p0);
 boolean removeFirstOccurrence(java.lang.Object p0);
 boolean removeLastOccurrence(java.lang.Object p0);
 int size();
 E element();
 E peek();
 E poll();
 E poll(long p0, java.util.concurrent.TimeUnit p1);
 E pollFirst(long p0, java.util.concurrent.TimeUnit p1);
 E pollLast(long p0, java.util.concurrent.TimeUnit p1);
 E remove();
 E take();
 E takeFirst();
 E takeLast();
 java.util.Iterator<E> iterator();
 void addFirst(E p0);
 void addLast(E p0);
 void push(E p0);
 void put(E p0);
 void putFirst(E p0);
 void putLast(E p0);
}
interface BlockingQueue<E>  extends java.util.Queue<E> {
 boolean add(E p0);
 boolean contains(java.lang.Object p0);
 boolean offer(E p0);
 boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 boolean remove(java.lang.Object p0);
 int drainTo(java.util.Collection<? super E> p0);
 int drainTo(java.util.Collection<? super E> p0, int p1);
 int remainingCapacity();
 E poll(long p0, java.util.concurrent.TimeUnit p1);
 E take();
 void put(E p0);
}
class BrokenBarrierException extends java.lang.Exception {
 BrokenBarrierException() {}
 BrokenBarrierException(java.lang.String p0) {}
}
interface Callable<V>  {
 V call();
}
class CancellationException extends java.lang.IllegalStateException {
 CancellationException() {}
 CancellationException(java.lang.String p0) {}
}
class CompletableFuture<T>  implements java.util.concurrent.Future<T>, java.util.concurrent.CompletionStage<T> {
 CompletableFuture() {}
 native boolean cancel(boolean p0);
 native boolean complete(T p0);
 native boolean completeExceptionally(java.lang.Throwable p0);
 native boolean isCancelled();
 native boolean isCompletedExceptionally();
 native boolean isDone();
 native int getNumberOfDependents();
 native T get();
 native T get(long p0, java.util.concurrent.TimeUnit p1);
 native T getNow(T p0);
 native T join();
 native java.lang.String toString();
 native java.util.concurrent.CompletableFuture<java.lang.Void> acceptEither(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Consumer<? super T> p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> acceptEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Consumer<? super T> p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> acceptEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Consumer<? super T> p1, java.util.concurrent.Executor p2);
 native <U> java.util.concurrent.CompletableFuture<U> applyToEither(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Function<? super T, U> p1);
 native <U> java.util.concurrent.CompletableFuture<U> applyToEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Function<? super T, U> p1);
 native <U> java.util.concurrent.CompletableFuture<U> applyToEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Function<? super T, U> p1, java.util.concurrent.Executor p2);
 native java.util.concurrent.CompletableFuture<T> completeAsync(java.util.function.Supplier<? extends T> p0);
 native java.util.concurrent.CompletableFuture<T> completeAsync(java.util.function.Supplier<? extends T> p0, java.util.concurrent.Executor p1);
 native java.util.concurrent.CompletableFuture<T> completeOnTimeout(T p0, long p1, java.util.concurrent.TimeUnit p2);
 native java.util.concurrent.CompletableFuture<T> copy();
 native java.util.concurrent.CompletableFuture<T> exceptionally(java.util.function.Function<java.lang.Throwable, ? extends T> p0);
 native java.util.concurrent.CompletableFuture<T> exceptionallyAsync(java.util.function.Function<java.lang.Throwable, ? extends T> p0);
 native java.util.concurrent.CompletableFuture<T> exceptionallyAsync(java.util.function.Function<java.lang.Throwable, ? extends T> p0, java.util.concurrent.Executor p1);
 native java.util.concurrent.CompletableFuture<T> exceptionallyCompose(java.util.function.Function<java.lang.Throwable, ? extends java.util.concurrent.CompletionStage<T>> p0);
 native java.util.concurrent.CompletableFuture<T> exceptionallyComposeAsync(java.util.function.Function<java.lang.Throwable, ? extends java.util.concurrent.CompletionStage<T>> p0);
 native java.util.concurrent.CompletableFuture<T> exceptionallyComposeAsync(java.util.function.Function<java.lang.Throwable, ? extends java.util.concurrent.CompletionStage<T>> p0, java.util.concurrent.Executor p1);
 native <U> java.util.concurrent.CompletableFuture<U> handle(java.util.function.BiFunction<? super T, java.lang.Throwable, ? extends U> p0);
 native <U> java.util.concurrent.CompletableFuture<U> handleAsync(java.util.function.BiFunction<? super T, java.lang.Throwable, ? extends U> p0);
 native <U> java.util.concurrent.CompletableFuture<U> handleAsync(java.util.function.BiFunction<? super T, java.lang.Throwable, ? extends U> p0, java.util.concurrent.Executor p1);
 native <U> java.util.concurrent.CompletableFuture<U> newIncompleteFuture();
 native java.util.concurrent.CompletableFuture<T> orTimeout(long p0, java.util.concurrent.TimeUnit p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> runAfterBoth(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> runAfterBothAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> runAfterBothAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1, java.util.concurrent.Executor p2);
 native java.util.concurrent.CompletableFuture<java.lang.Void> runAfterEither(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> runAfterEitherAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> runAfterEitherAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1, java.util.concurrent.Executor p2);
 native java.util.concurrent.CompletableFuture<java.lang.Void> thenAccept(java.util.function.Consumer<? super T> p0);
 native java.util.concurrent.CompletableFuture<java.lang.Void> thenAcceptAsync(java.util.function.Consumer<? super T> p0);
 native java.util.concurrent.CompletableFuture<java.lang.Void> thenAcceptAsync(java.util.function.Consumer<? super T> p0, java.util.concurrent.Executor p1);
 native <U> java.util.concurrent.CompletableFuture<java.lang.Void> thenAcceptBoth(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiConsumer<? super T, ? super U> p1);
 native <U> java.util.concurrent.CompletableFuture<java.lang.Void> thenAcceptBothAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiConsumer<? super T, ? super U> p1);
 native <U> java.util.concurrent.CompletableFuture<java.lang.Void> thenAcceptBothAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiConsumer<? super T, ? super U> p1, java.util.concurrent.Executor p2);
 native <U> java.util.concurrent.CompletableFuture<U> thenApply(java.util.function.Function<? super T, ? extends U> p0);
 native <U> java.util.concurrent.CompletableFuture<U> thenApplyAsync(java.util.function.Function<? super T, ? extends U> p0);
 native <U> java.util.concurrent.CompletableFuture<U> thenApplyAsync(java.util.function.Function<? super T, ? extends U> p0, java.util.concurrent.Executor p1);
 native <U, V> java.util.concurrent.CompletableFuture<V> thenCombine(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiFunction<? super T, ? super U, ? extends V> p1);
 native <U, V> java.util.concurrent.CompletableFuture<V> thenCombineAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiFunction<? super T, ? super U, ? extends V> p1);
 native <U, V> java.util.concurrent.CompletableFuture<V> thenCombineAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiFunction<? super T, ? super U, ? extends V> p1, java.util.concurrent.Executor p2);
 native <U> java.util.concurrent.CompletableFuture<U> thenCompose(java.util.function.Function<? super T, ? extends java.util.concurrent.CompletionStage<U>> p0);
 native <U> java.util.concurrent.CompletableFuture<U> thenComposeAsync(java.util.function.Function<? super T, ? extends java.util.concurrent.CompletionStage<U>> p0);
 native <U> java.util.concurrent.CompletableFuture<U> thenComposeAsync(java.util.function.Function<? super T, ? extends java.util.concurrent.CompletionStage<U>> p0, java.util.concurrent.Executor p1);
 native java.util.concurrent.CompletableFuture<java.lang.Void> thenRun(java.lang.Runnable p0);
 native java.util.concurrent.CompletableFuture<java.lang.Void> thenRunAsync(java.lang.Runnable p0);
 native java.util.concurrent.CompletableFuture<java.lang.Void> thenRunAsync(java.lang.Runnable p0, java.util.concurrent.Executor p1);
 native java.util.concurrent.CompletableFuture<T> toCompletableFuture();
 native java.util.concurrent.CompletableFuture<T> whenComplete(java.util.function.BiConsumer<? super T, ? super java.lang.Throwable> p0);
 native java.util.concurrent.CompletableFuture<T> whenCompleteAsync(java.util.function.BiConsumer<? super T, ? super java.lang.Throwable> p0);
 native java.util.concurrent.CompletableFuture<T> whenCompleteAsync(java.util.function.BiConsumer<? super T, ? super java.lang.Throwable> p0, java.util.concurrent.Executor p1);
 native java.util.concurrent.CompletionStage<T> minimalCompletionStage();
 native java.util.concurrent.Executor defaultExecutor();
 static native java.util.concurrent.CompletableFuture<java.lang.Void> allOf(java.util.concurrent.CompletableFuture<?>... p0);
 static native java.util.concurrent.CompletableFuture<java.lang.Object> anyOf(java.util.concurrent.CompletableFuture<?>... p0);
 static native <U> java.util.concurrent.CompletableFuture<U> completedFuture(U p0);
 static native <U> java.util.concurrent.CompletableFuture<U> failedFuture(java.lang.Throwable p0);
 static native java.util.concurrent.CompletableFuture<java.lang.Void> runAsync(java.lang.Runnable p0);
 static native java.util.concurrent.CompletableFuture<java.lang.Void> runAsync(java.lang.Runnable p0, java.util.concurrent.Executor p1);
 static native <U> java.util.concurrent.CompletableFuture<U> supplyAsync(java.util.function.Supplier<U> p0);
 static native <U> java.util.concurrent.CompletableFuture<U> supplyAsync(java.util.function.Supplier<U> p0, java.util.concurrent.Executor p1);
 static native <U> java.util.concurrent.CompletionStage<U> completedStage(U p0);
 static native <U> java.util.concurrent.CompletionStage<U> failedStage(java.lang.Throwable p0);
 static native java.util.concurrent.Executor delayedExecutor(long p0, java.util.concurrent.TimeUnit p1);
 static native java.util.concurrent.Executor delayedExecutor(long p0, java.util.concurrent.TimeUnit p1, java.util.concurrent.Executor p2);
 native void obtrudeException(java.lang.Throwable p0);
 native void obtrudeValue(T p0);
 static interface AsynchronousCompletionTask {
 }
}
class CompletionException extends java.lang.RuntimeException {
 CompletionException() {}
 CompletionException(java.lang.String p0) {}
 CompletionException(java.lang.String p0, java.lang.Throwable p1) {}
 CompletionException(java.lang.Throwable p0) {}
}
interface CompletionService<V>  {
 java.util.concurrent.Future<V> poll();
 java.util.concurrent.Future<V> poll(long p0, java.util.concurrent.TimeUnit p1);
 java.util.concurrent.Future<V> submit(java.lang.Runnable p0, V p1);
 java.util.concurrent.Future<V> submit(java.util.concurrent.Callable<V> p0);
 java.util.concurrent.Future<V> take();
}
interface CompletionStage<T>  {
 java.util.concurrent.CompletableFuture<T> toCompletableFuture();
 java.util.concurrent.CompletionStage<java.lang.Void> acceptEither(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Consumer<? super T> p1);
 java.util.concurrent.CompletionStage<java.lang.Void> acceptEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Consumer<? super T> p1);
 java.util.concurrent.CompletionStage<java.lang.Void> acceptEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Consumer<? super T> p1, java.util.concurrent.Executor p2);
 <U> java.util.concurrent.CompletionStage<U> applyToEither(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Function<? super T, U> p1);
 <U> java.util.concurrent.CompletionStage<U> applyToEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Function<? super T, U> p1);
 <U> java.util.concurrent.CompletionStage<U> applyToEitherAsync(java.util.concurrent.CompletionStage<? extends T> p0, java.util.function.Function<? super T, U> p1, java.util.concurrent.Executor p2);
 java.util.concurrent.CompletionStage<T> exceptionally(java.util.function.Function<java.lang.Throwable, ? extends T> p0);
 <U> java.util.concurrent.CompletionStage<U> handle(java.util.function.BiFunction<? super T, java.lang.Throwable, ? extends U> p0);
 <U> java.util.concurrent.CompletionStage<U> handleAsync(java.util.function.BiFunction<? super T, java.lang.Throwable, ? extends U> p0);
 <U> java.util.concurrent.CompletionStage<U> handleAsync(java.util.function.BiFunction<? super T, java.lang.Throwable, ? extends U> p0, java.util.concurrent.Executor p1);
 java.util.concurrent.CompletionStage<java.lang.Void> runAfterBoth(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 java.util.concurrent.CompletionStage<java.lang.Void> runAfterBothAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 java.util.concurrent.CompletionStage<java.lang.Void> runAfterBothAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1, java.util.concurrent.Executor p2);
 java.util.concurrent.CompletionStage<java.lang.Void> runAfterEither(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 java.util.concurrent.CompletionStage<java.lang.Void> runAfterEitherAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1);
 java.util.concurrent.CompletionStage<java.lang.Void> runAfterEitherAsync(java.util.concurrent.CompletionStage<?> p0, java.lang.Runnable p1, java.util.concurrent.Executor p2);
 java.util.concurrent.CompletionStage<java.lang.Void> thenAccept(java.util.function.Consumer<? super T> p0);
 java.util.concurrent.CompletionStage<java.lang.Void> thenAcceptAsync(java.util.function.Consumer<? super T> p0);
 java.util.concurrent.CompletionStage<java.lang.Void> thenAcceptAsync(java.util.function.Consumer<? super T> p0, java.util.concurrent.Executor p1);
 <U> java.util.concurrent.CompletionStage<java.lang.Void> thenAcceptBoth(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiConsumer<? super T, ? super U> p1);
 <U> java.util.concurrent.CompletionStage<java.lang.Void> thenAcceptBothAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiConsumer<? super T, ? super U> p1);
 <U> java.util.concurrent.CompletionStage<java.lang.Void> thenAcceptBothAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiConsumer<? super T, ? super U> p1, java.util.concurrent.Executor p2);
 <U> java.util.concurrent.CompletionStage<U> thenApply(java.util.function.Function<? super T, ? extends U> p0);
 <U> java.util.concurrent.CompletionStage<U> thenApplyAsync(java.util.function.Function<? super T, ? extends U> p0);
 <U> java.util.concurrent.CompletionStage<U> thenApplyAsync(java.util.function.Function<? super T, ? extends U> p0, java.util.concurrent.Executor p1);
 <U, V> java.util.concurrent.CompletionStage<V> thenCombine(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiFunction<? super T, ? super U, ? extends V> p1);
 <U, V> java.util.concurrent.CompletionStage<V> thenCombineAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiFunction<? super T, ? super U, ? extends V> p1);
 <U, V> java.util.concurrent.CompletionStage<V> thenCombineAsync(java.util.concurrent.CompletionStage<? extends U> p0, java.util.function.BiFunction<? super T, ? super U, ? extends V> p1, java.util.concurrent.Executor p2);
 <U> java.util.concurrent.CompletionStage<U> thenCompose(java.util.function.Function<? super T, ? extends java.util.concurrent.CompletionStage<U>> p0);
 <U> java.util.concurrent.CompletionStage<U> thenComposeAsync(java.util.function.Function<? super T, ? extends java.util.concurrent.CompletionStage<U>> p0);
 <U> java.util.concurrent.CompletionStage<U> thenComposeAsync(java.util.function.Function<? super T, ? extends java.util.concurrent.CompletionStage<U>> p0, java.util.concurrent.Executor p1);
 java.util.concurrent.CompletionStage<java.lang.Void> thenRun(java.lang.Runnable p0);
 java.util.concurrent.CompletionStage<java.lang.Void> thenRunAsync(java.lang.Runnable p0);
 java.util.concurrent.CompletionStage<java.lang.Void> thenRunAsync(java.lang.Runnable p0, java.util.concurrent.Executor p1);
 java.util.concurrent.CompletionStage<T> whenComplete(java.util.function.BiConsumer<? super T, ? super java.lang.Throwable> p0);
 java.util.concurrent.CompletionStage<T> whenCompleteAsync(java.util.function.BiConsumer<? super T, ? super java.lang.Throwable> p0);
 java.util.concurrent.CompletionStage<T> whenCompleteAsync(java.util.function.BiConsumer<? super T, ? super java.lang.Throwable> p0, java.util.concurrent.Executor p1);
 default java.util.concurrent.CompletionStage<T> exceptionallyAsync(java.util.function.Function<java.lang.Throwable, ? extends T> p0) {}
 default java.util.concurrent.CompletionStage<T> exceptionallyAsync(java.util.function.Function<java.lang.Throwable, ? extends T> p0, java.util.concurrent.Executor p1) {}
 default java.util.concurrent.CompletionStage<T> exceptionallyCompose(java.util.function.Function<java.lang.Throwable, ? extends java.util.concurrent.CompletionStage<T>> p0) {}
 default java.util.concurrent.CompletionStage<T> exceptionallyComposeAsync(java.util.function.Function<java.lang.Throwable, ? extends java.util.concurrent.CompletionStage<T>> p0) {}
 default java.util.concurrent.CompletionStage<T> exceptionallyComposeAsync(java.util.function.Function<java.lang.Throwable, ? extends java.util.concurrent.CompletionStage<T>> p0, java.util.concurrent.Executor p1) {}
}
class ConcurrentHashMap<K, V>  extends java.util.AbstractMap<K, V> implements java.util.concurrent.ConcurrentMap<K, V>, java.io.Serializable {
 ConcurrentHashMap() {}
 ConcurrentHashMap(int p0) {}
 ConcurrentHashMap(int p0, float p1) {}
 ConcurrentHashMap(int p0, float p1, int p2) {}
 ConcurrentHashMap(java.util.Map<? extends K, ? extends V> p0) {}
 native boolean contains(java.lang.Object p0);
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0, java.lang.Object p1);
 native boolean replace(K p0, V p1, V p2);
 native double reduceEntriesToDouble(long p0, java.util.function.ToDoubleFunction<java.util.Map.Entry<K, V>> p1, double p2, java.util.function.DoubleBinaryOperator p3);
 native double reduceKeysToDouble(long p0, java.util.function.ToDoubleFunction<? super K> p1, double p2, java.util.function.DoubleBinaryOperator p3);
 native double reduceToDouble(long p0, java.util.function.ToDoubleBiFunction<? super K, ? super V> p1, double p2, java.util.function.DoubleBinaryOperator p3);
 native double reduceValuesToDouble(long p0, java.util.function.ToDoubleFunction<? super V> p1, double p2, java.util.function.DoubleBinaryOperator p3);
 native int hashCode();
 native int reduceEntriesToInt(long p0, java.util.function.ToIntFunction<java.util.Map.Entry<K, V>> p1, int p2, java.util.function.IntBinaryOperator p3);
 native int reduceKeysToInt(long p0, java.util.function.ToIntFunction<? super K> p1, int p2, java.util.function.IntBinaryOperator p3);
 native int reduceToInt(long p0, java.util.function.ToIntBiFunction<? super K, ? super V> p1, int p2, java.util.function.IntBinaryOperator p3);
 native int reduceValuesToInt(long p0, java.util.function.ToIntFunction<? super V> p1, int p2, java.util.function.IntBinaryOperator p3);
 native int size();
 native V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1);
 native V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V get(java.lang.Object p0);
 native V getOrDefault(java.lang.Object p0, V p1);
 native V merge(K p0, V p1, java.util.function.BiFunction<? super V, ? super V, ? extends V> p2);
 native V put(K p0, V p1);
 native V putIfAbsent(K p0, V p1);
 native <U> U reduce(long p0, java.util.function.BiFunction<? super K, ? super V, ? extends U> p1, java.util.function.BiFunction<? super U, ? super U, ? extends U> p2);
 native <U> U reduceEntries(long p0, java.util.function.Function<java.util.Map.Entry<K, V>, ? extends U> p1, java.util.function.BiFunction<? super U, ? super U, ? extends U> p2);
 native K reduceKeys(long p0, java.util.function.BiFunction<? super K, ? super K, ? extends K> p1);
 native <U> U reduceKeys(long p0, java.util.function.Function<? super K, ? extends U> p1, java.util.function.BiFunction<? super U, ? super U, ? extends U> p2);
 native V reduceValues(long p0, java.util.function.BiFunction<? super V, ? super V, ? extends V> p1);
 native <U> U reduceValues(long p0, java.util.function.Function<? super V, ? extends U> p1, java.util.function.BiFunction<? super U, ? super U, ? extends U> p2);
 native V remove(java.lang.Object p0);
 native V replace(K p0, V p1);
 native <U> U search(long p0, java.util.function.BiFunction<? super K, ? super V, ? extends U> p1);
 native <U> U searchEntries(long p0, java.util.function.Function<java.util.Map.Entry<K, V>, ? extends U> p1);
 native <U> U searchKeys(long p0, java.util.function.Function<? super K, ? extends U> p1);
 native <U> U searchValues(long p0, java.util.function.Function<? super V, ? extends U> p1);
 native java.lang.String toString();
 native java.util.Collection<V> values();
 native java.util.Enumeration<V> elements();
 native java.util.Enumeration<K> keys();
 native java.util.Map.Entry<K, V> reduceEntries(long p0, java.util.function.BiFunction<java.util.Map.Entry<K, V>, java.util.Map.Entry<K, V>, ? extends java.util.Map.Entry<K, V>> p1);
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.concurrent.ConcurrentHashMap.KeySetView<K, V> keySet();
 native java.util.concurrent.ConcurrentHashMap.KeySetView<K, V> keySet(V p0);
 native long mappingCount();
 native long reduceEntriesToLong(long p0, java.util.function.ToLongFunction<java.util.Map.Entry<K, V>> p1, long p2, java.util.function.LongBinaryOperator p3);
 native long reduceKeysToLong(long p0, java.util.function.ToLongFunction<? super K> p1, long p2, java.util.function.LongBinaryOperator p3);
 native long reduceToLong(long p0, java.util.function.ToLongBiFunction<? super K, ? super V> p1, long p2, java.util.function.LongBinaryOperator p3);
 native long reduceValuesToLong(long p0, java.util.function.ToLongFunction<? super V> p1, long p2, java.util.function.LongBinaryOperator p3);
 static native <K> java.util.concurrent.ConcurrentHashMap.KeySetView<K, java.lang.Boolean> newKeySet();
 static native <K> java.util.concurrent.ConcurrentHashMap.KeySetView<K, java.lang.Boolean> newKeySet(int p0);
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void forEach(long p0, java.util.function.BiConsumer<? super K, ? super V> p1);
 native <U> void forEach(long p0, java.util.function.BiFunction<? super K, ? super V, ? extends U> p1, java.util.function.Consumer<? super U> p2);
 native void forEachEntry(long p0, java.util.function.Consumer<? super java.util.Map.Entry<K, V>> p1);
 native <U> void forEachEntry(long p0, java.util.function.Function<java.util.Map.Entry<K, V>, ? extends U> p1, java.util.function.Consumer<? super U> p2);
 native void forEachKey(long p0, java.util.function.Consumer<? super K> p1);
 native <U> void forEachKey(long p0, java.util.function.Function<? super K, ? extends U> p1, java.util.function.Consumer<? super U> p2);
 native void forEachValue(long p0, java.util.function.Consumer<? super V> p1);
 native <U> void forEachValue(long p0, java.util.function.Function<? super V, ? extends U> p1, java.util.function.Consumer<? super U> p2);
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
 static class KeySetView<K, V>  extends java.util.concurrent.ConcurrentHashMap.CollectionView<K, V, K> implements java.util.Set<K>, java.io.Serializable {
  native boolean add(K p0);
  native boolean addAll(java.util.Collection<? extends K> p0);
  native boolean contains(java.lang.Object p0);
  native boolean equals(java.lang.Object p0);
  native boolean remove(java.lang.Object p0);
  native int hashCode();
  native V getMappedValue();
  native java.util.Iterator<K> iterator();
  native java.util.Spliterator<K> spliterator();
  native void forEach(java.util.function.Consumer<? super K> p0);
 }
}
class ConcurrentLinkedDeque<E>  extends java.util.AbstractCollection<E> implements java.util.Deque<E>, java.io.Serializable {
 ConcurrentLinkedDeque() {}
 ConcurrentLinkedDeque(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean isEmpty();
 native boolean offer(E p0);
 native boolean offerFirst(E p0);
 native boolean offerLast(E p0);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeFirstOccurrence(java.lang.Object p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean removeLastOccurrence(java.lang.Object p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int size();
 native E element();
 native E getFirst();
 native E getLast();
 native E peek();
 native E peekFirst();
 native E peekLast();
 native E poll();
 native E pollFirst();
 native E pollLast();
 native E pop();
 native E remove();
 native E removeFirst();
 native E removeLast();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> descendingIterator();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void addFirst(E p0);
 native void addLast(E p0);
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void push(E p0);
}
class ConcurrentLinkedQueue<E>  extends java.util.AbstractQueue<E> implements java.util.Queue<E>, java.io.Serializable {
 ConcurrentLinkedQueue() {}
 ConcurrentLinkedQueue(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean isEmpty();
 native boolean offer(E p0);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int size();
 native E peek();
 native E poll();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
}
interface ConcurrentMap<K, V>  extends java.util.Map<K, V> {
 boolean remove(java.lang.Object p0, java.lang.Object p1);
 boolean replace(K p0, V p1, V p2);
 V putIfAbsent(K p0, V p1);
 V replace(K p0, V p1);
 default V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1) {}
 default V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1) {}
 default V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1) {}
 default V getOrDefault(java.lang.Object p0, V p1) {}
 default V merge(K p0, V p1, java.util.function.BiFunction<? super V, ? super V, ? extends V> p2) {}
 default void forEach(java.util.function.BiConsumer<? super K, ? super V> p0) {}
 default void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0) {}
}
interface ConcurrentNavigableMap<K, V>  extends java.util.concurrent.ConcurrentMap<K, V>, java.util.NavigableMap<K, V> {
 java.util.NavigableSet<K> descendingKeySet();
 java.util.NavigableSet<K> keySet();
 java.util.NavigableSet<K> navigableKeySet();
 java.util.concurrent.ConcurrentNavigableMap<K, V> descendingMap();
 java.util.concurrent.ConcurrentNavigableMap<K, V> headMap(K p0);
 java.util.concurrent.ConcurrentNavigableMap<K, V> headMap(K p0, boolean p1);
 java.util.concurrent.ConcurrentNavigableMap<K, V> subMap(K p0, boolean p1, K p2, boolean p3);
 java.util.concurrent.ConcurrentNavigableMap<K, V> subMap(K p0, K p1);
 java.util.concurrent.ConcurrentNavigableMap<K, V> tailMap(K p0);
 java.util.concurrent.ConcurrentNavigableMap<K, V> tailMap(K p0, boolean p1);
}
class ConcurrentSkipListMap<K, V>  extends java.util.AbstractMap<K, V> implements java.util.concurrent.ConcurrentNavigableMap<K, V>, java.lang.Cloneable, java.io.Serializable {
 ConcurrentSkipListMap() {}
 ConcurrentSkipListMap(java.util.Comparator<? super K> p0) {}
 ConcurrentSkipListMap(java.util.Map<? extends K, ? extends V> p0) {}
 ConcurrentSkipListMap(java.util.SortedMap<K, ? extends V> p0) {}
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0, java.lang.Object p1);
 native boolean replace(K p0, V p1, V p2);
 native int size();
 native K ceilingKey(K p0);
 native V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1);
 native V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native K firstKey();
 native K floorKey(K p0);
 native V get(java.lang.Object p0);
 native V getOrDefault(java.lang.Object p0, V p1);
 native K higherKey(K p0);
 native K lastKey();
 native K lowerKey(K p0);
 native V merge(K p0, V p1, java.util.function.BiFunction<? super V, ? super V, ? extends V> p2);
 native V put(K p0, V p1);
 native V putIfAbsent(K p0, V p1);
 native V remove(java.lang.Object p0);
 native V replace(K p0, V p1);
 native java.util.Collection<V> values();
 native java.util.Comparator<? super K> comparator();
 native java.util.Map.Entry<K, V> ceilingEntry(K p0);
 native java.util.Map.Entry<K, V> firstEntry();
 native java.util.Map.Entry<K, V> floorEntry(K p0);
 native java.util.Map.Entry<K, V> higherEntry(K p0);
 native java.util.Map.Entry<K, V> lastEntry();
 native java.util.Map.Entry<K, V> lowerEntry(K p0);
 native java.util.Map.Entry<K, V> pollFirstEntry();
 native java.util.Map.Entry<K, V> pollLastEntry();
 native java.util.NavigableSet<K> descendingKeySet();
 native java.util.NavigableSet<K> keySet();
 native java.util.NavigableSet<K> navigableKeySet();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.concurrent.ConcurrentNavigableMap<K, V> descendingMap();
 native java.util.concurrent.ConcurrentNavigableMap<K, V> headMap(K p0);
 native java.util.concurrent.ConcurrentNavigableMap<K, V> headMap(K p0, boolean p1);
 native java.util.concurrent.ConcurrentNavigableMap<K, V> subMap(K p0, boolean p1, K p2, boolean p3);
 native java.util.concurrent.ConcurrentNavigableMap<K, V> subMap(K p0, K p1);
 native java.util.concurrent.ConcurrentNavigableMap<K, V> tailMap(K p0);
 native java.util.concurrent.ConcurrentNavigableMap<K, V> tailMap(K p0, boolean p1);
 native java.util.concurrent.ConcurrentSkipListMap<K, V> clone();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
class ConcurrentSkipListSet<E>  extends java.util.AbstractSet<E> implements java.util.NavigableSet<E>, java.lang.Cloneable, java.io.Serializable {
 ConcurrentSkipListSet() {}
 ConcurrentSkipListSet(java.util.Collection<? extends E> p0) {}
 ConcurrentSkipListSet(java.util.Comparator<? super E> p0) {}
 ConcurrentSkipListSet(java.util.SortedSet<E> p0) {}
 native boolean add(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native int size();
 native E ceiling(E p0);
 native E first();
 native E floor(E p0);
 native E higher(E p0);
 native E last();
 native E lower(E p0);
 native E pollFirst();
 native E pollLast();
 native java.util.Comparator<? super E> comparator();
 native java.util.Iterator<E> descendingIterator();
 native java.util.Iterator<E> iterator();
 native java.util.NavigableSet<E> descendingSet();
 native java.util.NavigableSet<E> headSet(E p0);
 native java.util.NavigableSet<E> headSet(E p0, boolean p1);
 native java.util.NavigableSet<E> subSet(E p0, boolean p1, E p2, boolean p3);
 native java.util.NavigableSet<E> subSet(E p0, E p1);
 native java.util.NavigableSet<E> tailSet(E p0);
 native java.util.NavigableSet<E> tailSet(E p0, boolean p1);
 native java.util.Spliterator<E> spliterator();
 native java.util.concurrent.ConcurrentSkipListSet<E> clone();
 native void clear();
}
class CopyOnWriteArrayList<E>  implements java.util.List<E>, java.util.RandomAccess, java.lang.Cloneable, java.io.Serializable {
 CopyOnWriteArrayList() {}
 CopyOnWriteArrayList(E[] p0) {}
 CopyOnWriteArrayList(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean addAll(int p0, java.util.Collection<? extends E> p1);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean addIfAbsent(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean containsAll(java.util.Collection<?> p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int addAllAbsent(java.util.Collection<? extends E> p0);
 native int hashCode();
 native int indexOf(java.lang.Object p0);
 native int indexOf(E p0, int p1);
 native int lastIndexOf(java.lang.Object p0);
 native int lastIndexOf(E p0, int p1);
 native int size();
 native java.lang.Object clone();
 native E get(int p0);
 native E remove(int p0);
 native E set(int p0, E p1);
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.List<E> subList(int p0, int p1);
 native java.util.ListIterator<E> listIterator();
 native java.util.ListIterator<E> listIterator(int p0);
 native java.util.Spliterator<E> spliterator();
 native void add(int p0, E p1);
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void replaceAll(java.util.function.UnaryOperator<E> p0);
 native void sort(java.util.Comparator<? super E> p0);
}
class CopyOnWriteArraySet<E>  extends java.util.AbstractSet<E> implements java.io.Serializable {
 CopyOnWriteArraySet() {}
 CopyOnWriteArraySet(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean containsAll(java.util.Collection<?> p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int size();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
}
class CountDownLatch {
 CountDownLatch(int p0) {}
 native boolean await(long p0, java.util.concurrent.TimeUnit p1);
 native java.lang.String toString();
 native long getCount();
 native void await();
 native void countDown();
}
abstract class CountedCompleter<T>  extends java.util.concurrent.ForkJoinTask<T> {
 CountedCompleter() {}
 CountedCompleter(java.util.concurrent.CountedCompleter<?> p0) {}
 CountedCompleter(java.util.concurrent.CountedCompleter<?> p0, int p1) {}
 native final boolean exec();
 native void setRawResult(T p0);
 abstract void compute();
 native boolean onExceptionalCompletion(java.lang.Throwable p0, java.util.concurrent.CountedCompleter<?> p1);
 native final boolean compareAndSetPendingCount(int p0, int p1);
 native final int decrementPendingCountUnlessZero();
 native final int getPendingCount();
 native final java.util.concurrent.CountedCompleter<?> firstComplete();
 native final java.util.concurrent.CountedCompleter<?> getCompleter();
 native final java.util.concurrent.CountedCompleter<?> getRoot();
 native final java.util.concurrent.CountedCompleter<?> nextComplete();
 native final void addToPendingCount(int p0);
 native final void helpComplete(int p0);
 native final void propagateCompletion();
 native final void quietlyCompleteRoot();
 native final void setPendingCount(int p0);
 native final void tryComplete();
 native T getRawResult();
 native void complete(T p0);
 native void onCompletion(java.util.concurrent.CountedCompleter<?> p0);
}
class CyclicBarrier {
 CyclicBarrier(int p0) {}
 CyclicBarrier(int p0, java.lang.Runnable p1) {}
 native boolean isBroken();
 native int await();
 native int await(long p0, java.util.concurrent.TimeUnit p1);
 native int getNumberWaiting();
 native int getParties();
 native void reset();
}
class DelayQueue<E extends java.util.concurrent.Delayed>  extends java.util.AbstractQueue<E> implements java.util.concurrent.BlockingQueue<E> {
 DelayQueue() {}
 DelayQueue(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int remainingCapacity();
 native int size();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.util.Iterator<E> iterator();
 native E peek();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E take();
 native void clear();
 native void put(E p0);
}
interface Delayed extends java.lang.Comparable<java.util.concurrent.Delayed> {
 long getDelay(java.util.concurrent.TimeUnit p0);
}
class Exchanger<V>  {
 Exchanger() {}
 native V exchange(V p0);
 native V exchange(V p0, long p1, java.util.concurrent.TimeUnit p2);
}
class ExecutionException extends java.lang.Exception {
 ExecutionException() {}
 ExecutionException(java.lang.String p0) {}
 ExecutionException(java.lang.String p0, java.lang.Throwable p1) {}
 ExecutionException(java.lang.Throwable p0) {}
}
interface Executor {
 void execute(java.lang.Runnable p0);
}
class ExecutorCompletionService<V>  implements java.util.concurrent.CompletionService<V> {
 ExecutorCompletionService(java.util.concurrent.Executor p0) {}
 ExecutorCompletionService(java.util.concurrent.Executor p0, java.util.concurrent.BlockingQueue<java.util.concurrent.Future<V>> p1) {}
 native java.util.concurrent.Future<V> poll();
 native java.util.concurrent.Future<V> poll(long p0, java.util.concurrent.TimeUnit p1);
 native java.util.concurrent.Future<V> submit(java.lang.Runnable p0, V p1);
 native java.util.concurrent.Future<V> submit(java.util.concurrent.Callable<V> p0);
 native java.util.concurrent.Future<V> take();
}
interface ExecutorService extends java.util.concurrent.Executor {
 boolean awaitTermination(long p0, java.util.concurrent.TimeUnit p1);
 boolean isShutdown();
 boolean isTerminated();
 <T> T invokeAny(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0);
 <T> T invokeAny(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0, long p1, java.util.concurrent.TimeUnit p2);
 <T> java.util.List<java.util.concurrent.Future<T>> invokeAll(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0);
 <T> java.util.List<java.util.concurrent.Future<T>> invokeAll(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0, long p1, java.util.concurrent.TimeUnit p2);
 java.util.List<java.lang.Runnable> shutdownNow();
 java.util.concurrent.Future<?> submit(java.lang.Runnable p0);
 <T> java.util.concurrent.Future<T> submit(java.lang.Runnable p0, T p1);
 <T> java.util.concurrent.Future<T> submit(java.util.concurrent.Callable<T> p0);
 void shutdown();
}
class Executors {
 static native java.util.concurrent.Callable<java.lang.Object> callable(java.lang.Runnable p0);
 static native <T> java.util.concurrent.Callable<T> callable(java.lang.Runnable p0, T p1);
 static native java.util.concurrent.Callable<java.lang.Object> callable(java.security.PrivilegedAction<?> p0);
 static native java.util.concurrent.Callable<java.lang.Object> callable(java.security.PrivilegedExceptionAction<?> p0);
 static native <T> java.util.concurrent.Callable<T> privilegedCallable(java.util.concurrent.Callable<T> p0);
 static native <T> java.util.concurrent.Callable<T> privilegedCallableUsingCurrentClassLoader(java.util.concurrent.Callable<T> p0);
 static native java.util.concurrent.ExecutorService newCachedThreadPool();
 static native java.util.concurrent.ExecutorService newCachedThreadPool(java.util.concurrent.ThreadFactory p0);
 static native java.util.concurrent.ExecutorService newFixedThreadPool(int p0);
 static native java.util.concurrent.ExecutorService newFixedThreadPool(int p0, java.util.concurrent.ThreadFactory p1);
 static native java.util.concurrent.ExecutorService newSingleThreadExecutor();
 static native java.util.concurrent.ExecutorService newSingleThreadExecutor(java.util.concurrent.ThreadFactory p0);
 static native java.util.concurrent.ExecutorService newWorkStealingPool();
 static native java.util.concurrent.ExecutorService newWorkStealingPool(int p0);
 static native java.util.concurrent.ExecutorService unconfigurableExecutorService(java.util.concurrent.ExecutorService p0);
 static native java.util.concurrent.ScheduledExecutorService newScheduledThreadPool(int p0);
 static native java.util.concurrent.ScheduledExecutorService newScheduledThreadPool(int p0, java.util.concurrent.ThreadFactory p1);
 static native java.util.concurrent.ScheduledExecutorService newSingleThreadScheduledExecutor();
 static native java.util.concurrent.ScheduledExecutorService newSingleThreadScheduledExecutor(java.util.concurrent.ThreadFactory p0);
 static native java.util.concurrent.ScheduledExecutorService unconfigurableScheduledExecutorService(java.util.concurrent.ScheduledExecutorService p0);
 static native java.util.concurrent.ThreadFactory defaultThreadFactory();
 static native java.util.concurrent.ThreadFactory privilegedThreadFactory();
}
class Flow {
 static native int defaultBufferSize();
 static interface Processor<T, R>  extends java.util.concurrent.Flow.Subscriber<T>, java.util.concurrent.Flow.Publisher<R> {
 }
 static interface Publisher<T>  {
  void subscribe(java.util.concurrent.Flow.Subscriber<? super T> p0);
 }
 static interface Subscriber<T>  {
  void onComplete();
  void onError(java.lang.Throwable p0);
  void onNext(T p0);
  void onSubscribe(java.util.concurrent.Flow.Subscription p0);
 }
 static interface Subscription {
  void cancel();
  void request(long p0);
 }
}
class ForkJoinPool extends java.util.concurrent.AbstractExecutorService {
 static java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory defaultForkJoinWorkerThreadFactory;
 ForkJoinPool() {}
 ForkJoinPool(int p0) {}
 ForkJoinPool(int p0, java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory p1, java.lang.Thread.UncaughtExceptionHandler p2, boolean p3) {}
 ForkJoinPool(int p0, java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory p1, java.lang.Thread.UncaughtExceptionHandler p2, boolean p3, int p4, int p5, int p6, java.util.function.Predicate<? super java.util.concurrent.ForkJoinPool> p7, long p8, java.util.concurrent.TimeUnit p9) {}
 native int drainTasksTo(java.util.Collection<? super java.util.concurrent.ForkJoinTask<?>> p0);
 native java.util.concurrent.ForkJoinTask<?> pollSubmission();
 native <T> java.util.concurrent.RunnableFuture<T> newTaskFor(java.lang.Runnable p0, T p1);
 native <T> java.util.concurrent.RunnableFuture<T> newTaskFor(java.util.concurrent.Callable<T> p0);
 native boolean awaitQuiescence(long p0, java.util.concurrent.TimeUnit p1);
 native boolean awaitTermination(long p0, java.util.concurrent.TimeUnit p1);
 native boolean getAsyncMode();
 native boolean hasQueuedSubmissions();
 native boolean isQuiescent();
 native boolean isShutdown();
 native boolean isTerminated();
 native boolean isTerminating();
 native int getActiveThreadCount();
 native int getParallelism();
 native int getPoolSize();
 native int getQueuedSubmissionCount();
 native int getRunningThreadCount();
 native <T> T invoke(java.util.concurrent.ForkJoinTask<T> p0);
 native <T> T invokeAny(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0);
 native <T> T invokeAny(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0, long p1, java.util.concurrent.TimeUnit p2);
 native java.lang.String toString();
 native java.lang.Thread.UncaughtExceptionHandler getUncaughtExceptionHandler();
 native <T> java.util.List<java.util.concurrent.Future<T>> invokeAll(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0);
 native <T> java.util.List<java.util.concurrent.Future<T>> invokeAll(java.util.Collection<? extends java.util.concurrent.Callable<T>> p0, long p1, java.util.concurrent.TimeUnit p2);
 native java.util.List<java.lang.Runnable> shutdownNow();
 native java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory getFactory();
 native java.util.concurrent.ForkJoinTask<?> submit(java.lang.Runnable p0);
 native <T> java.util.concurrent.ForkJoinTask<T> submit(java.lang.Runnable p0, T p1);
 native <T> java.util.concurrent.ForkJoinTask<T> submit(java.util.concurrent.Callable<T> p0);
 native <T> java.util.concurrent.ForkJoinTask<T> submit(java.util.concurrent.ForkJoinTask<T> p0);
 native long getQueuedTaskCount();
 native long getStealCount();
 static native int getCommonPoolParallelism();
 static native java.util.concurrent.ForkJoinPool commonPool();
 static native void managedBlock(java.util.concurrent.ForkJoinPool.ManagedBlocker p0);
 native void execute(java.lang.Runnable p0);
 native void execute(java.util.concurrent.ForkJoinTask<?> p0);
 native void shutdown();
 static interface ForkJoinWorkerThreadFactory {
  java.util.concurrent.ForkJoinWorkerThread newThread(java.util.concurrent.ForkJoinPool p0);
 }
 static interface ManagedBlocker {
  boolean block();
  boolean isReleasable();
 }
}
abstract class ForkJoinTask<V>  implements java.util.concurrent.Future<V>, java.io.Serializable {
 ForkJoinTask() {}
 abstract boolean exec();
 abstract void setRawResult(V p0);
 static native java.util.concurrent.ForkJoinTask<?> peekNextLocalTask();
 static native java.util.concurrent.ForkJoinTask<?> pollNextLocalTask();
 static native java.util.concurrent.ForkJoinTask<?> pollSubmission();
 static native java.util.concurrent.ForkJoinTask<?> pollTask();
 abstract V getRawResult();
 native boolean cancel(boolean p0);
 native boolean tryUnfork();
 native final boolean compareAndSetForkJoinTaskTag(short p0, short p1);
 native final boolean isCancelled();
 native final boolean isCompletedAbnormally();
 native final boolean isCompletedNormally();
 native final boolean isDone();
 native final V get();
 native final V get(long p0, java.util.concurrent.TimeUnit p1);
 native final V invoke();
 native final V join();
 native final java.lang.Throwable getException();
 native final java.util.concurrent.ForkJoinTask<V> fork();
 native final short getForkJoinTaskTag();
 native final short setForkJoinTaskTag(short p0);
 native final void quietlyComplete();
 native final void quietlyInvoke();
 native final void quietlyJoin();
 static native boolean inForkJoinPool();
 static native int getQueuedTaskCount();
 static native int getSurplusQueuedTaskCount();
 static native <T extends java.util.concurrent.ForkJoinTask<?>> java.util.Collection<T> invokeAll(java.util.Collection<T> p0);
 static native java.util.concurrent.ForkJoinPool getPool();
 static native java.util.concurrent.ForkJoinTask<?> adapt(java.lang.Runnable p0);
 static native <T> java.util.concurrent.ForkJoinTask<T> adapt(java.lang.Runnable p0, T p1);
 static native <T> java.util.concurrent.ForkJoinTask<T> adapt(java.util.concurrent.Callable<? extends T> p0);
 static native void helpQuiesce();
 static native void invokeAll(java.util.concurrent.ForkJoinTask<?> p0, java.util.concurrent.ForkJoinTask<?> p1);
 static native void invokeAll(java.util.concurrent.ForkJoinTask<?>... p0);
 native void complete(V p0);
 native void completeExceptionally(java.lang.Throwable p0);
 native void reinitialize();
}
class ForkJoinWorkerThread extends java.lang.Thread {
 ForkJoinWorkerThread(java.util.concurrent.ForkJoinPool p0) {}
 native void onStart();
 native void onTermination(java.lang.Throwable p0);
 native int getPoolIndex();
 native java.util.concurrent.ForkJoinPool getPool();
 native void run();
}
interface Future<V>  {
 boolean cancel(boolean p0);
 boolean isCancelled();
 boolean isDone();
 V get();
 V get(long p0, java.util.concurrent.TimeUnit p1);
}
class FutureTask<V>  implements java.util.concurrent.RunnableFuture<V> {
 FutureTask(java.lang.Runnable p0, V p1) {}
 FutureTask(java.util.concurrent.Callable<V> p0) {}
 native boolean runAndReset();
 native void done();
 native void set(V p0);
 native void setException(java.lang.Throwable p0);
 native boolean cancel(boolean p0);
 native boolean isCancelled();
 native boolean isDone();
 native V get();
 native V get(long p0, java.util.concurrent.TimeUnit p1);
 native java.lang.String toString();
 native void run();
}
class LinkedBlockingDeque<E>  extends java.util.AbstractQueue<E> implements java.util.concurrent.BlockingDeque<E>, java.io.Serializable {
 LinkedBlockingDeque() {}
 LinkedBlockingDeque(int p0) {}
 LinkedBlockingDeque(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean offerFirst(E p0);
 native boolean offerFirst(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean offerLast(E p0);
 native boolean offerLast(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeFirstOccurrence(java.lang.Object p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean removeLastOccurrence(java.lang.Object p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int remainingCapacity();
 native int size();
 native E element();
 native E getFirst();
 native E getLast();
 native E peek();
 native E peekFirst();
 native E peekLast();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E pollFirst();
 native E pollFirst(long p0, java.util.concurrent.TimeUnit p1);
 native E pollLast();
 native E pollLast(long p0, java.util.concurrent.TimeUnit p1);
 native E pop();
 native E remove();
 native E removeFirst();
 native E removeLast();
 native E take();
 native E takeFirst();
 native E takeLast();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> descendingIterator();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void addFirst(E p0);
 native void addLast(E p0);
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void push(E p0);
 native void put(E p0);
 native void putFirst(E p0);
 native void putLast(E p0);
}
class LinkedBlockingQueue<E>  extends java.util.AbstractQueue<E> implements java.util.concurrent.BlockingQueue<E>, java.io.Serializable {
 LinkedBlockingQueue() {}
 LinkedBlockingQueue(int p0) {}
 LinkedBlockingQueue(java.util.Collection<? extends E> p0) {}
 native boolean contains(java.lang.Object p0);
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int remainingCapacity();
 native int size();
 native E peek();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E take();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void put(E p0);
}
class LinkedTransferQueue<E>  extends java.util.AbstractQueue<E> implements java.util.concurrent.TransferQueue<E>, java.io.Serializable {
 LinkedTransferQueue() {}
 LinkedTransferQueue(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean hasWaitingConsumer();
 native boolean isEmpty();
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native boolean tryTransfer(E p0);
 native boolean tryTransfer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int getWaitingConsumerCount();
 native int remainingCapacity();
 native int size();
 native E peek();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E take();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void put(E p0);
 native void transfer(E p0);
}
class Phaser {
 Phaser() {}
 Phaser(int p0) {}
 Phaser(java.util.concurrent.Phaser p0) {}
 Phaser(java.util.concurrent.Phaser p0, int p1) {}
 native boolean onAdvance(int p0, int p1);
 native boolean isTerminated();
 native final int getPhase();
 native int arrive();
 native int arriveAndAwaitAdvance();
 native int arriveAndDeregister();
 native int awaitAdvance(int p0);
 native int awaitAdvanceInterruptibly(int p0);
 native int awaitAdvanceInterruptibly(int p0, long p1, java.util.concurrent.TimeUnit p2);
 native int bulkRegister(int p0);
 native int getArrivedParties();
 native int getRegisteredParties();
 native int getUnarrivedParties();
 native int register();
 native java.lang.String toString();
 native java.util.concurrent.Phaser getParent();
 native java.util.concurrent.Phaser getRoot();
 native void forceTermination();
}
class PriorityBlockingQueue<E>  extends java.util.AbstractQueue<E> implements java.util.concurrent.BlockingQueue<E>, java.io.Serializable {
 PriorityBlockingQueue() {}
 PriorityBlockingQueue(int p0) {}
 PriorityBlockingQueue(int p0, java.util.Comparator<? super E> p1) {}
 PriorityBlockingQueue(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int remainingCapacity();
 native int size();
 native E peek();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E take();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Comparator<? super E> comparator();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void put(E p0);
}
abstract class RecursiveAction extends java.util.concurrent.ForkJoinTask<java.lang.Void> {
 RecursiveAction() {}
 abstract void compute();
 native final boolean exec();
 native final void setRawResult(java.lang.Void p0);
 native final java.lang.Void getRawResult();
}
abstract class RecursiveTask<V>  extends java.util.concurrent.ForkJoinTask<V> {
 RecursiveTask() {}
 abstract V compute();
 native final boolean exec();
 native final void setRawResult(V p0);
 native final V getRawResult();
}
class RejectedExecutionException extends java.lang.RuntimeException {
 RejectedExecutionException() {}
 RejectedExecutionException(java.lang.String p0) {}
 RejectedExecutionException(java.lang.String p0, java.lang.Throwable p1) {}
 RejectedExecutionException(java.lang.Throwable p0) {}
}
interface RejectedExecutionHandler {
 void rejectedExecution(java.lang.Runnable p0, java.util.concurrent.ThreadPoolExecutor p1);
}
interface RunnableFuture<V>  extends java.lang.Runnable, java.util.concurrent.Future<V> {
 void run();
}
interface RunnableScheduledFuture<V>  extends java.util.concurrent.RunnableFuture<V>, java.util.concurrent.ScheduledFuture<V> {
 boolean isPeriodic();
}
interface ScheduledExecutorService extends java.util.concurrent.ExecutorService {
 java.util.concurrent.ScheduledFuture<?> schedule(java.lang.Runnable p0, long p1, java.util.concurrent.TimeUnit p2);
 <V> java.util.concurrent.ScheduledFuture<V> schedule(java.util.concurrent.Callable<V> p0, long p1, java.util.concurrent.TimeUnit p2);
 java.util.concurrent.ScheduledFuture<?> scheduleAtFixedRate(java.lang.Runnable p0, long p1, long p2, java.util.concurrent.TimeUnit p3);
 java.util.concurrent.ScheduledFuture<?> scheduleWithFixedDelay(java.lang.Runnable p0, long p1, long p2, java.util.concurrent.TimeUnit p3);
}
interface ScheduledFuture<V>  extends java.util.concurrent.Delayed, java.util.concurrent.Future<V> {
}
class ScheduledThreadPoolExecutor extends java.util.concurrent.ThreadPoolExecutor implements java.util.concurrent.ScheduledExecutorService {
 ScheduledThreadPoolExecutor(int p0) {}
 ScheduledThreadPoolExecutor(int p0, java.util.concurrent.RejectedExecutionHandler p1) {}
 ScheduledThreadPoolExecutor(int p0, java.util.concurrent.ThreadFactory p1) {}
 ScheduledThreadPoolExecutor(int p0, java.util.concurrent.ThreadFactory p1, java.util.concurrent.RejectedExecutionHandler p2) {}
 native <V> java.util.concurrent.RunnableScheduledFuture<V> decorateTask(java.lang.Runnable p0, java.util.concurrent.RunnableScheduledFuture<V> p1);
 native <V> java.util.concurrent.RunnableScheduledFuture<V> decorateTask(java.util.concurrent.Callable<V> p0, java.util.concurrent.RunnableScheduledFuture<V> p1);
 native boolean getContinueExistingPeriodicTasksAfterShutdownPolicy();
 native boolean getExecuteExistingDelayedTasksAfterShutdownPolicy();
 native boolean getRemoveOnCancelPolicy();
 native java.util.List<java.lang.Runnable> shutdownNow();
 native java.util.concurrent.BlockingQueue<java.lang.Runnable> getQueue();
 native java.util.concurrent.Future<?> submit(java.lang.Runnable p0);
 native <T> java.util.concurrent.Future<T> submit(java.lang.Runnable p0, T p1);
 native <T> java.util.concurrent.Future<T> submit(java.util.concurrent.Callable<T> p0);
 native java.util.concurrent.ScheduledFuture<?> schedule(java.lang.Runnable p0, long p1, java.util.concurrent.TimeUnit p2);
 native <V> java.util.concurrent.ScheduledFuture<V> schedule(java.util.concurrent.Callable<V> p0, long p1, java.util.concurrent.TimeUnit p2);
 native java.util.concurrent.ScheduledFuture<?> scheduleAtFixedRate(java.lang.Runnable p0, long p1, long p2, java.util.concurrent.TimeUnit p3);
 native java.util.concurrent.ScheduledFuture<?> scheduleWithFixedDelay(java.lang.Runnable p0, long p1, long p2, java.util.concurrent.TimeUnit p3);
 native void execute(java.lang.Runnable p0);
 native void setContinueExistingPeriodicTasksAfterShutdownPolicy(boolean p0);
 native void setExecuteExistingDelayedTasksAfterShutdownPolicy(boolean p0);
 native void setRemoveOnCancelPolicy(boolean p0);
 native void shutdown();
}
class Semaphore implements java.io.Serializable {
 Semaphore(int p0) {}
 Semaphore(int p0, boolean p1) {}
 native java.util.Collection<java.lang.Thread> getQueuedThreads();
 native void reducePermits(int p0);
 native boolean isFair();
 native boolean tryAcquire();
 native boolean tryAcquire(int p0);
 native boolean tryAcquire(int p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean tryAcquire(long p0, java.util.concurrent.TimeUnit p1);
 native final boolean hasQueuedThreads();
 native final int getQueueLength();
 native int availablePermits();
 native int drainPermits();
 native java.lang.String toString();
 native void acquire();
 native void acquire(int p0);
 native void acquireUninterruptibly();
 native void acquireUninterruptibly(int p0);
 native void release();
 native void release(int p0);
}
class SubmissionPublisher<T>  implements java.util.concurrent.Flow.Publisher<T>, java.lang.AutoCloseable {
 SubmissionPublisher() {}
 SubmissionPublisher(java.util.concurrent.Executor p0, int p1) {}
 SubmissionPublisher(java.util.concurrent.Executor p0, int p1, java.util.function.BiConsumer<? super java.util.concurrent.Flow.Subscriber<? super T>, ? super java.lang.Throwable> p2) {}
 native boolean hasSubscribers();
 native boolean isClosed();
 native boolean isSubscribed(java.util.concurrent.Flow.Subscriber<? super T> p0);
 native int estimateMaximumLag();
 native int getMaxBufferCapacity();
 native int getNumberOfSubscribers();
 native int offer(T p0, java.util.function.BiPredicate<java.util.concurrent.Flow.Subscriber<? super T>, ? super T> p1);
 native int offer(T p0, long p1, java.util.concurrent.TimeUnit p2, java.util.function.BiPredicate<java.util.concurrent.Flow.Subscriber<? super T>, ? super T> p3);
 native int submit(T p0);
 native java.lang.Throwable getClosedException();
 native java.util.List<java.util.concurrent.Flow.Subscriber<? super T>> getSubscribers();
 native java.util.concurrent.CompletableFuture<java.lang.Void> consume(java.util.function.Consumer<? super T> p0);
 native java.util.concurrent.Executor getExecutor();
 native long estimateMinimumDemand();
 native void close();
 native void closeExceptionally(java.lang.Throwable p0);
 native void subscribe(java.util.concurrent.Flow.Subscriber<? super T> p0);
}
class SynchronousQueue<E>  extends java.util.AbstractQueue<E> implements java.util.concurrent.BlockingQueue<E>, java.io.Serializable {
 SynchronousQueue() {}
 SynchronousQueue(boolean p0) {}
 native boolean contains(java.lang.Object p0);
 native boolean containsAll(java.util.Collection<?> p0);
 native boolean isEmpty();
 native boolean offer(E p0);
 native boolean offer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int drainTo(java.util.Collection<? super E> p0);
 native int drainTo(java.util.Collection<? super E> p0, int p1);
 native int remainingCapacity();
 native int size();
 native E peek();
 native E poll();
 native E poll(long p0, java.util.concurrent.TimeUnit p1);
 native E take();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
 native void put(E p0);
}
interface ThreadFactory {
 java.lang.Thread newThread(java.lang.Runnable p0);
}
class ThreadLocalRandom extends java.util.Random {
 native int next(int p0);
 native boolean nextBoolean();
 native double nextDouble();
 native double nextDouble(double p0);
 native double nextDouble(double p0, double p1);
 native float nextFloat();
 native float nextFloat(float p0);
 native float nextFloat(float p0, float p1);
 native int nextInt();
 native int nextInt(int p0);
 native int nextInt(int p0, int p1);
 native java.util.stream.DoubleStream doubles();
 native java.util.stream.DoubleStream doubles(double p0, double p1);
 native java.util.stream.DoubleStream doubles(long p0);
 native java.util.stream.DoubleStream doubles(long p0, double p1, double p2);
 native java.util.stream.IntStream ints();
 native java.util.stream.IntStream ints(int p0, int p1);
 native java.util.stream.IntStream ints(long p0);
 native java.util.stream.IntStream ints(long p0, int p1, int p2);
 native java.util.stream.LongStream longs();
 native java.util.stream.LongStream longs(long p0);
 native java.util.stream.LongStream longs(long p0, long p1);
 native java.util.stream.LongStream longs(long p0, long p1, long p2);
 native long nextLong();
 native long nextLong(long p0);
 native long nextLong(long p0, long p1);
 static native java.util.concurrent.ThreadLocalRandom current();
 native void setSeed(long p0);
}
class ThreadPoolExecutor extends java.util.concurrent.AbstractExecutorService {
 ThreadPoolExecutor(int p0, int p1, long p2, java.util.concurrent.TimeUnit p3, java.util.concurrent.BlockingQueue<java.lang.Runnable> p4) {}
 ThreadPoolExecutor(int p0, int p1, long p2, java.util.concurrent.TimeUnit p3, java.util.concurrent.BlockingQueue<java.lang.Runnable> p4, java.util.concurrent.RejectedExecutionHandler p5) {}
 ThreadPoolExecutor(int p0, int p1, long p2, java.util.concurrent.TimeUnit p3, java.util.concurrent.BlockingQueue<java.lang.Runnable> p4, java.util.concurrent.ThreadFactory p5) {}
 ThreadPoolExecutor(int p0, int p1, long p2, java.util.concurrent.TimeUnit p3, java.util.concurrent.BlockingQueue<java.lang.Runnable> p4, java.util.concurrent.ThreadFactory p5, java.util.concurrent.RejectedExecutionHandler p6) {}
 native void afterExecute(java.lang.Runnable p0, java.lang.Throwable p1);
 native void beforeExecute(java.lang.Thread p0, java.lang.Runnable p1);
 native void finalize();
 native void terminated();
 native boolean allowsCoreThreadTimeOut();
 native boolean awaitTermination(long p0, java.util.concurrent.TimeUnit p1);
 native boolean isShutdown();
 native boolean isTerminated();
 native boolean isTerminating();
 native boolean prestartCoreThread();
 native boolean remove(java.lang.Runnable p0);
 native int getActiveCount();
 native int getCorePoolSize();
 native int getLargestPoolSize();
 native int getMaximumPoolSize();
 native int getPoolSize();
 native int prestartAllCoreThreads();
 native java.lang.String toString();
 native java.util.List<java.lang.Runnable> shutdownNow();
 native java.util.concurrent.BlockingQueue<java.lang.Runnable> getQueue();
 native java.util.concurrent.RejectedExecutionHandler getRejectedExecutionHandler();
 native java.util.concurrent.ThreadFactory getThreadFactory();
 native long getCompletedTaskCount();
 native long getKeepAliveTime(java.util.concurrent.TimeUnit p0);
 native long getTaskCount();
 native void allowCoreThreadTimeOut(boolean p0);
 native void execute(java.lang.Runnable p0);
 native void purge();
 native void setCorePoolSize(int p0);
 native void setKeepAliveTime(long p0, java.util.concurrent.TimeUnit p1);
 native void setMaximumPoolSize(int p0);
 native void setRejectedExecutionHandler(java.util.concurrent.RejectedExecutionHandler p0);
 native void setThreadFactory(java.util.concurrent.ThreadFactory p0);
 native void shutdown();
 static class AbortPolicy implements java.util.concurrent.RejectedExecutionHandler {
  AbortPolicy() {}
  native void rejectedExecution(java.lang.Runnable p0, java.util.concurrent.ThreadPoolExecutor p1);
 }
 static class CallerRunsPolicy implements java.util.concurrent.RejectedExecutionHandler {
  CallerRunsPolicy() {}
  native void rejectedExecution(java.lang.Runnable p0, java.util.concurrent.ThreadPoolExecutor p1);
 }
 static class DiscardOldestPolicy implements java.util.concurrent.RejectedExecutionHandler {
  DiscardOldestPolicy() {}
  native void rejectedExecution(java.lang.Runnable p0, java.util.concurrent.ThreadPoolExecutor p1);
 }
 static class DiscardPolicy implements java.util.concurrent.RejectedExecutionHandler {
  DiscardPolicy() {}
  native void rejectedExecution(java.lang.Runnable p0, java.util.concurrent.ThreadPoolExecutor p1);
 }
}
enum TimeUnit {
 NANOSECONDS, MICROSECONDS, MILLISECONDS, SECONDS, MINUTES, HOURS, DAYS;
 native java.time.temporal.ChronoUnit toChronoUnit();
 native long convert(java.time.Duration p0);
 native long convert(long p0, java.util.concurrent.TimeUnit p1);
 native long toDays(long p0);
 native long toHours(long p0);
 native long toMicros(long p0);
 native long toMillis(long p0);
 native long toMinutes(long p0);
 native long toNanos(long p0);
 native long toSeconds(long p0);
 static native java.util.concurrent.TimeUnit of(java.time.temporal.ChronoUnit p0);
 native void sleep(long p0);
 native void timedJoin(java.lang.Thread p0, long p1);
 native void timedWait(java.lang.Object p0, long p1);
}
class TimeoutException extends java.lang.Exception {
 TimeoutException() {}
 TimeoutException(java.lang.String p0) {}
}
interface TransferQueue<E>  extends java.util.concurrent.BlockingQueue<E> {
 boolean hasWaitingConsumer();
 boolean tryTransfer(E p0);
 boolean tryTransfer(E p0, long p1, java.util.concurrent.TimeUnit p2);
 int getWaitingConsumerCount();
 void transfer(E p0);
}
