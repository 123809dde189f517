package java.util.concurrent.atomic;
class AtomicBoolean implements java.io.Serializable {
 AtomicBoolean() {}
 AtomicBoolean(boolean p0) {}
 native boolean weakCompareAndSet(boolean p0, boolean p1);
 native boolean weakCompareAndSetPlain(boolean p0, boolean p1);
 native final boolean compareAndExchange(boolean p0, boolean p1);
 native final boolean compareAndExchangeAcquire(boolean p0, boolean p1);
 native final boolean compareAndExchangeRelease(boolean p0, boolean p1);
 native final boolean compareAndSet(boolean p0, boolean p1);
 native final boolean get();
 native final boolean getAcquire();
 native final boolean getAndSet(boolean p0);
 native final boolean getOpaque();
 native final boolean getPlain();
 native final boolean weakCompareAndSetAcquire(boolean p0, boolean p1);
 native final boolean weakCompareAndSetRelease(boolean p0, boolean p1);
 native final boolean weakCompareAndSetVolatile(boolean p0, boolean p1);
 native final void lazySet(boolean p0);
 native final void set(boolean p0);
 native final void setOpaque(boolean p0);
 native final void setPlain(boolean p0);
 native final void setRelease(boolean p0);
 native java.lang.String toString();
}
class AtomicInteger extends java.lang.Number implements java.io.Serializable {
 AtomicInteger() {}
 AtomicInteger(int p0) {}
 native double doubleValue();
 native final boolean compareAndSet(int p0, int p1);
 native final boolean weakCompareAndSet(int p0, int p1);
 native final boolean weakCompareAndSetAcquire(int p0, int p1);
 native final boolean weakCompareAndSetPlain(int p0, int p1);
 native final boolean weakCompareAndSetRelease(int p0, int p1);
 native final boolean weakCompareAndSetVolatile(int p0, int p1);
 native final int accumulateAndGet(int p0, java.util.function.IntBinaryOperator p1);
 native final int addAndGet(int p0);
 native final int compareAndExchange(int p0, int p1);
 native final int compareAndExchangeAcquire(int p0, int p1);
 native final int compareAndExchangeRelease(int p0, int p1);
 native final int decrementAndGet();
 native final int get();
 native final int getAcquire();
 native final int getAndAccumulate(int p0, java.util.function.IntBinaryOperator p1);
 native final int getAndAdd(int p0);
 native final int getAndDecrement();
 native final int getAndIncrement();
 native final int getAndSet(int p0);
 native final int getAndUpdate(java.util.function.IntUnaryOperator p0);
 native final int getOpaque();
 native final int getPlain();
 native final int incrementAndGet();
 native final int updateAndGet(java.util.function.IntUnaryOperator p0);
 native final void lazySet(int p0);
 native final void set(int p0);
 native final void setOpaque(int p0);
 native final void setPlain(int p0);
 native final void setRelease(int p0);
 native float floatValue();
 native int intValue();
 native java.lang.String toString();
 native long longValue();
}
class AtomicIntegerArray implements java.io.Serializable {
 AtomicIntegerArray(int p0) {}
 AtomicIntegerArray(int[] p0) {}
 native final boolean compareAndSet(int p0, int p1, int p2);
 native final boolean weakCompareAndSet(int p0, int p1, int p2);
 native final boolean weakCompareAndSetAcquire(int p0, int p1, int p2);
 native final boolean weakCompareAndSetPlain(int p0, int p1, int p2);
 native final boolean weakCompareAndSetRelease(int p0, int p1, int p2);
 native final boolean weakCompareAndSetVolatile(int p0, int p1, int p2);
 native final int accumulateAndGet(int p0, int p1, java.util.function.IntBinaryOperator p2);
 native final int addAndGet(int p0, int p1);
 native final int compareAndExchange(int p0, int p1, int p2);
 native final int compareAndExchangeAcquire(int p0, int p1, int p2);
 native final int compareAndExchangeRelease(int p0, int p1, int p2);
 native final int decrementAndGet(int p0);
 native final int get(int p0);
 native final int getAcquire(int p0);
 native final int getAndAccumulate(int p0, int p1, java.util.function.IntBinaryOperator p2);
 native final int getAndAdd(int p0, int p1);
 native final int getAndDecrement(int p0);
 native final int getAndIncrement(int p0);
 native final int getAndSet(int p0, int p1);
 native final int getAndUpdate(int p0, java.util.function.IntUnaryOperator p1);
 native final int getOpaque(int p0);
 native final int getPlain(int p0);
 native final int incrementAndGet(int p0);
 native final int length();
 native final int updateAndGet(int p0, java.util.function.IntUnaryOperator p1);
 native final void lazySet(int p0, int p1);
 native final void set(int p0, int p1);
 native final void setOpaque(int p0, int p1);
 native final void setPlain(int p0, int p1);
 native final void setRelease(int p0, int p1);
 native java.lang.String toString();
}
abstract class AtomicIntegerFieldUpdater<T>  {
 AtomicIntegerFieldUpdater() {}
 abstract boolean compareAndSet(T p0, int p1, int p2);
 abstract boolean weakCompareAndSet(T p0, int p1, int p2);
 abstract int get(T p0);
 abstract void lazySet(T p0, int p1);
 abstract void set(T p0, int p1);
 native final int accumulateAndGet(T p0, int p1, java.util.function.IntBinaryOperator p2);
 native final int getAndAccumulate(T p0, int p1, java.util.function.IntBinaryOperator p2);
 native final int getAndUpdate(T p0, java.util.function.IntUnaryOperator p1);
 native final int updateAndGet(T p0, java.util.function.IntUnaryOperator p1);
 native int addAndGet(T p0, int p1);
 native int decrementAndGet(T p0);
 native int getAndAdd(T p0, int p1);
 native int getAndDecrement(T p0);
 native int getAndIncrement(T p0);
 native int getAndSet(T p0, int p1);
 native int incrementAndGet(T p0);
 static native <U> java.util.concurrent.atomic.AtomicIntegerFieldUpdater<U> newUpdater(java.lang.Class<U> p0, java.lang.String p1);
}
class AtomicLong extends java.lang.Number implements java.io.Serializable {
 AtomicLong() {}
 AtomicLong(long p0) {}
 native double doubleValue();
 native final boolean compareAndSet(long p0, long p1);
 native final boolean weakCompareAndSet(long p0, long p1);
 native final boolean weakCompareAndSetAcquire(long p0, long p1);
 native final boolean weakCompareAndSetPlain(long p0, long p1);
 native final boolean weakCompareAndSetRelease(long p0, long p1);
 native final boolean weakCompareAndSetVolatile(long p0, long p1);
 native final long accumulateAndGet(long p0, java.util.function.LongBinaryOperator p1);
 native final long addAndGet(long p0);
 native final long compareAndExchange(long p0, long p1);
 native final long compareAndExchangeAcquire(long p0, long p1);
 native final long compareAndExchangeRelease(long p0, long p1);
 native final long decrementAndGet();
 native final long get();
 native final long getAcquire();
 native final long getAndAccumulate(long p0, java.util.function.LongBinaryOperator p1);
 native final long getAndAdd(long p0);
 native final long getAndDecrement();
 native final long getAndIncrement();
 native final long getAndSet(long p0);
 native final long getAndUpdate(java.util.function.LongUnaryOperator p0);
 native final long getOpaque();
 native final long getPlain();
 native final long incrementAndGet();
 native final long updateAndGet(java.util.function.LongUnaryOperator p0);
 native final void lazySet(long p0);
 native final void set(long p0);
 native final void setOpaque(long p0);
 native final void setPlain(long p0);
 native final void setRelease(long p0);
 native float floatValue();
 native int intValue();
 native java.lang.String toString();
 native long longValue();
}
class AtomicLongArray implements java.io.Serializable {
 AtomicLongArray(int p0) {}
 AtomicLongArray(long[] p0) {}
 native final boolean compareAndSet(int p0, long p1, long p2);
 native final boolean weakCompareAndSet(int p0, long p1, long p2);
 native final boolean weakCompareAndSetAcquire(int p0, long p1, long p2);
 native final boolean weakCompareAndSetPlain(int p0, long p1, long p2);
 native final boolean weakCompareAndSetRelease(int p0, long p1, long p2);
 native final boolean weakCompareAndSetVolatile(int p0, long p1, long p2);
 native final int length();
 native final long accumulateAndGet(int p0, long p1, java.util.function.LongBinaryOperator p2);
 native final long compareAndExchange(int p0, long p1, long p2);
 native final long compareAndExchangeAcquire(int p0, long p1, long p2);
 native final long compareAndExchangeRelease(int p0, long p1, long p2);
 native final long decrementAndGet(int p0);
 native final long get(int p0);
 native final long getAcquire(int p0);
 native final long getAndAccumulate(int p0, long p1, java.util.function.LongBinaryOperator p2);
 native final long getAndAdd(int p0, long p1);
 native final long getAndDecrement(int p0);
 native final long getAndIncrement(int p0);
 native final long getAndSet(int p0, long p1);
 native final long getAndUpdate(int p0, java.util.function.LongUnaryOperator p1);
 native final long getOpaque(int p0);
 native final long getPlain(int p0);
 native final long incrementAndGet(int p0);
 native final long updateAndGet(int p0, java.util.function.LongUnaryOperator p1);
 native final void lazySet(int p0, long p1);
 native final void set(int p0, long p1);
 native final void setOpaque(int p0, long p1);
 native final void setPlain(int p0, long p1);
 native final void setRelease(int p0, long p1);
 native java.lang.String toString();
 native long addAndGet(int p0, long p1);
}
abstract class AtomicLongFieldUpdater<T>  {
 AtomicLongFieldUpdater() {}
 abstract boolean compareAndSet(T p0, long p1, long p2);
 abstract boolean weakCompareAndSet(T p0, long p1, long p2);
 abstract long get(T p0);
 abstract void lazySet(T p0, long p1);
 abstract void set(T p0, long p1);
 native final long accumulateAndGet(T p0, long p1, java.util.function.LongBinaryOperator p2);
 native final long getAndAccumulate(T p0, long p1, java.util.function.LongBinaryOperator p2);
 native final long getAndUpdate(T p0, java.util.function.LongUnaryOperator p1);
 native final long updateAndGet(T p0, java.util.function.LongUnaryOperator p1);
 native long addAndGet(T p0, long p1);
 native long decrementAndGet(T p0);
 native long getAndAdd(T p0, long p1);
 native long getAndDecrement(T p0);
 native long getAndIncrement(T p0);
 native long getAndSet(T p0, long p1);
 native long incrementAndGet(T p0);
 static native <U> java.util.concurrent.atomic.AtomicLongFieldUpdater<U> newUpdater(java.lang.Class<U> p0, java.lang.String p1);
}
class AtomicMarkableReference<V>  {
 AtomicMarkableReference(V p0, boolean p1) {}
 native boolean attemptMark(V p0, boolean p1);
 native boolean compareAndSet(V p0, V p1, boolean p2, boolean p3);
 native boolean isMarked();
 native boolean weakCompareAndSet(V p0, V p1, boolean p2, boolean p3);
 native V get(boolean[] p0);
 native V getReference();
 native void set(V p0, boolean p1);
}
class AtomicReference<V>  implements java.io.Serializable {
 AtomicReference() {}
 AtomicReference(V p0) {}
 native final boolean compareAndSet(V p0, V p1);
 native final boolean weakCompareAndSet(V p0, V p1);
 native final boolean weakCompareAndSetAcquire(V p0, V p1);
 native final boolean weakCompareAndSetPlain(V p0, V p1);
 native final boolean weakCompareAndSetRelease(V p0, V p1);
 native final boolean weakCompareAndSetVolatile(V p0, V p1);
 native final V accumulateAndGet(V p0, java.util.function.BinaryOperator<V> p1);
 native final V compareAndExchange(V p0, V p1);
 native final V compareAndExchangeAcquire(V p0, V p1);
 native final V compareAndExchangeRelease(V p0, V p1);
 native final V get();
 native final V getAcquire();
 native final V getAndAccumulate(V p0, java.util.function.BinaryOperator<V> p1);
 native final V getAndSet(V p0);
 native final V getAndUpdate(java.util.function.UnaryOperator<V> p0);
 native final V getOpaque();
 native final V getPlain();
 native final V updateAndGet(java.util.function.UnaryOperator<V> p0);
 native final void lazySet(V p0);
 native final void set(V p0);
 native final void setOpaque(V p0);
 native final void setPlain(V p0);
 native final void setRelease(V p0);
 native java.lang.String toString();
}
class AtomicReferenceArray<E>  implements java.io.Serializable {
 AtomicReferenceArray(int p0) {}
 AtomicReferenceArray(E[] p0) {}
 native final boolean compareAndSet(int p0, E p1, E p2);
 native final boolean weakCompareAndSet(int p0, E p1, E p2);
 native final boolean weakCompareAndSetAcquire(int p0, E p1, E p2);
 native final boolean weakCompareAndSetPlain(int p0, E p1, E p2);
 native final boolean weakCompareAndSetRelease(int p0, E p1, E p2);
 native final boolean weakCompareAndSetVolatile(int p0, E p1, E p2);
 native final int length();
 native final E accumulateAndGet(int p0, E p1, java.util.function.BinaryOperator<E> p2);
 native final E compareAndExchange(int p0, E p1, E p2);
 native final E compareAndExchangeAcquire(int p0, E p1, E p2);
 native final E compareAndExchangeRelease(int p0, E p1, E p2);
 native final E get(int p0);
 native final E getAcquire(int p0);
 native final E getAndAccumulate(int p0, E p1, java.util.function.BinaryOperator<E> p2);
 native final E getAndSet(int p0, E p1);
 native final E getAndUpdate(int p0, java.util.function.UnaryOperator<E> p1);
 native final E getOpaque(int p0);
 native final E getPlain(int p0);
 native final E updateAndGet(int p0, java.util.function.UnaryOperator<E> p1);
 native final void lazySet(int p0, E p1);
 native final void set(int p0, E p1);
 native final void setOpaque(int p0, E p1);
 native final void setPlain(int p0, E p1);
 native final void setRelease(int p0, E p1);
 native java.lang.String toString();
}
abstract class AtomicReferenceFieldUpdater<T, V>  {
 AtomicReferenceFieldUpdater() {}
 abstract boolean compareAndSet(T p0, V p1, V p2);
 abstract boolean weakCompareAndSet(T p0, V p1, V p2);
 abstract V get(T p0);
 abstract void lazySet(T p0, V p1);
 abstract void set(T p0, V p1);
 native final V accumulateAndGet(T p0, V p1, java.util.function.BinaryOperator<V> p2);
 native final V getAndAccumulate(T p0, V p1, java.util.function.BinaryOperator<V> p2);
 native final V getAndUpdate(T p0, java.util.function.UnaryOperator<V> p1);
 native final V updateAndGet(T p0, java.util.function.UnaryOperator<V> p1);
 native V getAndSet(T p0, V p1);
 static native <U, W> java.util.concurrent.atomic.AtomicReferenceFieldUpdater<U, W> newUpdater(java.lang.Class<U> p0, java.lang.Class<W> p1, java.lang.String p2);
}
class AtomicStampedReference<V>  {
 AtomicStampedReference(V p0, int p1) {}
 native boolean attemptStamp(V p0, int p1);
 native boolean compareAndSet(V p0, V p1, int p2, int p3);
 native boolean weakCompareAndSet(V p0, V p1, int p2, int p3);
 native int getStamp();
 native V get(int[] p0);
 native V getReference();
 native void set(V p0, int p1);
}
class DoubleAccumulator extends java.util.concurrent.atomic.Striped64 implements java.io.Serializable {
 DoubleAccumulator(java.util.function.DoubleBinaryOperator p0, double p1) {}
 native double doubleValue();
 native double get();
 native double getThenReset();
 native float floatValue();
 native int intValue();
 native java.lang.String toString();
 native long longValue();
 native void accumulate(double p0);
 native void reset();
}
class DoubleAdder extends java.util.concurrent.atomic.Striped64 implements java.io.Serializable {
 DoubleAdder() {}
 native double doubleValue();
 native double sum();
 native double sumThenReset();
 native float floatValue();
 native int intValue();
 native java.lang.String toString();
 native long longValue();
 native void add(double p0);
 native void reset();
}
class LongAccumulator extends java.util.concurrent.atomic.Striped64 implements java.io.Serializable {
 LongAccumulator(java.util.function.LongBinaryOperator p0, long p1) {}
 native double doubleValue();
 native float floatValue();
 native int intValue();
 native java.lang.String toString();
 native long get();
 native long getThenReset();
 native long longValue();
 native void accumulate(long p0);
 native void reset();
}
class LongAdder extends java.util.concurrent.atomic.Striped64 implements java.io.Serializable {
 LongAdder() {}
 native double doubleValue();
 native float floatValue();
 native int intValue();
 native java.lang.String toString();
 native long longValue();
 native long sum();
 native long sumThenReset();
 native void add(long p0);
 native void decrement();
 native void increment();
 native void reset();
}
