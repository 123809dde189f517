package java.util.function;
interface BiConsumer<T, U>  {
 void accept(T p0, U p1);
 default java.util.function.BiConsumer<T, U> andThen(java.util.function.BiConsumer<? super T, ? super U> p0) {}
}
interface BiFunction<T, U, R>  {
 R apply(T p0, U p1);
 default <V> java.util.function.BiFunction<T, U, V> andThen(java.util.function.Function<? super R, ? extends V> p0) {}
}
interface BiPredicate<T, U>  {
 boolean test(T p0, U p1);
 default java.util.function.BiPredicate<T, U> and(java.util.function.BiPredicate<? super T, ? super U> p0) {}
 default java.util.function.BiPredicate<T, U> negate() {}
 default java.util.function.BiPredicate<T, U> or(java.util.function.BiPredicate<? super T, ? super U> p0) {}
}
interface BinaryOperator<T>  extends java.util.function.BiFunction<T, T, T> {
 static <T> java.util.function.BinaryOperator<T> maxBy(java.util.Comparator<? super T> p0) {}
 static <T> java.util.function.BinaryOperator<T> minBy(java.util.Comparator<? super T> p0) {}
}
interface BooleanSupplier {
 boolean getAsBoolean();
}
interface Consumer<T>  {
 void accept(T p0);
 default java.util.function.Consumer<T> andThen(java.util.function.Consumer<? super T> p0) {}
}
interface DoubleBinaryOperator {
 double applyAsDouble(double p0, double p1);
}
interface DoubleConsumer {
 void accept(double p0);
 default java.util.function.DoubleConsumer andThen(java.util.function.DoubleConsumer p0) {}
}
interface DoubleFunction<R>  {
 R apply(double p0);
}
interface DoublePredicate {
 boolean test(double p0);
 default java.util.function.DoublePredicate and(java.util.function.DoublePredicate p0) {}
 default java.util.function.DoublePredicate negate() {}
 default java.util.function.DoublePredicate or(java.util.function.DoublePredicate p0) {}
}
interface DoubleSupplier {
 double getAsDouble();
}
interface DoubleToIntFunction {
 int applyAsInt(double p0);
}
interface DoubleToLongFunction {
 long applyAsLong(double p0);
}
interface DoubleUnaryOperator {
 double applyAsDouble(double p0);
 default java.util.function.DoubleUnaryOperator andThen(java.util.function.DoubleUnaryOperator p0) {}
 default java.util.function.DoubleUnaryOperator compose(java.util.function.DoubleUnaryOperator p0) {}
 static java.util.function.DoubleUnaryOperator identity() {}
}
interface Function<T, R>  {
 R apply(T p0);
 default <V> java.util.function.Function<T, V> andThen(java.util.function.Function<? super R, ? extends V> p0) {}
 default <V> java.util.function.Function<V, R> compose(java.util.function.Function<? super V, ? extends T> p0) {}
 static <T> java.util.function.Function<T, T> identity() {}
}
interface IntBinaryOperator {
 int applyAsInt(int p0, int p1);
}
interface IntConsumer {
 void accept(int p0);
 default java.util.function.IntConsumer andThen(java.util.function.IntConsumer p0) {}
}
interface IntFunction<R>  {
 R apply(int p0);
}
interface IntPredicate {
 boolean test(int p0);
 default java.util.function.IntPredicate and(java.util.function.IntPredicate p0) {}
 default java.util.function.IntPredicate negate() {}
 default java.util.function.IntPredicate or(java.util.function.IntPredicate p0) {}
}
interface IntSupplier {
 int getAsInt();
}
interface IntToDoubleFunction {
 double applyAsDouble(int p0);
}
interface IntToLongFunction {
 long applyAsLong(int p0);
}
interface IntUnaryOperator {
 int applyAsInt(int p0);
 default java.util.function.IntUnaryOperator andThen(java.util.function.IntUnaryOperator p0) {}
 default java.util.function.IntUnaryOperator compose(java.util.function.IntUnaryOperator p0) {}
 static java.util.function.IntUnaryOperator identity() {}
}
interface LongBinaryOperator {
 long applyAsLong(long p0, long p1);
}
interface LongConsumer {
 void accept(long p0);
 default java.util.function.LongConsumer andThen(java.util.function.LongConsumer p0) {}
}
interface LongFunction<R>  {
 R apply(long p0);
}
interface LongPredicate {
 boolean test(long p0);
 default java.util.function.LongPredicate and(java.util.function.LongPredicate p0) {}
 default java.util.function.LongPredicate negate() {}
 default java.util.function.LongPredicate or(java.util.function.LongPredicate p0) {}
}
interface LongSupplier {
 long getAsLong();
}
interface LongToDoubleFunction {
 double applyAsDouble(long p0);
}
interface LongToIntFunction {
 int applyAsInt(long p0);
}
interface LongUnaryOperator {
 long applyAsLong(long p0);
 default java.util.function.LongUnaryOperator andThen(java.util.function.LongUnaryOperator p0) {}
 default java.util.function.LongUnaryOperator compose(java.util.function.LongUnaryOperator p0) {}
 static java.util.function.LongUnaryOperator identity() {}
}
interface ObjDoubleConsumer<T>  {
 void accept(T p0, double p1);
}
interface ObjIntConsumer<T>  {
 void accept(T p0, int p1);
}
interface ObjLongConsumer<T>  {
 void accept(T p0, long p1);
}
interface Predicate<T>  {
 boolean test(T p0);
 default java.util.function.Predicate<T> and(java.util.function.Predicate<? super T> p0) {}
 default java.util.function.Predicate<T> negate() {}
 default java.util.function.Predicate<T> or(java.util.function.Predicate<? super T> p0) {}
 static <T> java.util.function.Predicate<T> isEqual(java.lang.Object p0) {}
 static <T> java.util.function.Predicate<T> not(java.util.function.Predicate<? super T> p0) {}
}
interface Supplier<T>  {
 T get();
}
interface ToDoubleBiFunction<T, U>  {
 double applyAsDouble(T p0, U p1);
}
interface ToDoubleFunction<T>  {
 double applyAsDouble(T p0);
}
interface ToIntBiFunction<T, U>  {
 int applyAsInt(T p0, U p1);
}
interface ToIntFunction<T>  {
 int applyAsInt(T p0);
}
interface ToLongBiFunction<T, U>  {
 long applyAsLong(T p0, U p1);
}
interface ToLongFunction<T>  {
 long applyAsLong(T p0);
}
interface UnaryOperator<T>  extends java.util.function.Function<T, T> {
 static <T> java.util.function.UnaryOperator<T> identity() {}
}
