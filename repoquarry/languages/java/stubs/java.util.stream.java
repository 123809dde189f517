package java.util.stream;
interface BaseStream<T, S extends java.util.stream.BaseStream<T, S>>  extends java.lang.AutoCloseable {
 boolean isParallel();
 java.util.Iterator<T> iterator();
 java.util.Spliterator<T> spliterator();
 S onClose(java.lang.Runnable p0);
 S parallel();
 S sequential();
 S unordered();
 void close();
}
interface Collector<T, A, R>  {
 java.util.Set<java.util.stream.Collector.Characteristics> characteristics();
 java.util.function.BiConsumer<A, T> accumulator();
 java.util.function.BinaryOperator<A> combiner();
 java.util.function.Function<A, R> finisher();
 java.util.function.Supplier<A> supplier();
 static <T, A, R> java.util.stream.Collector<T, A, R> of(java.util.function.Supplier<A> p0, java.util.function.BiConsumer<A, T> p1, java.util.function.BinaryOperator<A> p2, java.util.function.Function<A, R> p3, java.util.stream.Collector.Characteristics... p4) {}
 static <T, R> java.util.stream.Collector<T, R, R> of(java.util.function.Supplier<R> p0, java.util.function.BiConsumer<R, T> p1, java.util.function.BinaryOperator<R> p2, java.util.stream.Collector.Characteristics... p3) {}
 static enum Characteristics {
  CONCURRENT, UNORDERED, IDENTITY_FINISH;
 }
}
class Collectors {
 static native <T> java.util.stream.Collector<T, ?, java.lang.Double> averagingDouble(java.util.function.ToDoubleFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.lang.Double> averagingInt(java.util.function.ToIntFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.lang.Double> averagingLong(java.util.function.ToLongFunction<? super T> p0);
 static native <T, A, R, RR> java.util.stream.Collector<T, A, RR> collectingAndThen(java.util.stream.Collector<T, A, R> p0, java.util.function.Function<R, RR> p1);
 static native <T> java.util.stream.Collector<T, ?, java.lang.Long> counting();
 static native <T, A, R> java.util.stream.Collector<T, ?, R> filtering(java.util.function.Predicate<? super T> p0, java.util.stream.Collector<? super T, A, R> p1);
 static native <T, U, A, R> java.util.stream.Collector<T, ?, R> flatMapping(java.util.function.Function<? super T, ? extends java.util.stream.Stream<? extends U>> p0, java.util.stream.Collector<? super U, A, R> p1);
 static native <T, K> java.util.stream.Collector<T, ?, java.util.Map<K, java.util.List<T>>> groupingBy(java.util.function.Function<? super T, ? extends K> p0);
 static native <T, K, D, A, M extends java.util.Map<K, D>> java.util.stream.Collector<T, ?, M> groupingBy(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Supplier<M> p1, java.util.stream.Collector<? super T, A, D> p2);
 static native <T, K, A, D> java.util.stream.Collector<T, ?, java.util.Map<K, D>> groupingBy(java.util.function.Function<? super T, ? extends K> p0, java.util.stream.Collector<? super T, A, D> p1);
 static native <T, K> java.util.stream.Collector<T, ?, java.util.concurrent.ConcurrentMap<K, java.util.List<T>>> groupingByConcurrent(java.util.function.Function<? super T, ? extends K> p0);
 static native <T, K, A, D, M extends java.util.concurrent.ConcurrentMap<K, D>> java.util.stream.Collector<T, ?, M> groupingByConcurrent(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Supplier<M> p1, java.util.stream.Collector<? super T, A, D> p2);
 static native <T, K, A, D> java.util.stream.Collector<T, ?, java.util.concurrent.ConcurrentMap<K, D>> groupingByConcurrent(java.util.function.Function<? super T, ? extends K> p0, java.util.stream.Collector<? super T, A, D> p1);
 static native java.util.stream.Collector<java.lang.CharSequence, ?, java.lang.String> joining();
 static native java.util.stream.Collector<java.lang.CharSequence, ?, java.lang.String> joining(java.lang.CharSequence p0);
 static native java.util.stream.Collector<java.lang.CharSequence, ?, java.lang.String> joining(java.lang.CharSequence p0, java.lang.CharSequence p1, java.lang.CharSequence p2);
 static native <T, U, A, R> java.util.stream.Collector<T, ?, R> mapping(java.util.function.Function<? super T, ? extends U> p0, java.util.stream.Collector<? super U, A, R> p1);
 static native <T> java.util.stream.Collector<T, ?, java.util.Optional<T>> maxBy(java.util.Comparator<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.util.Optional<T>> minBy(java.util.Comparator<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.util.Map<java.lang.Boolean, java.util.List<T>>> partitioningBy(java.util.function.Predicate<? super T> p0);
 static native <T, D, A> java.util.stream.Collector<T, ?, java.util.Map<java.lang.Boolean, D>> partitioningBy(java.util.function.Predicate<? super T> p0, java.util.stream.Collector<? super T, A, D> p1);
 static native <T> java.util.stream.Collector<T, ?, T> reducing(T p0, java.util.function.BinaryOperator<T> p1);
 static native <T, U> java.util.stream.Collector<T, ?, U> reducing(U p0, java.util.function.Function<? super T, ? extends U> p1, java.util.function.BinaryOperator<U> p2);
 static native <T> java.util.stream.Collector<T, ?, java.util.Optional<T>> reducing(java.util.function.BinaryOperator<T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.util.DoubleSummaryStatistics> summarizingDouble(java.util.function.ToDoubleFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.util.IntSummaryStatistics> summarizingInt(java.util.function.ToIntFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.util.LongSummaryStatistics> summarizingLong(java.util.function.ToLongFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.lang.Double> summingDouble(java.util.function.ToDoubleFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.lang.Integer> summingInt(java.util.function.ToIntFunction<? super T> p0);
 static native <T> java.util.stream.Collector<T, ?, java.lang.Long> summingLong(java.util.function.ToLongFunction<? super T> p0);
 static native <T, R1, R2, R> java.util.stream.Collector<T, ?, R> teeing(java.util.stream.Collector<? super T, ?, R1> p0, java.util.stream.Collector<? super T, ?, R2> p1, java.util.function.BiFunction<? super R1, ? super R2, R> p2);
 static native <T, C extends java.util.Collection<T>> java.util.stream.Collector<T, ?, C> toCollection(java.util.function.Supplier<C> p0);
 static native <T, K, U> java.util.stream.Collector<T, ?, java.util.concurrent.ConcurrentMap<K, U>> toConcurrentMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1);
 static native <T, K, U> java.util.stream.Collector<T, ?, java.util.concurrent.ConcurrentMap<K, U>> toConcurrentMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1, java.util.function.BinaryOperator<U> p2);
 static native <T, K, U, M extends java.util.concurrent.ConcurrentMap<K, U>> java.util.stream.Collector<T, ?, M> toConcurrentMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1, java.util.function.BinaryOperator<U> p2, java.util.function.Supplier<M> p3);
 static native <T> java.util.stream.Collector<T, ?, java.util.List<T>> toList();
 static native <T, K, U> java.util.stream.Collector<T, ?, java.util.Map<K, U>> toMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1);
 static native <T, K, U> java.util.stream.Collector<T, ?, java.util.Map<K, U>> toMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1, java.util.function.BinaryOperator<U> p2);
 static native <T, K, U, M extends java.util.Map<K, U>> java.util.stream.Collector<T, ?, M> toMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1, java.util.function.BinaryOperator<U> p2, java.util.function.Supplier<M> p3);
 static native <T> java.util.stream.Collector<T, ?, java.util.Set<T>> toSet();
 static native <T> java.util.stream.Collector<T, ?, java.util.List<T>> toUnmodifiableList();
 static native <T, K, U> java.util.stream.Collector<T, ?, java.util.Map<K, U>> toUnmodifiableMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1);
 static native <T, K, U> java.util.stream.Collector<T, ?, java.util.Map<K, U>> toUnmodifiableMap(java.util.function.Function<? super T, ? extends K> p0, java.util.function.Function<? super T, ? extends U> p1, java.util.function.BinaryOperator<U> p2);
 static native <T> java.util.stream.Collector<T, ?, java.util.Set<T>> toUnmodifiableSet();
}
interface DoubleStream extends java.util.stream.BaseStream<java.lang.Double, java.util.stream.DoubleStream> {
 boolean allMatch(java.util.function.DoublePredicate p0);
 boolean anyMatch(java.util.function.DoublePredicate p0);
 boolean noneMatch(java.util.function.DoublePredicate p0);
 double reduce(double p0, java.util.function.DoubleBinaryOperator p1);
 double sum();
 double[] toArray();
 <R> R collect(java.util.function.Supplier<R> p0, java.util.function.ObjDoubleConsumer<R> p1, java.util.function.BiConsumer<R, R> p2);
 java.util.DoubleSummaryStatistics summaryStatistics();
 java.util.OptionalDouble average();
 java.util.OptionalDouble findAny();
 java.util.OptionalDouble findFirst();
 java.util.OptionalDouble max();
 java.util.OptionalDouble min();
 java.util.OptionalDouble reduce(java.util.function.DoubleBinaryOperator p0);
 java.util.PrimitiveIterator.OfDouble iterator();
 java.util.Spliterator.OfDouble spliterator();
 java.util.stream.DoubleStream distinct();
 java.util.stream.DoubleStream filter(java.util.function.DoublePredicate p0);
 java.util.stream.DoubleStream flatMap(java.util.function.DoubleFunction<? extends java.util.stream.DoubleStream> p0);
 java.util.stream.DoubleStream limit(long p0);
 java.util.stream.DoubleStream map(java.util.function.DoubleUnaryOperator p0);
 java.util.stream.DoubleStream parallel();
 java.util.stream.DoubleStream peek(java.util.function.DoubleConsumer p0);
 java.util.stream.DoubleStream sequential();
 java.util.stream.DoubleStream skip(long p0);
 java.util.stream.DoubleStream sorted();
 java.util.stream.IntStream mapToInt(java.util.function.DoubleToIntFunction p0);
 java.util.stream.LongStream mapToLong(java.util.function.DoubleToLongFunction p0);
 java.util.stream.Stream<java.lang.Double> boxed();
 <U> java.util.stream.Stream<U> mapToObj(java.util.function.DoubleFunction<? extends U> p0);
 long count();
 void forEach(java.util.function.DoubleConsumer p0);
 void forEachOrdered(java.util.function.DoubleConsumer p0);
 default java.util.stream.DoubleStream dropWhile(java.util.function.DoublePredicate p0) {}
 default java.util.stream.DoubleStream mapMulti(java.util.stream.DoubleStream.DoubleMapMultiConsumer p0) {}
 default java.util.stream.DoubleStream takeWhile(java.util.function.DoublePredicate p0) {}
 static java.util.stream.DoubleStream concat(java.util.stream.DoubleStream p0, java.util.stream.DoubleStream p1) {}
 static java.util.stream.DoubleStream empty() {}
 static java.util.stream.DoubleStream generate(java.util.function.DoubleSupplier p0) {}
 static java.util.stream.DoubleStream iterate(double p0, java.util.function.DoublePredicate p1, java.util.function.DoubleUnaryOperator p2) {}
 static java.util.stream.DoubleStream iterate(double p0, java.util.function.DoubleUnaryOperator p1) {}
 static java.util.stream.DoubleStream of(double p0) {}
 static java.util.stream.DoubleStream of(double... p0) {}
 static java.util.stream.DoubleStream.Builder builder() {}
 static interface Builder extends java.util.function.DoubleConsumer {
  java.util.stream.DoubleStream build();
  void accept(double p0);
  default java.util.stream.DoubleStream.Builder add(double p0) {}
 }
 static interface DoubleMapMultiConsumer {
  void accept(double p0, java.util.function.DoubleConsumer p1);
 }
}
interface IntStream extends java.util.stream.BaseStream<java.lang.Integer, java.util.stream.IntStream> {
 boolean allMatch(java.util.function.IntPredicate p0);
 boolean anyMatch(java.util.function.IntPredicate p0);
 boolean noneMatch(java.util.function.IntPredicate p0);
 int reduce(int p0, java.util.function.IntBinaryOperator p1);
 int sum();
 int[] toArray();
 <R> R collect(java.util.function.Supplier<R> p0, java.util.function.ObjIntConsumer<R> p1, java.util.function.BiConsumer<R, R> p2);
 java.util.IntSummaryStatistics summaryStatistics();
 java.util.OptionalDouble average();
 java.util.OptionalInt findAny();
 java.util.OptionalInt findFirst();
 java.util.OptionalInt max();
 java.util.OptionalInt min();
 java.util.OptionalInt reduce(java.util.function.IntBinaryOperator p0);
 java.util.PrimitiveIterator.OfInt iterator();
 java.util.Spliterator.OfInt spliterator();
 java.util.stream.DoubleStream asDoubleStream();
 java.util.stream.DoubleStream mapToDouble(java.util.function.IntToDoubleFunction p0);
 java.util.stream.IntStream distinct();
 java.util.stream.IntStream filter(java.util.function.IntPredicate p0);
 java.util.stream.IntStream flatMap(java.util.function.IntFunction<? extends java.util.stream.IntStream> p0);
 java.util.stream.IntStream limit(long p0);
 java.util.stream.IntStream map(java.util.function.IntUnaryOperator p0);
 java.util.stream.IntStream parallel();
 java.util.stream.IntStream peek(java.util.function.IntConsumer p0);
 java.util.stream.IntStream sequential();
 java.util.stream.IntStream skip(long p0);
 java.util.stream.IntStream sorted();
 java.util.stream.LongStream asLongStream();
 java.util.stream.LongStream mapToLong(java.util.function.IntToLongFunction p0);
 java.util.stream.Stream<java.lang.Integer> boxed();
 <U> java.util.stream.Stream<U> mapToObj(java.util.function.IntFunction<? extends U> p0);
 long count();
 void forEach(java.util.function.IntConsumer p0);
 void forEachOrdered(java.util.function.IntConsumer p0);
 default java.util.stream.IntStream dropWhile(java.util.function.IntPredicate p0) {}
 default java.util.stream.IntStream mapMulti(java.util.stream.IntStream.IntMapMultiConsumer p0) {}
 default java.util.stream.IntStream takeWhile(java.util.function.IntPredicate p0) {}
 static java.util.stream.IntStream concat(java.util.stream.IntStream p0, java.util.stream.IntStream p1) {}
 static java.util.stream.IntStream empty() {}
 static java.util.stream.IntStream generate(java.util.function.IntSupplier p0) {}
 static java.util.stream.IntStream iterate(int p0, java.util.function.IntPredicate p1, java.util.function.IntUnaryOperator p2) {}
 static java.util.stream.IntStream iterate(int p0, java.util.function.IntUnaryOperator p1) {}
 static java.util.stream.IntStream of(int p0) {}
 static java.util.stream.IntStream of(int... p0) {}
 static java.util.stream.IntStream range(int p0, int p1) {}
 static java.util.stream.IntStream rangeClosed(int p0, int p1) {}
 static java.util.stream.IntStream.Builder builder() {}
 static interface Builder extends java.util.function.IntConsumer {
  java.util.stream.IntStream build();
  void accept(int p0);
  default java.util.stream.IntStream.Builder add(int p0) {}
 }
 static interface IntMapMultiConsumer {
  void accept(int p0, java.util.function.IntConsumer p1);
 }
}
interface LongStream extends java.util.stream.BaseStream<java.lang.Long, java.util.stream.LongStream> {
 boolean allMatch(java.util.function.LongPredicate p0);
 boolean anyMatch(java.util.function.LongPredicate p0);
 boolean noneMatch(java.util.function.LongPredicate p0);
 <R> R collect(java.util.function.Supplier<R> p0, java.util.function.ObjLongConsumer<R> p1, java.util.function.BiConsumer<R, R> p2);
 java.util.LongSummaryStatistics summaryStatistics();
 java.util.OptionalDouble average();
 java.util.OptionalLong findAny();
 java.util.OptionalLong findFirst();
 java.util.OptionalLong max();
 java.util.OptionalLong min();
 java.util.OptionalLong reduce(java.util.function.LongBinaryOperator p0);
 java.util.PrimitiveIterator.OfLong iterator();
 java.util.Spliterator.OfLong spliterator();
 java.util.stream.DoubleStream asDoubleStream();
 java.util.stream.DoubleStream mapToDouble(java.util.function.LongToDoubleFunction p0);
 java.util.stream.IntStream mapToInt(java.util.function.LongToIntFunction p0);
 java.util.stream.LongStream distinct();
 java.util.stream.LongStream filter(java.util.function.LongPredicate p0);
 java.util.stream.LongStream flatMap(java.util.function.LongFunction<? extends java.util.stream.LongStream> p0);
 java.util.stream.LongStream limit(long p0);
 java.util.stream.LongStream map(java.util.function.LongUnaryOperator p0);
 java.util.stream.LongStream parallel();
 java.util.stream.LongStream peek(java.util.function.LongConsumer p0);
 java.util.stream.LongStream sequential();
 java.util.stream.LongStream skip(long p0);
 java.util.stream.LongStream sorted();
 java.util.stream.Stream<java.lang.Long> boxed();
 <U> java.util.stream.Stream<U> mapToObj(java.util.function.LongFunction<? extends U> p0);
 long count();
 long reduce(long p0, java.util.function.LongBinaryOperator p1);
 long sum();
 long[] toArray();
 void forEach(java.util.function.LongConsumer p0);
 void forEachOrdered(java.util.function.LongConsumer p0);
 default java.util.stream.LongStream dropWhile(java.util.function.LongPredicate p0) {}
 default java.util.stream.LongStream mapMulti(java.util.stream.LongStream.LongMapMultiConsumer p0) {}
 default java.util.stream.LongStream takeWhile(java.util.function.LongPredicate p0) {}
 static java.util.stream.LongStream concat(java.util.stream.LongStream p0, java.util.stream.LongStream p1) {}
 static java.util.stream.LongStream empty() {}
 static java.util.stream.LongStream generate(java.util.function.LongSupplier p0) {}
 static java.util.stream.LongStream iterate(long p0, java.util.function.LongPredicate p1, java.util.function.LongUnaryOperator p2) {}
 static java.util.stream.LongStream iterate(long p0, java.util.function.LongUnaryOperator p1) {}
 static java.util.stream.LongStream of(long p0) {}
 static java.util.stream.LongStream of(long... p0) {}
 static java.util.stream.LongStream range(long p0, long p1) {}
 static java.util.stream.LongStream rangeClosed(long p0, long p1) {}
 static java.util.stream.LongStream.Builder builder() {}
 static interface Builder extends java.util.function.LongConsumer {
  java.util.stream.LongStream build();
  void accept(long p0);
  default java.util.stream.LongStream.Builder add(long p0) {}
 }
 static interface LongMapMultiConsumer {
  void accept(long p0, java.util.function.LongConsumer p1);
 }
}
interface Stream<T>  extends java.util.stream.BaseStream<T, java.util.stream.Stream<T>> {
 boolean allMatch(java.util.function.Predicate<? super T> p0);
 boolean anyMatch(java.util.function.Predicate<? super T> p0);
 boolean noneMatch(java.util.function.Predicate<? super T> p0);
 <R> R collect(java.util.function.Supplier<R> p0, java.util.function.BiConsumer<R, ? super T> p1, java.util.function.BiConsumer<R, R> p2);
 <R, A> R collect(java.util.stream.Collector<? super T, A, R> p0);
 <U> U reduce(U p0, java.util.function.BiFunction<U, ? super T, U> p1, java.util.function.BinaryOperator<U> p2);
 T reduce(T p0, java.util.function.BinaryOperator<T> p1);
 java.lang.Object[] toArray();
 <A> A[] toArray(java.util.function.IntFunction<A[]> p0);
 java.util.Optional<T> findAny();
 java.util.Optional<T> findFirst();
 java.util.Optional<T> max(java.util.Comparator<? super T> p0);
 java.util.Optional<T> min(java.util.Comparator<? super T> p0);
 java.util.Optional<T> reduce(java.util.function.BinaryOperator<T> p0);
 java.util.stream.DoubleStream flatMapToDouble(java.util.function.Function<? super T, ? extends java.util.stream.DoubleStream> p0);
 java.util.stream.DoubleStream mapToDouble(java.util.function.ToDoubleFunction<? super T> p0);
 java.util.stream.IntStream flatMapToInt(java.util.function.Function<? super T, ? extends java.util.stream.IntStream> p0);
 java.util.stream.IntStream mapToInt(java.util.function.ToIntFunction<? super T> p0);
 java.util.stream.LongStream flatMapToLong(java.util.function.Function<? super T, ? extends java.util.stream.LongStream> p0);
 java.util.stream.LongStream mapToLong(java.util.function.ToLongFunction<? super T> p0);
 java.util.stream.Stream<T> distinct();
 java.util.stream.Stream<T> filter(java.util.function.Predicate<? super T> p0);
 <R> java.util.stream.Stream<R> flatMap(java.util.function.Function<? super T, ? extends java.util.stream.Stream<? extends R>> p0);
 java.util.stream.Stream<T> limit(long p0);
 <R> java.util.stream.Stream<R> map(java.util.function.Function<? super T, ? extends R> p0);
 java.util.stream.Stream<T> peek(java.util.function.Consumer<? super T> p0);
 java.util.stream.Stream<T> skip(long p0);
 java.util.stream.Stream<T> sorted();
 java.util.stream.Stream<T> sorted(java.util.Comparator<? super T> p0);
 long count();
 void forEach(java.util.function.Consumer<? super T> p0);
 void forEachOrdered(java.util.function.Consumer<? super T> p0);
 default java.util.List<T> toList() {}
 default java.util.stream.DoubleStream mapMultiToDouble(java.util.function.BiConsumer<? super T, ? super java.util.function.DoubleConsumer> p0) {}
 default java.util.stream.IntStream mapMultiToInt(java.util.function.BiConsumer<? super T, ? super java.util.function.IntConsumer> p0) {}
 default java.util.stream.LongStream mapMultiToLong(java.util.function.BiConsumer<? super T, ? super java.util.function.LongConsumer> p0) {}
 default java.util.stream.Stream<T> dropWhile(java.util.function.Predicate<? super T> p0) {}
 default <R> java.util.stream.Stream<R> mapMulti(java.util.function.BiConsumer<? super T, ? super java.util.function.Consumer<R>> p0) {}
 default java.util.stream.Stream<T> takeWhile(java.util.function.Predicate<? super T> p0) {}
 static <T> java.util.stream.Stream<T> concat(java.util.stream.Stream<? extends T> p0, java.util.stream.Stream<? extends T> p1) {}
 static <T> java.util.stream.Stream<T> empty() {}
 static <T> java.util.stream.Stream<T> generate(java.util.function.Supplier<? extends T> p0) {}
 static <T> java.util.stream.Stream<T> iterate(T p0, java.util.function.Predicate<? super T> p1, java.util.function.UnaryOperator<T> p2) {}
 static <T> java.util.stream.Stream<T> iterate(T p0, java.util.function.UnaryOperator<T> p1) {}
 static <T> java.util.stream.Stream<T> of(T p0) {}
 static <T> java.util.stream.Stream<T> of(T... p0) {}
 static <T> java.util.stream.Stream<T> ofNullable(T p0) {}
 static <T> java.util.stream.Stream.Builder<T> builder() {}
 static interface Builder<T>  extends java.util.function.Consumer<T> {
  java.util.stream.Stream<T> build();
  void accept(T p0);
  default java.util.stream.Stream.Builder<T> add(T p0) {}
 }
}
class StreamSupport {
 static native java.util.stream.DoubleStream doubleStream(java.util.Spliterator.OfDouble p0, boolean p1);
 static native java.util.stream.DoubleStream doubleStream(java.util.function.Supplier<? extends java.util.Spliterator.OfDouble> p0, int p1, boolean p2);
 static native java.util.stream.IntStream intStream(java.util.Spliterator.OfInt p0, boolean p1);
 static native java.util.stream.IntStream intStream(java.util.function.Supplier<? extends java.util.Spliterator.OfInt> p0, int p1, boolean p2);
 static native java.util.stream.LongStream longStream(java.util.Spliterator.OfLong p0, boolean p1);
 static native java.util.stream.LongStream longStream(java.util.function.Supplier<? extends java.util.Spliterator.OfLong> p0, int p1, boolean p2);
 static native <T> java.util.stream.Stream<T> stream(java.util.Spliterator<T> p0, boolean p1);
 static native <T> java.util.stream.Stream<T> stream(java.util.function.Supplier<? extends java.util.Spliterator<T>> p0, int p1, boolean p2);
}
