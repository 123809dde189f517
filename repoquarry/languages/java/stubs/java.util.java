package java.util;
abstract class AbstractCollection<E>  implements java.util.Collection<E> {
 AbstractCollection() {}
 abstract int size();
 abstract java.util.Iterator<E> iterator();
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean containsAll(java.util.Collection<?> p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native void clear();
}
abstract class AbstractList<E>  extends java.util.AbstractCollection<E> implements java.util.List<E> {
 int modCount;
 AbstractList() {}
 native void removeRange(int p0, int p1);
 abstract E get(int p0);
 native boolean add(E p0);
 native boolean addAll(int p0, java.util.Collection<? extends E> p1);
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native int indexOf(java.lang.Object p0);
 native int lastIndexOf(java.lang.Object p0);
 native E remove(int p0);
 native E set(int p0, E p1);
 native java.util.Iterator<E> iterator();
 native java.util.List<E> subList(int p0, int p1);
 native java.util.ListIterator<E> listIterator();
 native java.util.ListIterator<E> listIterator(int p0);
 native void add(int p0, E p1);
 native void clear();
}
abstract class AbstractMap<K, V>  implements java.util.Map<K, V> {
 AbstractMap() {}
 native java.lang.Object clone();
 abstract java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native int hashCode();
 native int size();
 native V get(java.lang.Object p0);
 native V put(K p0, V p1);
 native V remove(java.lang.Object p0);
 native java.lang.String toString();
 native java.util.Collection<V> values();
 native java.util.Set<K> keySet();
 native void clear();
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 static class SimpleEntry<K, V>  implements java.util.Map.Entry<K, V>, java.io.Serializable {
  SimpleEntry(K p0, V p1) {}
  SimpleEntry(java.util.Map.Entry<? extends K, ? extends V> p0) {}
  native boolean equals(java.lang.Object p0);
  native int hashCode();
  native K getKey();
  native V getValue();
  native V setValue(V p0);
  native java.lang.String toString();
 }
 static class SimpleImmutableEntry<K, V>  implements java.util.Map.Entry<K, V>, java.io.Serializable {
  SimpleImmutableEntry(K p0, V p1) {}
  SimpleImmutableEntry(java.util.Map.Entry<? extends K, ? extends V> p0) {}
  native boolean equals(java.lang.Object p0);
  native int hashCode();
  native K getKey();
  native V getValue();
  native V setValue(V p0);
  native java.lang.String toString();
 }
}
abstract class AbstractQueue<E>  extends java.util.AbstractCollection<E> implements java.util.Queue<E> {
 AbstractQueue() {}
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native E element();
 native E remove();
 native void clear();
}
abstract class AbstractSequentialList<E>  extends java.util.AbstractList<E> {
 AbstractSequentialList() {}
 abstract java.util.ListIterator<E> listIterator(int p0);
 native boolean addAll(int p0, java.util.Collection<? extends E> p1);
 native E get(int p0);
 native E remove(int p0);
 native E set(int p0, E p1);
 native java.util.Iterator<E> iterator();
 native void add(int p0, E p1);
}
abstract class AbstractSet<E>  extends java.util.AbstractCollection<E> implements java.util.Set<E> {
 AbstractSet() {}
 native boolean equals(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native int hashCode();
}
class ArrayDeque<E>  extends java.util.AbstractCollection<E> implements java.util.Deque<E>, java.lang.Cloneable, java.io.Serializable {
 ArrayDeque() {}
 ArrayDeque(int p0) {}
 ArrayDeque(java.util.Collection<? extends E> p0) {}
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
 native java.util.ArrayDeque<E> clone();
 native java.util.Iterator<E> descendingIterator();
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void addFirst(E p0);
 native void addLast(E p0);
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void push(E p0);
}
class ArrayList<E>  extends java.util.AbstractList<E> implements java.util.List<E>, java.util.RandomAccess, java.lang.Cloneable, java.io.Serializable {
 ArrayList() {}
 ArrayList(int p0) {}
 ArrayList(java.util.Collection<? extends E> p0) {}
 native void removeRange(int p0, int p1);
 native boolean add(E p0);
 native boolean addAll(int p0, java.util.Collection<? extends E> p1);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int hashCode();
 native int indexOf(java.lang.Object p0);
 native int lastIndexOf(java.lang.Object p0);
 native int size();
 native java.lang.Object clone();
 native E get(int p0);
 native E remove(int p0);
 native E set(int p0, E p1);
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.util.Iterator<E> iterator();
 native java.util.List<E> subList(int p0, int p1);
 native java.util.ListIterator<E> listIterator();
 native java.util.ListIterator<E> listIterator(int p0);
 native java.util.Spliterator<E> spliterator();
 native void add(int p0, E p1);
 native void clear();
 native void ensureCapacity(int p0);
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void replaceAll(java.util.function.UnaryOperator<E> p0);
 native void sort(java.util.Comparator<? super E> p0);
 native void trimToSize();
}
class Arrays {
 static native boolean deepEquals(java.lang.Object[] p0, java.lang.Object[] p1);
 static native boolean equals(boolean[] p0, boolean[] p1);
 static native boolean equals(boolean[] p0, int p1, int p2, boolean[] p3, int p4, int p5);
 static native boolean equals(byte[] p0, byte[] p1);
 static native boolean equals(byte[] p0, int p1, int p2, byte[] p3, int p4, int p5);
 static native boolean equals(char[] p0, char[] p1);
 static native boolean equals(char[] p0, int p1, int p2, char[] p3, int p4, int p5);
 static native boolean equals(double[] p0, double[] p1);
 static native boolean equals(double[] p0, int p1, int p2, double[] p3, int p4, int p5);
 static native boolean equals(float[] p0, float[] p1);
 static native boolean equals(float[] p0, int p1, int p2, float[] p3, int p4, int p5);
 static native boolean equals(int[] p0, int p1, int p2, int[] p3, int p4, int p5);
 static native boolean equals(int[] p0, int[] p1);
 static native boolean equals(java.lang.Object[] p0, int p1, int p2, java.lang.Object[] p3, int p4, int p5);
 static native <T> boolean equals(T[] p0, int p1, int p2, T[] p3, int p4, int p5, java.util.Comparator<? super T> p6);
 static native boolean equals(java.lang.Object[] p0, java.lang.Object[] p1);
 static native <T> boolean equals(T[] p0, T[] p1, java.util.Comparator<? super T> p2);
 static native boolean equals(long[] p0, int p1, int p2, long[] p3, int p4, int p5);
 static native boolean equals(long[] p0, long[] p1);
 static native boolean equals(short[] p0, int p1, int p2, short[] p3, int p4, int p5);
 static native boolean equals(short[] p0, short[] p1);
 static native boolean[] copyOf(boolean[] p0, int p1);
 static native boolean[] copyOfRange(boolean[] p0, int p1, int p2);
 static native byte[] copyOf(byte[] p0, int p1);
 static native byte[] copyOfRange(byte[] p0, int p1, int p2);
 static native char[] copyOf(char[] p0, int p1);
 static native char[] copyOfRange(char[] p0, int p1, int p2);
 static native double[] copyOf(double[] p0, int p1);
 static native double[] copyOfRange(double[] p0, int p1, int p2);
 static native float[] copyOf(float[] p0, int p1);
 static native float[] copyOfRange(float[] p0, int p1, int p2);
 static native int binarySearch(byte[] p0, byte p1);
 static native int binarySearch(byte[] p0, int p1, int p2, byte p3);
 static native int binarySearch(char[] p0, char p1);
 static native int binarySearch(char[] p0, int p1, int p2, char p3);
 static native int binarySearch(double[] p0, double p1);
 static native int binarySearch(double[] p0, int p1, int p2, double p3);
 static native int binarySearch(float[] p0, float p1);
 static native int binarySearch(float[] p0, int p1, int p2, float p3);
 static native int binarySearch(int[] p0, int p1);
 static native int binarySearch(int[] p0, int p1, int p2, int p3);
 static native int binarySearch(java.lang.Object[] p0, int p1, int p2, java.lang.Object p3);
 static native <T> int binarySearch(T[] p0, int p1, int p2, T p3, java.util.Comparator<? super T> p4);
 static native int binarySearch(java.lang.Object[] p0, java.lang.Object p1);
 static native <T> int binarySearch(T[] p0, T p1, java.util.Comparator<? super T> p2);
 static native int binarySearch(long[] p0, int p1, int p2, long p3);
 static native int binarySearch(long[] p0, long p1);
 static native int binarySearch(short[] p0, int p1, int p2, short p3);
 static native int binarySearch(short[] p0, short p1);
 static native int compare(boolean[] p0, boolean[] p1);
 static native int compare(boolean[] p0, int p1, int p2, boolean[] p3, int p4, int p5);
 static native int compare(byte[] p0, byte[] p1);
 static native int compare(byte[] p0, int p1, int p2, byte[] p3, int p4, int p5);
 static native int compare(char[] p0, char[] p1);
 static native int compare(char[] p0, int p1, int p2, char[] p3, int p4, int p5);
 static native int compare(double[] p0, double[] p1);
 static native int compare(double[] p0, int p1, int p2, double[] p3, int p4, int p5);
 static native int compare(float[] p0, float[] p1);
 static native int compare(float[] p0, int p1, int p2, float[] p3, int p4, int p5);
 static native int compare(int[] p0, int p1, int p2, int[] p3, int p4, int p5);
 static native int compare(int[] p0, int[] p1);
 static native <T extends java.lang.Comparable<? super T>> int compare(T[] p0, int p1, int p2, T[] p3, int p4, int p5);
 static native <T extends java.lang.Comparable<? super T>> int compare(T[] p0, T[] p1);
 static native <T> int compare(T[] p0, int p1, int p2, T[] p3, int p4, int p5, java.util.Comparator<? super T> p6);
 static native <T> int compare(T[] p0, T[] p1, java.util.Comparator<? super T> p2);
 static native int compare(long[] p0, int p1, int p2, long[] p3, int p4, int p5);
 static native int compare(long[] p0, long[] p1);
 static native int compare(short[] p0, int p1, int p2, short[] p3, int p4, int p5);
 static native int compare(short[] p0, short[] p1);
 static native int compareUnsigned(byte[] p0, byte[] p1);
 static native int compareUnsigned(byte[] p0, int p1, int p2, byte[] p3, int p4, int p5);
 static native int compareUnsigned(int[] p0, int p1, int p2, int[] p3, int p4, int p5);
 static native int compareUnsigned(int[] p0, int[] p1);
 static native int compareUnsigned(long[] p0, int p1, int p2, long[] p3, int p4, int p5);
 static native int compareUnsigned(long[] p0, long[] p1);
 static native int compareUnsigned(short[] p0, int p1, int p2, short[] p3, int p4, int p5);
 static native int compareUnsigned(short[] p0, short[] p1);
 static native int deepHashCode(java.lang.Object[] p0);
 static native int hashCode(boolean[] p0);
 static native int hashCode(byte[] p0);
 static native int hashCode(char[] p0);
 static native int hashCode(double[] p0);
 static native int hashCode(float[] p0);
 static native int hashCode(int[] p0);
 static native int hashCode(java.lang.Object[] p0);
 static native int hashCode(long[] p0);
 static native int hashCode(short[] p0);
 static native int mismatch(boolean[] p0, boolean[] p1);
 static native int mismatch(boolean[] p0, int p1, int p2, boolean[] p3, int p4, int p5);
 static native int mismatch(byte[] p0, byte[] p1);
 static native int mismatch(byte[] p0, int p1, int p2, byte[] p3, int p4, int p5);
 static native int mismatch(char[] p0, char[] p1);
 static native int mismatch(char[] p0, int p1, int p2, char[] p3, int p4, int p5);
 static native int mismatch(double[] p0, double[] p1);
 static native int mismatch(double[] p0, int p1, int p2, double[] p3, int p4, int p5);
 static native int mismatch(float[] p0, float[] p1);
 static native int mismatch(float[] p0, int p1, int p2, float[] p3, int p4, int p5);
 static native int mismatch(int[] p0, int p1, int p2, int[] p3, int p4, int p5);
 static native int mismatch(int[] p0, int[] p1);
 static native int mismatch(java.lang.Object[] p0, int p1, int p2, java.lang.Object[] p3, int p4, int p5);
 static native <T> int mismatch(T[] p0, int p1, int p2, T[] p3, int p4, int p5, java.util.Comparator<? super T> p6);
 static native int mismatch(java.lang.Object[] p0, java.lang.Object[] p1);
 static native <T> int mismatch(T[] p0, T[] p1, java.util.Comparator<? super T> p2);
 static native int mismatch(long[] p0, int p1, int p2, long[] p3, int p4, int p5);
 static native int mismatch(long[] p0, long[] p1);
 static native int mismatch(short[] p0, int p1, int p2, short[] p3, int p4, int p5);
 static native int mismatch(short[] p0, short[] p1);
 static native int[] copyOf(int[] p0, int p1);
 static native int[] copyOfRange(int[] p0, int p1, int p2);
 static native <T> T[] copyOf(T[] p0, int p1);
 static native <T, U> T[] copyOf(U[] p0, int p1, java.lang.Class<? extends T[]> p2);
 static native <T> T[] copyOfRange(T[] p0, int p1, int p2);
 static native <T, U> T[] copyOfRange(U[] p0, int p1, int p2, java.lang.Class<? extends T[]> p3);
 static native java.lang.String deepToString(java.lang.Object[] p0);
 static native java.lang.String toString(boolean[] p0);
 static native java.lang.String toString(byte[] p0);
 static native java.lang.String toString(char[] p0);
 static native java.lang.String toString(double[] p0);
 static native java.lang.String toString(float[] p0);
 static native java.lang.String toString(int[] p0);
 static native java.lang.String toString(java.lang.Object[] p0);
 static native java.lang.String toString(long[] p0);
 static native java.lang.String toString(short[] p0);
 static native <T> java.util.List<T> asList(T... p0);
 static native <T> java.util.Spliterator<T> spliterator(T[] p0);
 static native <T> java.util.Spliterator<T> spliterator(T[] p0, int p1, int p2);
 static native java.util.Spliterator.OfDouble spliterator(double[] p0);
 static native java.util.Spliterator.OfDouble spliterator(double[] p0, int p1, int p2);
 static native java.util.Spliterator.OfInt spliterator(int[] p0);
 static native java.util.Spliterator.OfInt spliterator(int[] p0, int p1, int p2);
 static native java.util.Spliterator.OfLong spliterator(long[] p0);
 static native java.util.Spliterator.OfLong spliterator(long[] p0, int p1, int p2);
 static native java.util.stream.DoubleStream stream(double[] p0);
 static native java.util.stream.DoubleStream stream(double[] p0, int p1, int p2);
 static native java.util.stream.IntStream stream(int[] p0);
 static native java.util.stream.IntStream stream(int[] p0, int p1, int p2);
 static native java.util.stream.LongStream stream(long[] p0);
 static native java.util.stream.LongStream stream(long[] p0, int p1, int p2);
 static native <T> java.util.stream.Stream<T> stream(T[] p0);
 static native <T> java.util.stream.Stream<T> stream(T[] p0, int p1, int p2);
 static native long[] copyOf(long[] p0, int p1);
 static native long[] copyOfRange(long[] p0, int p1, int p2);
 static native short[] copyOf(short[] p0, int p1);
 static native short[] copyOfRange(short[] p0, int p1, int p2);
 static native void fill(boolean[] p0, boolean p1);
 static native void fill(boolean[] p0, int p1, int p2, boolean p3);
 static native void fill(byte[] p0, byte p1);
 static native void fill(byte[] p0, int p1, int p2, byte p3);
 static native void fill(char[] p0, char p1);
 static native void fill(char[] p0, int p1, int p2, char p3);
 static native void fill(double[] p0, double p1);
 static native void fill(double[] p0, int p1, int p2, double p3);
 static native void fill(float[] p0, float p1);
 static native void fill(float[] p0, int p1, int p2, float p3);
 static native void fill(int[] p0, int p1);
 static native void fill(int[] p0, int p1, int p2, int p3);
 static native void fill(java.lang.Object[] p0, int p1, int p2, java.lang.Object p3);
 static native void fill(java.lang.Object[] p0, java.lang.Object p1);
 static native void fill(long[] p0, int p1, int p2, long p3);
 static native void fill(long[] p0, long p1);
 static native void fill(short[] p0, int p1, int p2, short p3);
 static native void fill(short[] p0, short p1);
 static native void parallelPrefix(double[] p0, int p1, int p2, java.util.function.DoubleBinaryOperator p3);
 static native void parallelPrefix(double[] p0, java.util.function.DoubleBinaryOperator p1);
 static native void parallelPrefix(int[] p0, int p1, int p2, java.util.function.IntBinaryOperator p3);
 static native void parallelPrefix(int[] p0, java.util.function.IntBinaryOperator p1);
 static native <T> void parallelPrefix(T[] p0, int p1, int p2, java.util.function.BinaryOperator<T> p3);
 static native <T> void parallelPrefix(T[] p0, java.util.function.BinaryOperator<T> p1);
 static native void parallelPrefix(long[] p0, int p1, int p2, java.util.function.LongBinaryOperator p3);
 static native void parallelPrefix(long[] p0, java.util.function.LongBinaryOperator p1);
 static native void parallelSetAll(double[] p0, java.util.function.IntToDoubleFunction p1);
 static native void parallelSetAll(int[] p0, java.util.function.IntUnaryOperator p1);
 static native <T> void parallelSetAll(T[] p0, java.util.function.IntFunction<? extends T> p1);
 static native void parallelSetAll(long[] p0, java.util.function.IntToLongFunction p1);
 static native void parallelSort(byte[] p0);
 static native void parallelSort(byte[] p0, int p1, int p2);
 static native void parallelSort(char[] p0);
 static native void parallelSort(char[] p0, int p1, int p2);
 static native void parallelSort(double[] p0);
 static native void parallelSort(double[] p0, int p1, int p2);
 static native void parallelSort(float[] p0);
 static native void parallelSort(float[] p0, int p1, int p2);
 static native void parallelSort(int[] p0);
 static native void parallelSort(int[] p0, int p1, int p2);
 static native <T extends java.lang.Comparable<? super T>> void parallelSort(T[] p0);
 static native <T extends java.lang.Comparable<? super T>> void parallelSort(T[] p0, int p1, int p2);
 static native <T> void parallelSort(T[] p0, int p1, int p2, java.util.Comparator<? super T> p3);
 static native <T> void parallelSort(T[] p0, java.util.Comparator<? super T> p1);
 static native void parallelSort(long[] p0);
 static native void parallelSort(long[] p0, int p1, int p2);
 static native void parallelSort(short[] p0);
 static native void parallelSort(short[] p0, int p1, int p2);
 static native void setAll(double[] p0, java.util.function.IntToDoubleFunction p1);
 static native void setAll(int[] p0, java.util.function.IntUnaryOperator p1);
 static native <T> void setAll(T[] p0, java.util.function.IntFunction<? extends T> p1);
 static native void setAll(long[] p0, java.util.function.IntToLongFunction p1);
 static native void sort(byte[] p0);
 static native void sort(byte[] p0, int p1, int p2);
 static native void sort(char[] p0);
 static native void sort(char[] p0, int p1, int p2);
 static native void sort(double[] p0);
 static native void sort(double[] p0, int p1, int p2);
 static native void sort(float[] p0);
 static native void sort(float[] p0, int p1, int p2);
 static native void sort(int[] p0);
 static native void sort(int[] p0, int p1, int p2);
 static native void sort(java.lang.Object[] p0);
 static native void sort(java.lang.Object[] p0, int p1, int p2);
 static native <T> void sort(T[] p0, int p1, int p2, java.util.Comparator<? super T> p3);
 static native <T> void sort(T[] p0, java.util.Comparator<? super T> p1);
 static native void sort(long[] p0);
 static native void sort(long[] p0, int p1, int p2);
 static native void sort(short[] p0);
 static native void sort(short[] p0, int p1, int p2);
}
class Base64 {
 static native java.util.Base64.Decoder getDecoder();
 static native java.util.Base64.Decoder getMimeDecoder();
 static native java.util.Base64.Decoder getUrlDecoder();
 static native java.util.Base64.Encoder getEncoder();
 static native java.util.Base64.Encoder getMimeEncoder();
 static native java.util.Base64.Encoder getMimeEncoder(int p0, byte[] p1);
 static native java.util.Base64.Encoder getUrlEncoder();
 static class Decoder {
  native byte[] decode(byte[] p0);
  native byte[] decode(java.lang.String p0);
  native int decode(byte[] p0, byte[] p1);
  native java.io.InputStream wrap(java.io.InputStream p0);
  native java.nio.ByteBuffer decode(java.nio.ByteBuffer p0);
 }
 static class Encoder {
  native byte[] encode(byte[] p0);
  native int encode(byte[] p0, byte[] p1);
  native java.io.OutputStream wrap(java.io.OutputStream p0);
  native java.lang.String encodeToString(byte[] p0);
  native java.nio.ByteBuffer encode(java.nio.ByteBuffer p0);
  native java.util.Base64.Encoder withoutPadding();
 }
}
class BitSet implements java.lang.Cloneable, java.io.Serializable {
 BitSet() {}
 BitSet(int p0) {}
 native boolean equals(java.lang.Object p0);
 native boolean get(int p0);
 native boolean intersects(java.util.BitSet p0);
 native boolean isEmpty();
 native byte[] toByteArray();
 native int cardinality();
 native int hashCode();
 native int length();
 native int nextClearBit(int p0);
 native int nextSetBit(int p0);
 native int previousClearBit(int p0);
 native int previousSetBit(int p0);
 native int size();
 native java.lang.Object clone();
 native java.lang.String toString();
 native java.util.BitSet get(int p0, int p1);
 native java.util.stream.IntStream stream();
 native long[] toLongArray();
 static native java.util.BitSet valueOf(byte[] p0);
 static native java.util.BitSet valueOf(java.nio.ByteBuffer p0);
 static native java.util.BitSet valueOf(java.nio.LongBuffer p0);
 static native java.util.BitSet valueOf(long[] p0);
 native void and(java.util.BitSet p0);
 native void andNot(java.util.BitSet p0);
 native void clear();
 native void clear(int p0);
 native void clear(int p0, int p1);
 native void flip(int p0);
 native void flip(int p0, int p1);
 native void or(java.util.BitSet p0);
 native void set(int p0);
 native void set(int p0, boolean p1);
 native void set(int p0, int p1);
 native void set(int p0, int p1, boolean p2);
 native void xor(java.util.BitSet p0);
}
abstract class Calendar implements java.io.Serializable, java.lang.Cloneable, java.lang.Comparable<java.util.Calendar> {
 boolean areFieldsSet;
 boolean isTimeSet;
 boolean[] isSet;
 int[] fields;
 long time;
 static int ALL_STYLES;
 static int AM;
 static int AM_PM;
 static int APRIL;
 static int AUGUST;
 static int DATE;
 static int DAY_OF_MONTH;
 static int DAY_OF_WEEK;
 static int DAY_OF_WEEK_IN_MONTH;
 static int DAY_OF_YEAR;
 static int DECEMBER;
 static int DST_OFFSET;
 static int ERA;
 static int FEBRUARY;
 static int FIELD_COUNT;
 static int FRIDAY;
 static int HOUR;
 static int HOUR_OF_DAY;
 static int JANUARY;
 static int JULY;
 static int JUNE;
 static int LONG;
 static int LONG_FORMAT;
 static int LONG_STANDALONE;
 static int MARCH;
 static int MAY;
 static int MILLISECOND;
 static int MINUTE;
 static int MONDAY;
 static int MONTH;
 static int NARROW_FORMAT;
 static int NARROW_STANDALONE;
 static int NOVEMBER;
 static int OCTOBER;
 static int PM;
 static int SATURDAY;
 static int SECOND;
 static int SEPTEMBER;
 static int SHORT;
 static int SHORT_FORMAT;
 static int SHORT_STANDALONE;
 static int SUNDAY;
 static int THURSDAY;
 static int TUESDAY;
 static int UNDECIMBER;
 static int WEDNESDAY;
 static int WEEK_OF_MONTH;
 static int WEEK_OF_YEAR;
 static int YEAR;
 static int ZONE_OFFSET;
 Calendar() {}
 Calendar(java.util.TimeZone p0, java.util.Locale p1) {}
 abstract void computeFields();
 abstract void computeTime();
 native final int internalGet(int p0);
 native void complete();
 abstract int getGreatestMinimum(int p0);
 abstract int getLeastMaximum(int p0);
 abstract int getMaximum(int p0);
 abstract int getMinimum(int p0);
 abstract void add(int p0, int p1);
 abstract void roll(int p0, boolean p1);
 native boolean after(java.lang.Object p0);
 native boolean before(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isLenient();
 native boolean isWeekDateSupported();
 native final boolean isSet(int p0);
 native final java.time.Instant toInstant();
 native final java.util.Date getTime();
 native final void clear();
 native final void clear(int p0);
 native final void set(int p0, int p1, int p2);
 native final void set(int p0, int p1, int p2, int p3, int p4);
 native final void set(int p0, int p1, int p2, int p3, int p4, int p5);
 native final void setTime(java.util.Date p0);
 native int compareTo(java.util.Calendar p0);
 native int get(int p0);
 native int getActualMaximum(int p0);
 native int getActualMinimum(int p0);
 native int getFirstDayOfWeek();
 native int getMinimalDaysInFirstWeek();
 native int getWeekYear();
 native int getWeeksInWeekYear();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getCalendarType();
 native java.lang.String getDisplayName(int p0, int p1, java.util.Locale p2);
 native java.lang.String toString();
 native java.util.Map<java.lang.String, java.lang.Integer> getDisplayNames(int p0, int p1, java.util.Locale p2);
 native java.util.TimeZone getTimeZone();
 native long getTimeInMillis();
 static native java.util.Calendar getInstance();
 static native java.util.Calendar getInstance(java.util.Locale p0);
 static native java.util.Calendar getInstance(java.util.TimeZone p0);
 static native java.util.Calendar getInstance(java.util.TimeZone p0, java.util.Locale p1);
 static native java.util.Set<java.lang.String> getAvailableCalendarTypes();
 static native java.util.Locale[] getAvailableLocales();
 native void roll(int p0, int p1);
 native void set(int p0, int p1);
 native void setFirstDayOfWeek(int p0);
 native void setLenient(boolean p0);
 native void setMinimalDaysInFirstWeek(int p0);
 native void setTimeInMillis(long p0);
 native void setTimeZone(java.util.TimeZone p0);
 native void setWeekDate(int p0, int p1, int p2);
 static class Builder {
  Builder() {}
  native java.util.Calendar build();
  native java.util.Calendar.Builder set(int p0, int p1);
  native java.util.Calendar.Builder setCalendarType(java.lang.String p0);
  native java.util.Calendar.Builder setDate(int p0, int p1, int p2);
  native java.util.Calendar.Builder setFields(int... p0);
  native java.util.Calendar.Builder setInstant(java.util.Date p0);
  native java.util.Calendar.Builder setInstant(long p0);
  native java.util.Calendar.Builder setLenient(boolean p0);
  native java.util.Calendar.Builder setLocale(java.util.Locale p0);
  native java.util.Calendar.Builder setTimeOfDay(int p0, int p1, int p2);
  native java.util.Calendar.Builder setTimeOfDay(int p0, int p1, int p2, int p3);
  native java.util.Calendar.Builder setTimeZone(java.util.TimeZone p0);
  native java.util.Calendar.Builder setWeekDate(int p0, int p1, int p2);
  native java.util.Calendar.Builder setWeekDefinition(int p0, int p1);
 }
}
interface Collection<E>  extends java.lang.Iterable<E> {
 boolean add(E p0);
 boolean addAll(java.util.Collection<? extends E> p0);
 boolean contains(java.lang.Object p0);
 boolean containsAll(java.util.Collection<?> p0);
 boolean equals(java.lang.Object p0);
 boolean isEmpty();
 boolean remove(java.lang.Object p0);
 boolean removeAll(java.util.Collection<?> p0);
 boolean retainAll(java.util.Collection<?> p0);
 int hashCode();
 int size();
 java.lang.Object[] toArray();
 <T> T[] toArray(T[] p0);
 java.util.Iterator<E> iterator();
 void clear();
 default boolean removeIf(java.util.function.Predicate<? super E> p0) {}
 default <T> T[] toArray(java.util.function.IntFunction<T[]> p0) {}
 default java.util.Spliterator<E> spliterator() {}
 default java.util.stream.Stream<E> parallelStream() {}
 default java.util.stream.Stream<E> stream() {}
}
class Collections {
 static java.util.List EMPTY_LIST;
 static java.util.Map EMPTY_MAP;
 static java.util.Set EMPTY_SET;
 static native <T> boolean addAll(java.util.Collection<? super T> p0, T... p1);
 static native boolean disjoint(java.util.Collection<?> p0, java.util.Collection<?> p1);
 static native <T> boolean replaceAll(java.util.List<T> p0, T p1, T p2);
 static native final <T> java.util.List<T> emptyList();
 static native final <K, V> java.util.Map<K, V> emptyMap();
 static native final <K, V> java.util.NavigableMap<K, V> emptyNavigableMap();
 static native final <T> java.util.Set<T> emptySet();
 static native final <K, V> java.util.SortedMap<K, V> emptySortedMap();
 static native <T> int binarySearch(java.util.List<? extends java.lang.Comparable<? super T>> p0, T p1);
 static native <T> int binarySearch(java.util.List<? extends T> p0, T p1, java.util.Comparator<? super T> p2);
 static native int frequency(java.util.Collection<?> p0, java.lang.Object p1);
 static native int indexOfSubList(java.util.List<?> p0, java.util.List<?> p1);
 static native int lastIndexOfSubList(java.util.List<?> p0, java.util.List<?> p1);
 static native <T extends java.lang.Comparable<? super T>> T max(java.util.Collection<? extends T> p0);
 static native <T> T max(java.util.Collection<? extends T> p0, java.util.Comparator<? super T> p1);
 static native <T extends java.lang.Comparable<? super T>> T min(java.util.Collection<? extends T> p0);
 static native <T> T min(java.util.Collection<? extends T> p0, java.util.Comparator<? super T> p1);
 static native <T> java.util.ArrayList<T> list(java.util.Enumeration<T> p0);
 static native <E> java.util.Collection<E> checkedCollection(java.util.Collection<E> p0, java.lang.Class<E> p1);
 static native <T> java.util.Collection<T> synchronizedCollection(java.util.Collection<T> p0);
 static native <T> java.util.Collection<T> unmodifiableCollection(java.util.Collection<? extends T> p0);
 static native <T> java.util.Comparator<T> reverseOrder();
 static native <T> java.util.Comparator<T> reverseOrder(java.util.Comparator<T> p0);
 static native <T> java.util.Enumeration<T> emptyEnumeration();
 static native <T> java.util.Enumeration<T> enumeration(java.util.Collection<T> p0);
 static native <T> java.util.Iterator<T> emptyIterator();
 static native <E> java.util.List<E> checkedList(java.util.List<E> p0, java.lang.Class<E> p1);
 static native <T> java.util.List<T> nCopies(int p0, T p1);
 static native <T> java.util.List<T> singletonList(T p0);
 static native <T> java.util.List<T> synchronizedList(java.util.List<T> p0);
 static native <T> java.util.List<T> unmodifiableList(java.util.List<? extends T> p0);
 static native <T> java.util.ListIterator<T> emptyListIterator();
 static native <K, V> java.util.Map<K, V> checkedMap(java.util.Map<K, V> p0, java.lang.Class<K> p1, java.lang.Class<V> p2);
 static native <K, V> java.util.Map<K, V> singletonMap(K p0, V p1);
 static native <K, V> java.util.Map<K, V> synchronizedMap(java.util.Map<K, V> p0);
 static native <K, V> java.util.Map<K, V> unmodifiableMap(java.util.Map<? extends K, ? extends V> p0);
 static native <K, V> java.util.NavigableMap<K, V> checkedNavigableMap(java.util.NavigableMap<K, V> p0, java.lang.Class<K> p1, java.lang.Class<V> p2);
 static native <K, V> java.util.NavigableMap<K, V> synchronizedNavigableMap(java.util.NavigableMap<K, V> p0);
 static native <K, V> java.util.NavigableMap<K, V> unmodifiableNavigableMap(java.util.NavigableMap<K, ? extends V> p0);
 static native <E> java.util.NavigableSet<E> checkedNavigableSet(java.util.NavigableSet<E> p0, java.lang.Class<E> p1);
 static native <E> java.util.NavigableSet<E> emptyNavigableSet();
 static native <T> java.util.NavigableSet<T> synchronizedNavigableSet(java.util.NavigableSet<T> p0);
 static native <T> java.util.NavigableSet<T> unmodifiableNavigableSet(java.util.NavigableSet<T> p0);
 static native <T> java.util.Queue<T> asLifoQueue(java.util.Deque<T> p0);
 static native <E> java.util.Queue<E> checkedQueue(java.util.Queue<E> p0, java.lang.Class<E> p1);
 static native <E> java.util.Set<E> checkedSet(java.util.Set<E> p0, java.lang.Class<E> p1);
 static native <E> java.util.Set<E> newSetFromMap(java.util.Map<E, java.lang.Boolean> p0);
 static native <T> java.util.Set<T> singleton(T p0);
 static native <T> java.util.Set<T> synchronizedSet(java.util.Set<T> p0);
 static native <T> java.util.Set<T> unmodifiableSet(java.util.Set<? extends T> p0);
 static native <K, V> java.util.SortedMap<K, V> checkedSortedMap(java.util.SortedMap<K, V> p0, java.lang.Class<K> p1, java.lang.Class<V> p2);
 static native <K, V> java.util.SortedMap<K, V> synchronizedSortedMap(java.util.SortedMap<K, V> p0);
 static native <K, V> java.util.SortedMap<K, V> unmodifiableSortedMap(java.util.SortedMap<K, ? extends V> p0);
 static native <E> java.util.SortedSet<E> checkedSortedSet(java.util.SortedSet<E> p0, java.lang.Class<E> p1);
 static native <E> java.util.SortedSet<E> emptySortedSet();
 static native <T> java.util.SortedSet<T> synchronizedSortedSet(java.util.SortedSet<T> p0);
 static native <T> java.util.SortedSet<T> unmodifiableSortedSet(java.util.SortedSet<T> p0);
 static native <T> void copy(java.util.List<? super T> p0, java.util.List<? extends T> p1);
 static native <T> void fill(java.util.List<? super T> p0, T p1);
 static native void reverse(java.util.List<?> p0);
 static native void rotate(java.util.List<?> p0, int p1);
 static native void shuffle(java.util.List<?> p0);
 static native void shuffle(java.util.List<?> p0, java.util.Random p1);
 static native <T extends java.lang.Comparable<? super T>> void sort(java.util.List<T> p0);
 static native <T> void sort(java.util.List<T> p0, java.util.Comparator<? super T> p1);
 static native void swap(java.util.List<?> p0, int p1, int p2);
}
interface Comparator<T>  {
 boolean equals(java.lang.Object p0);
 int compare(T p0, T p1);
 default java.util.Comparator<T> reversed() {}
 default java.util.Comparator<T> thenComparing(java.util.Comparator<? super T> p0) {}
 default <U extends java.lang.Comparable<? super U>> java.util.Comparator<T> thenComparing(java.util.function.Function<? super T, ? extends U> p0) {}
 default <U> java.util.Comparator<T> thenComparing(java.util.function.Function<? super T, ? extends U> p0, java.util.Comparator<? super U> p1) {}
 default java.util.Comparator<T> thenComparingDouble(java.util.function.ToDoubleFunction<? super T> p0) {}
 default java.util.Comparator<T> thenComparingInt(java.util.function.ToIntFunction<? super T> p0) {}
 default java.util.Comparator<T> thenComparingLong(java.util.function.ToLongFunction<? super T> p0) {}
 static <T, U extends java.lang.Comparable<? super U>> java.util.Comparator<T> comparing(java.util.function.Function<? super T, ? extends U> p0) {}
 static <T, U> java.util.Comparator<T> comparing(java.util.function.Function<? super T, ? extends U> p0, java.util.Comparator<? super U> p1) {}
 static <T> java.util.Comparator<T> comparingDouble(java.util.function.ToDoubleFunction<? super T> p0) {}
 static <T> java.util.Comparator<T> comparingInt(java.util.function.ToIntFunction<? super T> p0) {}
 static <T> java.util.Comparator<T> comparingLong(java.util.function.ToLongFunction<? super T> p0) {}
 static <T extends java.lang.Comparable<? super T>> java.util.Comparator<T> naturalOrder() {}
 static <T> java.util.Comparator<T> nullsFirst(java.util.Comparator<? super T> p0) {}
 static <T> java.util.Comparator<T> nullsLast(java.util.Comparator<? super T> p0) {}
 static <T extends java.lang.Comparable<? super T>> java.util.Comparator<T> reverseOrder() {}
}
class ConcurrentModificationException extends java.lang.RuntimeException {
 ConcurrentModificationException() {}
 ConcurrentModificationException(java.lang.String p0) {}
 ConcurrentModificationException(java.lang.String p0, java.lang.Throwable p1) {}
 ConcurrentModificationException(java.lang.Throwable p0) {}
}
class Currency implements java.io.Serializable {
 native int getDefaultFractionDigits();
 native int getNumericCode();
 native java.lang.String getCurrencyCode();
 native java.lang.String getDisplayName();
 native java.lang.String getDisplayName(java.util.Locale p0);
 native java.lang.String getNumericCodeAsString();
 native java.lang.String getSymbol();
 native java.lang.String getSymbol(java.util.Locale p0);
 native java.lang.String toString();
 static native java.util.Currency getInstance(java.lang.String p0);
 static native java.util.Currency getInstance(java.util.Locale p0);
 static native java.util.Set<java.util.Currency> getAvailableCurrencies();
}
class Date implements java.io.Serializable, java.lang.Cloneable, java.lang.Comparable<java.util.Date> {
 Date() {}
 Date(int p0, int p1, int p2) {}
 Date(int p0, int p1, int p2, int p3, int p4) {}
 Date(int p0, int p1, int p2, int p3, int p4, int p5) {}
 Date(java.lang.String p0) {}
 Date(long p0) {}
 native boolean after(java.util.Date p0);
 native boolean before(java.util.Date p0);
 native boolean equals(java.lang.Object p0);
 native int compareTo(java.util.Date p0);
 native int getDate();
 native int getDay();
 native int getHours();
 native int getMinutes();
 native int getMonth();
 native int getSeconds();
 native int getTimezoneOffset();
 native int getYear();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String toGMTString();
 native java.lang.String toLocaleString();
 native java.lang.String toString();
 native java.time.Instant toInstant();
 native long getTime();
 static native java.util.Date from(java.time.Instant p0);
 static native long UTC(int p0, int p1, int p2, int p3, int p4, int p5);
 static native long parse(java.lang.String p0);
 native void setDate(int p0);
 native void setHours(int p0);
 native void setMinutes(int p0);
 native void setMonth(int p0);
 native void setSeconds(int p0);
 native void setTime(long p0);
 native void setYear(int p0);
}
interface Deque<E>  extends java.util.Queue<E> {
 boolean add(E p0);
 boolean addAll(java.util.Collection<? extends E> p0);
 boolean contains(java.lang.Object p0);
 boolean offer(E p0);
 boolean offerFirst(E p0);
 boolean offerLast(E p0);
 boolean remove(java.lang.Object p0);
 boolean removeFirstOccurrence(java.lang.Object p0);
 boolean removeLastOccurrence(java.lang.Object p0);
 int size();
 E element();
 E getFirst();
 E getLast();
 E peek();
 E peekFirst();
 E peekLast();
 E poll();
 E pollFirst();
 E pollLast();
 E pop();
 E remove();
 E removeFirst();
 E removeLast();
 java.util.Iterator<E> descendingIterator();
 java.util.Iterator<E> iterator();
 void addFirst(E p0);
 void addLast(E p0);
 void push(E p0);
}
abstract class Dictionary<K, V>  {
 Dictionary() {}
 abstract boolean isEmpty();
 abstract int size();
 abstract V get(java.lang.Object p0);
 abstract V put(K p0, V p1);
 abstract V remove(java.lang.Object p0);
 abstract java.util.Enumeration<V> elements();
 abstract java.util.Enumeration<K> keys();
}
class DoubleSummaryStatistics implements java.util.function.DoubleConsumer {
 DoubleSummaryStatistics() {}
 DoubleSummaryStatistics(long p0, double p1, double p2, double p3) {}
 native final double getAverage();
 native final double getMax();
 native final double getMin();
 native final double getSum();
 native final long getCount();
 native java.lang.String toString();
 native void accept(double p0);
 native void combine(java.util.DoubleSummaryStatistics p0);
}
class DuplicateFormatFlagsException extends java.util.IllegalFormatException {
 DuplicateFormatFlagsException(java.lang.String p0) {}
 native java.lang.String getFlags();
 native java.lang.String getMessage();
}
class EmptyStackException extends java.lang.RuntimeException {
 EmptyStackException() {}
}
class EnumMap<K extends java.lang.Enum<K>, V>  extends java.util.AbstractMap<K, V> implements java.io.Serializable, java.lang.Cloneable {
 EnumMap(java.lang.Class<K> p0) {}
 EnumMap(java.util.EnumMap<K, ? extends V> p0) {}
 EnumMap(java.util.Map<K, ? extends V> p0) {}
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native int size();
 native V get(java.lang.Object p0);
 native V put(K p0, V p1);
 native V remove(java.lang.Object p0);
 native java.util.Collection<V> values();
 native java.util.EnumMap<K, V> clone();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native void clear();
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
}
abstract class EnumSet<E extends java.lang.Enum<E>>  extends java.util.AbstractSet<E> implements java.lang.Cloneable, java.io.Serializable {
 native java.util.EnumSet<E> clone();
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> allOf(java.lang.Class<E> p0);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> complementOf(java.util.EnumSet<E> p0);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> copyOf(java.util.Collection<E> p0);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> copyOf(java.util.EnumSet<E> p0);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> noneOf(java.lang.Class<E> p0);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> of(E p0);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> of(E p0, E p1);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> of(E p0, E p1, E p2);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> of(E p0, E p1, E p2, E p3);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> of(E p0, E p1, E p2, E p3, E p4);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> of(E p0, E... p1);
 static native <E extends java.lang.Enum<E>> java.util.EnumSet<E> range(E p0, E p1);
}
interface Enumeration<E>  {
 boolean hasMoreElements();
 E nextElement();
 default java.util.Iterator<E> asIterator() {}
}
interface EventListener {
}
abstract class EventListenerProxy<T extends java.util.EventListener>  implements java.util.EventListener {
 EventListenerProxy(T p0) {}
 native T getListener();
}
class EventObject implements java.io.Serializable {
 java.lang.Object source;
 EventObject(java.lang.Object p0) {}
 native java.lang.Object getSource();
 native java.lang.String toString();
}
class FormatFlagsConversionMismatchException extends java.util.IllegalFormatException {
 FormatFlagsConversionMismatchException(java.lang.String p0, char p1) {}
 native char getConversion();
 native java.lang.String getFlags();
 native java.lang.String getMessage();
}
interface Formattable {
 void formatTo(java.util.Formatter p0, int p1, int p2, int p3);
}
class FormattableFlags {
 static int ALTERNATE;
 static int LEFT_JUSTIFY;
 static int UPPERCASE;
}
class Formatter implements java.io.Closeable, java.io.Flushable {
 Formatter() {}
 Formatter(java.io.File p0) {}
 Formatter(java.io.File p0, java.lang.String p1) {}
 Formatter(java.io.File p0, java.lang.String p1, java.util.Locale p2) {}
 Formatter(java.io.File p0, java.nio.charset.Charset p1, java.util.Locale p2) {}
 Formatter(java.io.OutputStream p0) {}
 Formatter(java.io.OutputStream p0, java.lang.String p1) {}
 Formatter(java.io.OutputStream p0, java.lang.String p1, java.util.Locale p2) {}
 Formatter(java.io.OutputStream p0, java.nio.charset.Charset p1, java.util.Locale p2) {}
 Formatter(java.io.PrintStream p0) {}
 Formatter(java.lang.Appendable p0) {}
 Formatter(java.lang.Appendable p0, java.util.Locale p1) {}
 Formatter(java.lang.String p0) {}
 Formatter(java.lang.String p0, java.lang.String p1) {}
 Formatter(java.lang.String p0, java.lang.String p1, java.util.Locale p2) {}
 Formatter(java.lang.String p0, java.nio.charset.Charset p1, java.util.Locale p2) {}
 Formatter(java.util.Locale p0) {}
 native java.io.IOException ioException();
 native java.lang.Appendable out();
 native java.lang.String toString();
 native java.util.Formatter format(java.lang.String p0, java.lang.Object... p1);
 native java.util.Formatter format(java.util.Locale p0, java.lang.String p1, java.lang.Object... p2);
 native java.util.Locale locale();
 native void close();
 native void flush();
 static enum BigDecimalLayoutForm {
  SCIENTIFIC, DECIMAL_FLOAT;
 }
}
class FormatterClosedException extends java.lang.IllegalStateException {
 FormatterClosedException() {}
}
class GregorianCalendar extends java.util.Calendar {
 static int AD;
 static int BC;
 GregorianCalendar() {}
 GregorianCalendar(int p0, int p1, int p2) {}
 GregorianCalendar(int p0, int p1, int p2, int p3, int p4) {}
 GregorianCalendar(int p0, int p1, int p2, int p3, int p4, int p5) {}
 GregorianCalendar(java.util.Locale p0) {}
 GregorianCalendar(java.util.TimeZone p0) {}
 GregorianCalendar(java.util.TimeZone p0, java.util.Locale p1) {}
 native void computeFields();
 native void computeTime();
 native boolean equals(java.lang.Object p0);
 native boolean isLeapYear(int p0);
 native final boolean isWeekDateSupported();
 native final java.util.Date getGregorianChange();
 native int getActualMaximum(int p0);
 native int getActualMinimum(int p0);
 native int getGreatestMinimum(int p0);
 native int getLeastMaximum(int p0);
 native int getMaximum(int p0);
 native int getMinimum(int p0);
 native int getWeekYear();
 native int getWeeksInWeekYear();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getCalendarType();
 native java.time.ZonedDateTime toZonedDateTime();
 native java.util.TimeZone getTimeZone();
 static native java.util.GregorianCalendar from(java.time.ZonedDateTime p0);
 native void add(int p0, int p1);
 native void roll(int p0, boolean p1);
 native void roll(int p0, int p1);
 native void setGregorianChange(java.util.Date p0);
 native void setTimeZone(java.util.TimeZone p0);
 native void setWeekDate(int p0, int p1, int p2);
}
class HashMap<K, V>  extends java.util.AbstractMap<K, V> implements java.util.Map<K, V>, java.lang.Cloneable, java.io.Serializable {
 HashMap() {}
 HashMap(int p0) {}
 HashMap(int p0, float p1) {}
 HashMap(java.util.Map<? extends K, ? extends V> p0) {}
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0, java.lang.Object p1);
 native boolean replace(K p0, V p1, V p2);
 native int size();
 native java.lang.Object clone();
 native V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1);
 native V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V get(java.lang.Object p0);
 native V getOrDefault(java.lang.Object p0, V p1);
 native V merge(K p0, V p1, java.util.function.BiFunction<? super V, ? super V, ? extends V> p2);
 native V put(K p0, V p1);
 native V putIfAbsent(K p0, V p1);
 native V remove(java.lang.Object p0);
 native V replace(K p0, V p1);
 native java.util.Collection<V> values();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
class HashSet<E>  extends java.util.AbstractSet<E> implements java.util.Set<E>, java.lang.Cloneable, java.io.Serializable {
 HashSet() {}
 HashSet(int p0) {}
 HashSet(int p0, float p1) {}
 HashSet(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native int size();
 native java.lang.Object clone();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.util.Iterator<E> iterator();
 native java.util.Spliterator<E> spliterator();
 native void clear();
}
class Hashtable<K, V>  extends java.util.Dictionary<K, V> implements java.util.Map<K, V>, java.lang.Cloneable, java.io.Serializable {
 Hashtable() {}
 Hashtable(int p0) {}
 Hashtable(int p0, float p1) {}
 Hashtable(java.util.Map<? extends K, ? extends V> p0) {}
 native void rehash();
 native boolean containsValue(java.lang.Object p0);
 native java.util.Collection<V> values();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native boolean contains(java.lang.Object p0);
 native boolean containsKey(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0, java.lang.Object p1);
 native boolean replace(K p0, V p1, V p2);
 native int hashCode();
 native int size();
 native java.lang.Object clone();
 native V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1);
 native V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V get(java.lang.Object p0);
 native V getOrDefault(java.lang.Object p0, V p1);
 native V merge(K p0, V p1, java.util.function.BiFunction<? super V, ? super V, ? extends V> p2);
 native V put(K p0, V p1);
 native V putIfAbsent(K p0, V p1);
 native V remove(java.lang.Object p0);
 native V replace(K p0, V p1);
 native java.lang.String toString();
 native java.util.Enumeration<V> elements();
 native java.util.Enumeration<K> keys();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
class HexFormat {
 native boolean equals(java.lang.Object p0);
 native boolean isUpperCase();
 native byte[] parseHex(char[] p0, int p1, int p2);
 native byte[] parseHex(java.lang.CharSequence p0);
 native byte[] parseHex(java.lang.CharSequence p0, int p1, int p2);
 native char toHighHexDigit(int p0);
 native char toLowHexDigit(int p0);
 native int hashCode();
 native <A extends java.lang.Appendable> A formatHex(A p0, byte[] p1);
 native <A extends java.lang.Appendable> A formatHex(A p0, byte[] p1, int p2, int p3);
 native <A extends java.lang.Appendable> A toHexDigits(A p0, byte p1);
 native java.lang.String delimiter();
 native java.lang.String formatHex(byte[] p0);
 native java.lang.String formatHex(byte[] p0, int p1, int p2);
 native java.lang.String prefix();
 native java.lang.String suffix();
 native java.lang.String toHexDigits(byte p0);
 native java.lang.String toHexDigits(char p0);
 native java.lang.String toHexDigits(int p0);
 native java.lang.String toHexDigits(long p0);
 native java.lang.String toHexDigits(long p0, int p1);
 native java.lang.String toHexDigits(short p0);
 native java.lang.String toString();
 native java.util.HexFormat withDelimiter(java.lang.String p0);
 native java.util.HexFormat withLowerCase();
 native java.util.HexFormat withPrefix(java.lang.String p0);
 native java.util.HexFormat withSuffix(java.lang.String p0);
 native java.util.HexFormat withUpperCase();
 static native boolean isHexDigit(int p0);
 static native int fromHexDigit(int p0);
 static native int fromHexDigits(java.lang.CharSequence p0);
 static native int fromHexDigits(java.lang.CharSequence p0, int p1, int p2);
 static native java.util.HexFormat of();
 static native java.util.HexFormat ofDelimiter(java.lang.String p0);
 static native long fromHexDigitsToLong(java.lang.CharSequence p0);
 static native long fromHexDigitsToLong(java.lang.CharSequence p0, int p1, int p2);
}
class IdentityHashMap<K, V>  extends java.util.AbstractMap<K, V> implements java.util.Map<K, V>, java.io.Serializable, java.lang.Cloneable {
 IdentityHashMap() {}
 IdentityHashMap(int p0) {}
 IdentityHashMap(java.util.Map<? extends K, ? extends V> p0) {}
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native int hashCode();
 native int size();
 native java.lang.Object clone();
 native V get(java.lang.Object p0);
 native V put(K p0, V p1);
 native V remove(java.lang.Object p0);
 native java.util.Collection<V> values();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
class IllegalFormatCodePointException extends java.util.IllegalFormatException {
 IllegalFormatCodePointException(int p0) {}
 native int getCodePoint();
 native java.lang.String getMessage();
}
class IllegalFormatConversionException extends java.util.IllegalFormatException {
 IllegalFormatConversionException(char p0, java.lang.Class<?> p1) {}
 native char getConversion();
 native java.lang.Class<?> getArgumentClass();
 native java.lang.String getMessage();
}
class IllegalFormatException extends java.lang.IllegalArgumentException {
}
class IllegalFormatFlagsException extends java.util.IllegalFormatException {
 IllegalFormatFlagsException(java.lang.String p0) {}
 native java.lang.String getFlags();
 native java.lang.String getMessage();
}
class IllegalFormatPrecisionException extends java.util.IllegalFormatException {
 IllegalFormatPrecisionException(int p0) {}
 native int getPrecision();
 native java.lang.String getMessage();
}
class IllegalFormatWidthException extends java.util.IllegalFormatException {
 IllegalFormatWidthException(int p0) {}
 native int getWidth();
 native java.lang.String getMessage();
}
class IllformedLocaleException extends java.lang.RuntimeException {
 IllformedLocaleException() {}
 IllformedLocaleException(java.lang.String p0) {}
 IllformedLocaleException(java.lang.String p0, int p1) {}
 native int getErrorIndex();
}
class InputMismatchException extends java.util.NoSuchElementException {
 InputMismatchException() {}
 InputMismatchException(java.lang.String p0) {}
}
class IntSummaryStatistics implements java.util.function.IntConsumer {
 IntSummaryStatistics() {}
 IntSummaryStatistics(long p0, int p1, int p2, long p3) {}
 native final double getAverage();
 native final int getMax();
 native final int getMin();
 native final long getCount();
 native final long getSum();
 native java.lang.String toString();
 native void accept(int p0);
 native void combine(java.util.IntSummaryStatistics p0);
}
class InvalidPropertiesFormatException extends java.io.IOException {
 InvalidPropertiesFormatException(java.lang.String p0) {}
 InvalidPropertiesFormatException(java.lang.Throwable p0) {}
}
interface Iterator<E>  {
 boolean hasNext();
 E next();
 default void forEachRemaining(java.util.function.Consumer<? super E> p0) {}
 default void remove() {}
}
class LinkedHashMap<K, V>  extends java.util.HashMap<K, V> implements java.util.Map<K, V> {
 LinkedHashMap() {}
 LinkedHashMap(int p0) {}
 LinkedHashMap(int p0, float p1) {}
 LinkedHashMap(int p0, float p1, boolean p2) {}
 LinkedHashMap(java.util.Map<? extends K, ? extends V> p0) {}
 native boolean removeEldestEntry(java.util.Map.Entry<K, V> p0);
 native boolean containsValue(java.lang.Object p0);
 native V get(java.lang.Object p0);
 native V getOrDefault(java.lang.Object p0, V p1);
 native java.util.Collection<V> values();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
class LinkedHashSet<E>  extends java.util.HashSet<E> implements java.util.Set<E>, java.lang.Cloneable, java.io.Serializable {
 LinkedHashSet() {}
 LinkedHashSet(int p0) {}
 LinkedHashSet(int p0, float p1) {}
 LinkedHashSet(java.util.Collection<? extends E> p0) {}
 native java.util.Spliterator<E> spliterator();
}
class LinkedList<E>  extends java.util.AbstractSequentialList<E> implements java.util.List<E>, java.util.Deque<E>, java.lang.Cloneable, java.io.Serializable {
 LinkedList() {}
 LinkedList(java.util.Collection<? extends E> p0) {}
 native boolean add(E p0);
 native boolean addAll(int p0, java.util.Collection<? extends E> p1);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean offer(E p0);
 native boolean offerFirst(E p0);
 native boolean offerLast(E p0);
 native boolean remove(java.lang.Object p0);
 native boolean removeFirstOccurrence(java.lang.Object p0);
 native boolean removeLastOccurrence(java.lang.Object p0);
 native int indexOf(java.lang.Object p0);
 native int lastIndexOf(java.lang.Object p0);
 native int size();
 native java.lang.Object clone();
 native E element();
 native E get(int p0);
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
 native E remove(int p0);
 native E removeFirst();
 native E removeLast();
 native E set(int p0, E p1);
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.util.Iterator<E> descendingIterator();
 native java.util.ListIterator<E> listIterator(int p0);
 native java.util.Spliterator<E> spliterator();
 native void add(int p0, E p1);
 native void addFirst(E p0);
 native void addLast(E p0);
 native void clear();
 native void push(E p0);
}
interface List<E>  extends java.util.Collection<E> {
 boolean add(E p0);
 boolean addAll(int p0, java.util.Collection<? extends E> p1);
 boolean addAll(java.util.Collection<? extends E> p0);
 boolean contains(java.lang.Object p0);
 boolean containsAll(java.util.Collection<?> p0);
 boolean equals(java.lang.Object p0);
 boolean isEmpty();
 boolean remove(java.lang.Object p0);
 boolean removeAll(java.util.Collection<?> p0);
 boolean retainAll(java.util.Collection<?> p0);
 int hashCode();
 int indexOf(java.lang.Object p0);
 int lastIndexOf(java.lang.Object p0);
 int size();
 E get(int p0);
 E remove(int p0);
 E set(int p0, E p1);
 java.lang.Object[] toArray();
 <T> T[] toArray(T[] p0);
 java.util.Iterator<E> iterator();
 java.util.List<E> subList(int p0, int p1);
 java.util.ListIterator<E> listIterator();
 java.util.ListIterator<E> listIterator(int p0);
 void add(int p0, E p1);
 void clear();
 default java.util.Spliterator<E> spliterator() {}
 default void replaceAll(java.util.function.UnaryOperator<E> p0) {}
 default void sort(java.util.Comparator<? super E> p0) {}
 static <E> java.util.List<E> copyOf(java.util.Collection<? extends E> p0) {}
 static <E> java.util.List<E> of() {}
 static <E> java.util.List<E> of(E p0) {}
 static <E> java.util.List<E> of(E p0, E p1) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3, E p4) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3, E p4, E p5) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6, E p7) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6, E p7, E p8) {}
 static <E> java.util.List<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6, E p7, E p8, E p9) {}
 static <E> java.util.List<E> of(E... p0) {}
}
interface ListIterator<E>  extends java.util.Iterator<E> {
 boolean hasNext();
 boolean hasPrevious();
 int nextIndex();
 int previousIndex();
 E next();
 E previous();
 void add(E p0);
 void remove();
 void set(E p0);
}
abstract class ListResourceBundle extends java.util.ResourceBundle {
 ListResourceBundle() {}
 abstract java.lang.Object[][] getContents();
 native java.util.Set<java.lang.String> handleKeySet();
 native final java.lang.Object handleGetObject(java.lang.String p0);
 native java.util.Enumeration<java.lang.String> getKeys();
}
class Locale implements java.lang.Cloneable, java.io.Serializable {
 static char PRIVATE_USE_EXTENSION;
 static char UNICODE_LOCALE_EXTENSION;
 static java.util.Locale CANADA;
 static java.util.Locale CANADA_FRENCH;
 static java.util.Locale CHINA;
 static java.util.Locale CHINESE;
 static java.util.Locale ENGLISH;
 static java.util.Locale FRANCE;
 static java.util.Locale FRENCH;
 static java.util.Locale GERMAN;
 static java.util.Locale GERMANY;
 static java.util.Locale ITALIAN;
 static java.util.Locale ITALY;
 static java.util.Locale JAPAN;
 static java.util.Locale JAPANESE;
 static java.util.Locale KOREA;
 static java.util.Locale KOREAN;
 static java.util.Locale PRC;
 static java.util.Locale ROOT;
 static java.util.Locale SIMPLIFIED_CHINESE;
 static java.util.Locale TAIWAN;
 static java.util.Locale TRADITIONAL_CHINESE;
 static java.util.Locale UK;
 static java.util.Locale US;
 Locale(java.lang.String p0) {}
 Locale(java.lang.String p0, java.lang.String p1) {}
 Locale(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 native boolean equals(java.lang.Object p0);
 native boolean hasExtensions();
 native final java.lang.String getDisplayCountry();
 native final java.lang.String getDisplayLanguage();
 native final java.lang.String getDisplayName();
 native final java.lang.String getDisplayVariant();
 native final java.lang.String toString();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getCountry();
 native java.lang.String getDisplayCountry(java.util.Locale p0);
 native java.lang.String getDisplayLanguage(java.util.Locale p0);
 native java.lang.String getDisplayName(java.util.Locale p0);
 native java.lang.String getDisplayScript();
 native java.lang.String getDisplayScript(java.util.Locale p0);
 native java.lang.String getDisplayVariant(java.util.Locale p0);
 native java.lang.String getExtension(char p0);
 native java.lang.String getISO3Country();
 native java.lang.String getISO3Language();
 native java.lang.String getLanguage();
 native java.lang.String getScript();
 native java.lang.String getUnicodeLocaleType(java.lang.String p0);
 native java.lang.String getVariant();
 native java.lang.String toLanguageTag();
 native java.util.Locale stripExtensions();
 native java.util.Set<java.lang.Character> getExtensionKeys();
 native java.util.Set<java.lang.String> getUnicodeLocaleAttributes();
 native java.util.Set<java.lang.String> getUnicodeLocaleKeys();
 static native java.lang.String lookupTag(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Collection<java.lang.String> p1);
 static native java.lang.String[] getISOCountries();
 static native java.lang.String[] getISOLanguages();
 static native java.util.List<java.util.Locale> filter(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Collection<java.util.Locale> p1);
 static native java.util.List<java.util.Locale> filter(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Collection<java.util.Locale> p1, java.util.Locale.FilteringMode p2);
 static native java.util.List<java.lang.String> filterTags(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Collection<java.lang.String> p1);
 static native java.util.List<java.lang.String> filterTags(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Collection<java.lang.String> p1, java.util.Locale.FilteringMode p2);
 static native java.util.Locale forLanguageTag(java.lang.String p0);
 static native java.util.Locale getDefault();
 static native java.util.Locale getDefault(java.util.Locale.Category p0);
 static native java.util.Locale lookup(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Collection<java.util.Locale> p1);
 static native java.util.Locale[] getAvailableLocales();
 static native java.util.Set<java.lang.String> getISOCountries(java.util.Locale.IsoCountryCode p0);
 static native void setDefault(java.util.Locale.Category p0, java.util.Locale p1);
 static native void setDefault(java.util.Locale p0);
 static class Builder {
  Builder() {}
  native java.util.Locale build();
  native java.util.Locale.Builder addUnicodeLocaleAttribute(java.lang.String p0);
  native java.util.Locale.Builder clear();
  native java.util.Locale.Builder clearExtensions();
  native java.util.Locale.Builder removeUnicodeLocaleAttribute(java.lang.String p0);
  native java.util.Locale.Builder setExtension(char p0, java.lang.String p1);
  native java.util.Locale.Builder setLanguage(java.lang.String p0);
  native java.util.Locale.Builder setLanguageTag(java.lang.String p0);
  native java.util.Locale.Builder setLocale(java.util.Locale p0);
  native java.util.Locale.Builder setRegion(java.lang.String p0);
  native java.util.Locale.Builder setScript(java.lang.String p0);
  native java.util.Locale.Builder setUnicodeLocaleKeyword(java.lang.String p0, java.lang.String p1);
  native java.util.Locale.Builder setVariant(java.lang.String p0);
 }
 static enum Category {
  DISPLAY, FORMAT;
 }
 static enum FilteringMode {
  AUTOSELECT_FILTERING, EXTENDED_FILTERING, IGNORE_EXTENDED_RANGES, MAP_EXTENDED_RANGES, REJECT_EXTENDED_RANGES;
 }
 static enum IsoCountryCode {
  PART1_ALPHA2, PART1_ALPHA3, PART3;
 }
 static class LanguageRange {
  static double MAX_WEIGHT;
  static double MIN_WEIGHT;
  LanguageRange(java.lang.String p0) {}
  LanguageRange(java.lang.String p0, double p1) {}
  native boolean equals(java.lang.Object p0);
  native double getWeight();
  native int hashCode();
  native java.lang.String getRange();
  native java.lang.String toString();
  static native java.util.List<java.util.Locale.LanguageRange> mapEquivalents(java.util.List<java.util.Locale.LanguageRange> p0, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p1);
  static native java.util.List<java.util.Locale.LanguageRange> parse(java.lang.String p0);
  static native java.util.List<java.util.Locale.LanguageRange> parse(java.lang.String p0, java.util.Map<java.lang.String, java.util.List<java.lang.String>> p1);
 }
}
class LongSummaryStatistics implements java.util.function.LongConsumer, java.util.function.IntConsumer {
 LongSummaryStatistics() {}
 LongSummaryStatistics(long p0, long p1, long p2, long p3) {}
 native final double getAverage();
 native final long getCount();
 native final long getMax();
 native final long getMin();
 native final long getSum();
 native java.lang.String toString();
 native void accept(int p0);
 native void accept(long p0);
 native void combine(java.util.LongSummaryStatistics p0);
}
interface Map<K, V>  {
 boolean containsKey(java.lang.Object p0);
 boolean containsValue(java.lang.Object p0);
 boolean equals(java.lang.Object p0);
 boolean isEmpty();
 int hashCode();
 int size();
 V get(java.lang.Object p0);
 V put(K p0, V p1);
 V remove(java.lang.Object p0);
 java.util.Collection<V> values();
 java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 java.util.Set<K> keySet();
 void clear();
 void putAll(java.util.Map<? extends K, ? extends V> p0);
 default boolean remove(java.lang.Object p0, java.lang.Object p1) {}
 default boolean replace(K p0, V p1, V p2) {}
 default V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1) {}
 default V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1) {}
 default V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1) {}
 default V getOrDefault(java.lang.Object p0, V p1) {}
 default V merge(K p0, V p1, java.util.function.BiFunction<? super V, ? super V, ? extends V> p2) {}
 default V putIfAbsent(K p0, V p1) {}
 default V replace(K p0, V p1) {}
 default void forEach(java.util.function.BiConsumer<? super K, ? super V> p0) {}
 default void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0) {}
 static <K, V> java.util.Map<K, V> copyOf(java.util.Map<? extends K, ? extends V> p0) {}
 static <K, V> java.util.Map<K, V> of() {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7, K p8, V p9) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7, K p8, V p9, K p10, V p11) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7, K p8, V p9, K p10, V p11, K p12, V p13) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7, K p8, V p9, K p10, V p11, K p12, V p13, K p14, V p15) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7, K p8, V p9, K p10, V p11, K p12, V p13, K p14, V p15, K p16, V p17) {}
 static <K, V> java.util.Map<K, V> of(K p0, V p1, K p2, V p3, K p4, V p5, K p6, V p7, K p8, V p9, K p10, V p11, K p12, V p13, K p14, V p15, K p16, V p17, K p18, V p19) {}
 static <K, V> java.util.Map<K, V> ofEntries(java.util.Map.Entry<? extends K, ? extends V>... p0) {}
 static <K, V> java.util.Map.Entry<K, V> entry(K p0, V p1) {}
 static interface Entry<K, V>  {
  boolean equals(java.lang.Object p0);
  int hashCode();
  K getKey();
  V getValue();
  V setValue(V p0);
  static <K extends java.lang.Comparable<? super K>, V> java.util.Comparator<java.util.Map.Entry<K, V>> comparingByKey() {}
  static <K, V> java.util.Comparator<java.util.Map.Entry<K, V>> comparingByKey(java.util.Comparator<? super K> p0) {}
  static <K, V extends java.lang.Comparable<? super V>> java.util.Comparator<java.util.Map.Entry<K, V>> comparingByValue() {}
  static <K, V> java.util.Comparator<java.util.Map.Entry<K, V>> comparingByValue(java.util.Comparator<? super V> p0) {}
  static <K, V> java.util.Map.Entry<K, V> copyOf(java.util.Map.Entry<? extends K, ? extends V> p0) {}
 }
}
class MissingFormatArgumentException extends java.util.IllegalFormatException {
 MissingFormatArgumentException(java.lang.String p0) {}
 native java.lang.String getFormatSpecifier();
 native java.lang.String getMessage();
}
class MissingFormatWidthException extends java.util.IllegalFormatException {
 MissingFormatWidthException(java.lang.String p0) {}
 native java.lang.String getFormatSpecifier();
 native java.lang.String getMessage();
}
class MissingResourceException extends java.lang.RuntimeException {
 MissingResourceException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 native java.lang.String getClassName();
 native java.lang.String getKey();
}
interface NavigableMap<K, V>  extends java.util.SortedMap<K, V> {
 K ceilingKey(K p0);
 K floorKey(K p0);
 K higherKey(K p0);
 K lowerKey(K p0);
 java.util.Map.Entry<K, V> ceilingEntry(K p0);
 java.util.Map.Entry<K, V> firstEntry();
 java.util.Map.Entry<K, V> floorEntry(K p0);
 java.util.Map.Entry<K, V> higherEntry(K p0);
 java.util.Map.Entry<K, V> lastEntry();
 java.util.Map.Entry<K, V> lowerEntry(K p0);
 java.util.Map.Entry<K, V> pollFirstEntry();
 java.util.Map.Entry<K, V> pollLastEntry();
 java.util.NavigableMap<K, V> descendingMap();
 java.util.NavigableMap<K, V> headMap(K p0, boolean p1);
 java.util.NavigableMap<K, V> subMap(K p0, boolean p1, K p2, boolean p3);
 java.util.NavigableMap<K, V> tailMap(K p0, boolean p1);
 java.util.NavigableSet<K> descendingKeySet();
 java.util.NavigableSet<K> navigableKeySet();
 java.util.SortedMap<K, V> headMap(K p0);
 java.util.SortedMap<K, V> subMap(K p0, K p1);
 java.util.SortedMap<K, V> tailMap(K p0);
}
interface NavigableSet<E>  extends java.util.SortedSet<E> {
 E ceiling(E p0);
 E floor(E p0);
 E higher(E p0);
 E lower(E p0);
 E pollFirst();
 E pollLast();
 java.util.Iterator<E> descendingIterator();
 java.util.Iterator<E> iterator();
 java.util.NavigableSet<E> descendingSet();
 java.util.NavigableSet<E> headSet(E p0, boolean p1);
 java.util.NavigableSet<E> subSet(E p0, boolean p1, E p2, boolean p3);
 java.util.NavigableSet<E> tailSet(E p0, boolean p1);
 java.util.SortedSet<E> headSet(E p0);
 java.util.SortedSet<E> subSet(E p0, E p1);
 java.util.SortedSet<E> tailSet(E p0);
}
class NoSuchElementException extends java.lang.RuntimeException {
 NoSuchElementException() {}
 NoSuchElementException(java.lang.String p0) {}
 NoSuchElementException(java.lang.String p0, java.lang.Throwable p1) {}
 NoSuchElementException(java.lang.Throwable p0) {}
}
class Objects {
 static native boolean deepEquals(java.lang.Object p0, java.lang.Object p1);
 static native boolean equals(java.lang.Object p0, java.lang.Object p1);
 static native boolean isNull(java.lang.Object p0);
 static native boolean nonNull(java.lang.Object p0);
 static native int checkFromIndexSize(int p0, int p1, int p2);
 static native int checkFromToIndex(int p0, int p1, int p2);
 static native int checkIndex(int p0, int p1);
 static native <T> int compare(T p0, T p1, java.util.Comparator<? super T> p2);
 static native int hash(java.lang.Object... p0);
 static native int hashCode(java.lang.Object p0);
 static native <T> T requireNonNull(T p0);
 static native <T> T requireNonNull(T p0, java.lang.String p1);
 static native <T> T requireNonNull(T p0, java.util.function.Supplier<java.lang.String> p1);
 static native <T> T requireNonNullElse(T p0, T p1);
 static native <T> T requireNonNullElseGet(T p0, java.util.function.Supplier<? extends T> p1);
 static native java.lang.String toString(java.lang.Object p0);
 static native java.lang.String toString(java.lang.Object p0, java.lang.String p1);
 static native long checkFromIndexSize(long p0, long p1, long p2);
 static native long checkFromToIndex(long p0, long p1, long p2);
 static native long checkIndex(long p0, long p1);
}
class Observable {
 Observable() {}
 native void clearChanged();
 native void setChanged();
 native boolean hasChanged();
 native int countObservers();
 native void addObserver(java.util.Observer p0);
 native void deleteObserver(java.util.Observer p0);
 native void deleteObservers();
 native void notifyObservers();
 native void notifyObservers(java.lang.Object p0);
}
interface Observer {
 void update(java.util.Observable p0, java.lang.Object p1);
}
class Optional<T>  {
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean isPresent();
 native int hashCode();
 native T get();
 native T orElse(T p0);
 native T orElseGet(java.util.function.Supplier<? extends T> p0);
 native T orElseThrow();
 native <X extends java.lang.Throwable> T orElseThrow(java.util.function.Supplier<? extends X> p0);
 native java.lang.String toString();
 native java.util.Optional<T> filter(java.util.function.Predicate<? super T> p0);
 native <U> java.util.Optional<U> flatMap(java.util.function.Function<? super T, ? extends java.util.Optional<? extends U>> p0);
 native <U> java.util.Optional<U> map(java.util.function.Function<? super T, ? extends U> p0);
 native java.util.Optional<T> or(java.util.function.Supplier<? extends java.util.Optional<? extends T>> p0);
 native java.util.stream.Stream<T> stream();
 static native <T> java.util.Optional<T> empty();
 static native <T> java.util.Optional<T> of(T p0);
 static native <T> java.util.Optional<T> ofNullable(T p0);
 native void ifPresent(java.util.function.Consumer<? super T> p0);
 native void ifPresentOrElse(java.util.function.Consumer<? super T> p0, java.lang.Runnable p1);
}
class OptionalDouble {
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean isPresent();
 native double getAsDouble();
 native double orElse(double p0);
 native double orElseGet(java.util.function.DoubleSupplier p0);
 native double orElseThrow();
 native <X extends java.lang.Throwable> double orElseThrow(java.util.function.Supplier<? extends X> p0);
 native int hashCode();
 native java.lang.String toString();
 native java.util.stream.DoubleStream stream();
 static native java.util.OptionalDouble empty();
 static native java.util.OptionalDouble of(double p0);
 native void ifPresent(java.util.function.DoubleConsumer p0);
 native void ifPresentOrElse(java.util.function.DoubleConsumer p0, java.lang.Runnable p1);
}
class OptionalInt {
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean isPresent();
 native int getAsInt();
 native int hashCode();
 native int orElse(int p0);
 native int orElseGet(java.util.function.IntSupplier p0);
 native int orElseThrow();
 native <X extends java.lang.Throwable> int orElseThrow(java.util.function.Supplier<? extends X> p0);
 native java.lang.String toString();
 native java.util.stream.IntStream stream();
 static native java.util.OptionalInt empty();
 static native java.util.OptionalInt of(int p0);
 native void ifPresent(java.util.function.IntConsumer p0);
 native void ifPresentOrElse(java.util.function.IntConsumer p0, java.lang.Runnable p1);
}
class OptionalLong {
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean isPresent();
 native int hashCode();
 native java.lang.String toString();
 native java.util.stream.LongStream stream();
 native long getAsLong();
 native long orElse(long p0);
 native long orElseGet(java.util.function.LongSupplier p0);
 native long orElseThrow();
 native <X extends java.lang.Throwable> long orElseThrow(java.util.function.Supplier<? extends X> p0);
 static native java.util.OptionalLong empty();
 static native java.util.OptionalLong of(long p0);
 native void ifPresent(java.util.function.LongConsumer p0);
 native void ifPresentOrElse(java.util.function.LongConsumer p0, java.lang.Runnable p1);
}
interface PrimitiveIterator<T, T_CONS>  extends java.util.Iterator<T> {
 void forEachRemaining(T_CONS p0);
 static interface OfDouble extends java.util.PrimitiveIterator<java.lang.Double, java.util.function.DoubleConsumer> {
  double nextDouble();
  default java.lang.Double next() {}
  default void forEachRemaining(java.util.function.Consumer<? super java.lang.Double> p0) {}
  default void forEachRemaining(java.util.function.DoubleConsumer p0) {}
 }
 static interface OfInt extends java.util.PrimitiveIterator<java.lang.Integer, java.util.function.IntConsumer> {
  int nextInt();
  default java.lang.Integer next() {}
  default void forEachRemaining(java.util.function.Consumer<? super java.lang.Integer> p0) {}
  default void forEachRemaining(java.util.function.IntConsumer p0) {}
 }
 static interface OfLong extends java.util.PrimitiveIterator<java.lang.Long, java.util.function.LongConsumer> {
  long nextLong();
  default java.lang.Long next() {}
  default void forEachRemaining(java.util.function.Consumer<? super java.lang.Long> p0) {}
  default void forEachRemaining(java.util.function.LongConsumer p0) {}
 }
}
class PriorityQueue<E>  extends java.util.AbstractQueue<E> implements java.io.Serializable {
 PriorityQueue() {}
 PriorityQueue(int p0) {}
 PriorityQueue(int p0, java.util.Comparator<? super E> p1) {}
 PriorityQueue(java.util.Collection<? extends E> p0) {}
 PriorityQueue(java.util.Comparator<? super E> p0) {}
 PriorityQueue(java.util.PriorityQueue<? extends E> p0) {}
 PriorityQueue(java.util.SortedSet<? extends E> p0) {}
 native boolean add(E p0);
 native boolean contains(java.lang.Object p0);
 native boolean offer(E p0);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native final java.util.Spliterator<E> spliterator();
 native int size();
 native E peek();
 native E poll();
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.util.Comparator<? super E> comparator();
 native java.util.Iterator<E> iterator();
 native void clear();
 native void forEach(java.util.function.Consumer<? super E> p0);
}
class Properties extends java.util.Hashtable<java.lang.Object, java.lang.Object> {
 java.util.Properties defaults;
 Properties() {}
 Properties(int p0) {}
 Properties(java.util.Properties p0) {}
 native void rehash();
 native boolean contains(java.lang.Object p0);
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean isEmpty();
 native int size();
 native java.lang.Object get(java.lang.Object p0);
 native java.lang.Object getOrDefault(java.lang.Object p0, java.lang.Object p1);
 native java.lang.String getProperty(java.lang.String p0);
 native java.lang.String getProperty(java.lang.String p0, java.lang.String p1);
 native java.util.Collection<java.lang.Object> values();
 native java.util.Enumeration<java.lang.Object> elements();
 native java.util.Enumeration<java.lang.Object> keys();
 native java.util.Enumeration<?> propertyNames();
 native java.util.Set<java.util.Map.Entry<java.lang.Object, java.lang.Object>> entrySet();
 native java.util.Set<java.lang.Object> keySet();
 native java.util.Set<java.lang.String> stringPropertyNames();
 native boolean equals(java.lang.Object p0);
 native boolean remove(java.lang.Object p0, java.lang.Object p1);
 native boolean replace(java.lang.Object p0, java.lang.Object p1, java.lang.Object p2);
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.Object compute(java.lang.Object p0, java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p1);
 native java.lang.Object computeIfAbsent(java.lang.Object p0, java.util.function.Function<? super java.lang.Object, ?> p1);
 native java.lang.Object computeIfPresent(java.lang.Object p0, java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p1);
 native java.lang.Object merge(java.lang.Object p0, java.lang.Object p1, java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p2);
 native java.lang.Object put(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object putIfAbsent(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object remove(java.lang.Object p0);
 native java.lang.Object replace(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object setProperty(java.lang.String p0, java.lang.String p1);
 native java.lang.String toString();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super java.lang.Object, ? super java.lang.Object> p0);
 native void load(java.io.InputStream p0);
 native void load(java.io.Reader p0);
 native void loadFromXML(java.io.InputStream p0);
 native void putAll(java.util.Map<?, ?> p0);
 native void replaceAll(java.util.function.BiFunction<? super java.lang.Object, ? super java.lang.Object, ?> p0);
 native void list(java.io.PrintStream p0);
 native void list(java.io.PrintWriter p0);
 native void save(java.io.OutputStream p0, java.lang.String p1);
 native void store(java.io.OutputStream p0, java.lang.String p1);
 native void store(java.io.Writer p0, java.lang.String p1);
 native void storeToXML(java.io.OutputStream p0, java.lang.String p1);
 native void storeToXML(java.io.OutputStream p0, java.lang.String p1, java.lang.String p2);
 native void storeToXML(java.io.OutputStream p0, java.lang.String p1, java.nio.charset.Charset p2);
}
class PropertyPermission extends java.security.BasicPermission {
 PropertyPermission(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
 native java.security.PermissionCollection newPermissionCollection();
}
class PropertyResourceBundle extends java.util.ResourceBundle {
 PropertyResourceBundle(java.io.InputStream p0) {}
 PropertyResourceBundle(java.io.Reader p0) {}
 native java.util.Set<java.lang.String> handleKeySet();
 native java.lang.Object handleGetObject(java.lang.String p0);
 native java.util.Enumeration<java.lang.String> getKeys();
}
interface Queue<E>  extends java.util.Collection<E> {
 boolean add(E p0);
 boolean offer(E p0);
 E element();
 E peek();
 E poll();
 E remove();
}
class Random implements java.util.random.RandomGenerator, java.io.Serializable {
 Random() {}
 Random(long p0) {}
 native int next(int p0);
 native boolean nextBoolean();
 native double nextDouble();
 native float nextFloat();
 native int nextInt();
 native int nextInt(int p0);
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
 native double nextGaussian();
 native void setSeed(long p0);
 native void nextBytes(byte[] p0);
}
interface RandomAccess {
}
abstract class ResourceBundle {
 java.util.ResourceBundle parent;
 ResourceBundle() {}
 abstract java.lang.Object handleGetObject(java.lang.String p0);
 native java.util.Set<java.lang.String> handleKeySet();
 native void setParent(java.util.ResourceBundle p0);
 abstract java.util.Enumeration<java.lang.String> getKeys();
 native boolean containsKey(java.lang.String p0);
 native final java.lang.Object getObject(java.lang.String p0);
 native final java.lang.String getString(java.lang.String p0);
 native final java.lang.String[] getStringArray(java.lang.String p0);
 native java.lang.String getBaseBundleName();
 native java.util.Locale getLocale();
 native java.util.Set<java.lang.String> keySet();
 static native final java.util.ResourceBundle getBundle(java.lang.String p0);
 static native final java.util.ResourceBundle getBundle(java.lang.String p0, java.util.Locale p1);
 static native final java.util.ResourceBundle getBundle(java.lang.String p0, java.util.Locale p1, java.util.ResourceBundle.Control p2);
 static native final java.util.ResourceBundle getBundle(java.lang.String p0, java.util.ResourceBundle.Control p1);
 static native final void clearCache();
 static native final void clearCache(java.lang.ClassLoader p0);
 static native java.util.ResourceBundle getBundle(java.lang.String p0, java.lang.Module p1);
 static native java.util.ResourceBundle getBundle(java.lang.String p0, java.util.Locale p1, java.lang.ClassLoader p2);
 static native java.util.ResourceBundle getBundle(java.lang.String p0, java.util.Locale p1, java.lang.ClassLoader p2, java.util.ResourceBundle.Control p3);
 static native java.util.ResourceBundle getBundle(java.lang.String p0, java.util.Locale p1, java.lang.Module p2);
 static class Control {
  static java.util.List<java.lang.String> FORMAT_CLASS;
  static java.util.List<java.lang.String> FORMAT_DEFAULT;
  static java.util.List<java.lang.String> FORMAT_PROPERTIES;
  static long TTL_DONT_CACHE;
  static long TTL_NO_EXPIRATION_CONTROL;
  Control() {}
  native boolean needsReload(java.lang.String p0, java.util.Locale p1, java.lang.String p2, java.lang.ClassLoader p3, java.util.ResourceBundle p4, long p5);
  native final java.lang.String toResourceName(java.lang.String p0, java.lang.String p1);
  native java.lang.String toBundleName(java.lang.String p0, java.util.Locale p1);
  native java.util.List<java.util.Locale> getCandidateLocales(java.lang.String p0, java.util.Locale p1);
  native java.util.List<java.lang.String> getFormats(java.lang.String p0);
  native java.util.Locale getFallbackLocale(java.lang.String p0, java.util.Locale p1);
  native java.util.ResourceBundle newBundle(java.lang.String p0, java.util.Locale p1, java.lang.String p2, java.lang.ClassLoader p3, boolean p4);
  native long getTimeToLive(java.lang.String p0, java.util.Locale p1);
  static native final java.util.ResourceBundle.Control getControl(java.util.List<java.lang.String> p0);
  static native final java.util.ResourceBundle.Control getNoFallbackControl(java.util.List<java.lang.String> p0);
 }
}
class Scanner implements java.util.Iterator<java.lang.String>, java.io.Closeable {
 Scanner(java.io.File p0) {}
 Scanner(java.io.File p0, java.lang.String p1) {}
 Scanner(java.io.File p0, java.nio.charset.Charset p1) {}
 Scanner(java.io.InputStream p0) {}
 Scanner(java.io.InputStream p0, java.lang.String p1) {}
 Scanner(java.io.InputStream p0, java.nio.charset.Charset p1) {}
 Scanner(java.lang.Readable p0) {}
 Scanner(java.lang.String p0) {}
 Scanner(java.nio.channels.ReadableByteChannel p0) {}
 Scanner(java.nio.channels.ReadableByteChannel p0, java.lang.String p1) {}
 Scanner(java.nio.channels.ReadableByteChannel p0, java.nio.charset.Charset p1) {}
 Scanner(java.nio.file.Path p0) {}
 Scanner(java.nio.file.Path p0, java.lang.String p1) {}
 Scanner(java.nio.file.Path p0, java.nio.charset.Charset p1) {}
 native boolean hasNext();
 native boolean hasNext(java.lang.String p0);
 native boolean hasNext(java.util.regex.Pattern p0);
 native boolean hasNextBigDecimal();
 native boolean hasNextBigInteger();
 native boolean hasNextBigInteger(int p0);
 native boolean hasNextBoolean();
 native boolean hasNextByte();
 native boolean hasNextByte(int p0);
 native boolean hasNextDouble();
 native boolean hasNextFloat();
 native boolean hasNextInt();
 native boolean hasNextInt(int p0);
 native boolean hasNextLine();
 native boolean hasNextLong();
 native boolean hasNextLong(int p0);
 native boolean hasNextShort();
 native boolean hasNextShort(int p0);
 native boolean nextBoolean();
 native byte nextByte();
 native byte nextByte(int p0);
 native double nextDouble();
 native float nextFloat();
 native int nextInt();
 native int nextInt(int p0);
 native int radix();
 native java.io.IOException ioException();
 native java.lang.String findInLine(java.lang.String p0);
 native java.lang.String findInLine(java.util.regex.Pattern p0);
 native java.lang.String findWithinHorizon(java.lang.String p0, int p1);
 native java.lang.String findWithinHorizon(java.util.regex.Pattern p0, int p1);
 native java.lang.String next();
 native java.lang.String next(java.lang.String p0);
 native java.lang.String next(java.util.regex.Pattern p0);
 native java.lang.String nextLine();
 native java.lang.String toString();
 native java.math.BigDecimal nextBigDecimal();
 native java.math.BigInteger nextBigInteger();
 native java.math.BigInteger nextBigInteger(int p0);
 native java.util.Locale locale();
 native java.util.Scanner reset();
 native java.util.Scanner skip(java.lang.String p0);
 native java.util.Scanner skip(java.util.regex.Pattern p0);
 native java.util.Scanner useDelimiter(java.lang.String p0);
 native java.util.Scanner useDelimiter(java.util.regex.Pattern p0);
 native java.util.Scanner useLocale(java.util.Locale p0);
 native java.util.Scanner useRadix(int p0);
 native java.util.regex.MatchResult match();
 native java.util.regex.Pattern delimiter();
 native java.util.stream.Stream<java.util.regex.MatchResult> findAll(java.lang.String p0);
 native java.util.stream.Stream<java.util.regex.MatchResult> findAll(java.util.regex.Pattern p0);
 native java.util.stream.Stream<java.lang.String> tokens();
 native long nextLong();
 native long nextLong(int p0);
 native short nextShort();
 native short nextShort(int p0);
 native void close();
 native void remove();
}
class ServiceConfigurationError extends java.lang.Error {
 ServiceConfigurationError(java.lang.String p0) {}
 ServiceConfigurationError(java.lang.String p0, java.lang.Throwable p1) {}
}
class ServiceLoader<S>  implements java.lang.Iterable<S> {
 native java.lang.String toString();
 native java.util.Iterator<S> iterator();
 native java.util.Optional<S> findFirst();
 native java.util.stream.Stream<java.util.ServiceLoader.Provider<S>> stream();
 static native <S> java.util.ServiceLoader<S> load(java.lang.Class<S> p0);
 static native <S> java.util.ServiceLoader<S> load(java.lang.Class<S> p0, java.lang.ClassLoader p1);
 static native <S> java.util.ServiceLoader<S> load(java.lang.ModuleLayer p0, java.lang.Class<S> p1);
 static native <S> java.util.ServiceLoader<S> loadInstalled(java.lang.Class<S> p0);
 native void reload();
 static interface Provider<S>  extends java.util.function.Supplier<S> {
  java.lang.Class<? extends S> type();
  S get();
 }
}
interface Set<E>  extends java.util.Collection<E> {
 boolean add(E p0);
 boolean addAll(java.util.Collection<? extends E> p0);
 boolean contains(java.lang.Object p0);
 boolean containsAll(java.util.Collection<?> p0);
 boolean equals(java.lang.Object p0);
 boolean isEmpty();
 boolean remove(java.lang.Object p0);
 boolean removeAll(java.util.Collection<?> p0);
 boolean retainAll(java.util.Collection<?> p0);
 int hashCode();
 int size();
 java.lang.Object[] toArray();
 <T> T[] toArray(T[] p0);
 java.util.Iterator<E> iterator();
 void clear();
 default java.util.Spliterator<E> spliterator() {}
 static <E> java.util.Set<E> copyOf(java.util.Collection<? extends E> p0) {}
 static <E> java.util.Set<E> of() {}
 static <E> java.util.Set<E> of(E p0) {}
 static <E> java.util.Set<E> of(E p0, E p1) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3, E p4) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3, E p4, E p5) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6, E p7) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6, E p7, E p8) {}
 static <E> java.util.Set<E> of(E p0, E p1, E p2, E p3, E p4, E p5, E p6, E p7, E p8, E p9) {}
 static <E> java.util.Set<E> of(E... p0) {}
}
class SimpleTimeZone extends java.util.TimeZone {
 static int STANDARD_TIME;
 static int UTC_TIME;
 static int WALL_TIME;
 SimpleTimeZone(int p0, java.lang.String p1) {}
 SimpleTimeZone(int p0, java.lang.String p1, int p2, int p3, int p4, int p5, int p6, int p7, int p8, int p9) {}
 SimpleTimeZone(int p0, java.lang.String p1, int p2, int p3, int p4, int p5, int p6, int p7, int p8, int p9, int p10) {}
 SimpleTimeZone(int p0, java.lang.String p1, int p2, int p3, int p4, int p5, int p6, int p7, int p8, int p9, int p10, int p11, int p12) {}
 native boolean equals(java.lang.Object p0);
 native boolean hasSameRules(java.util.TimeZone p0);
 native boolean inDaylightTime(java.util.Date p0);
 native boolean observesDaylightTime();
 native boolean useDaylightTime();
 native int getDSTSavings();
 native int getOffset(int p0, int p1, int p2, int p3, int p4, int p5);
 native int getOffset(long p0);
 native int getRawOffset();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String toString();
 native void setDSTSavings(int p0);
 native void setEndRule(int p0, int p1, int p2);
 native void setEndRule(int p0, int p1, int p2, int p3);
 native void setEndRule(int p0, int p1, int p2, int p3, boolean p4);
 native void setRawOffset(int p0);
 native void setStartRule(int p0, int p1, int p2);
 native void setStartRule(int p0, int p1, int p2, int p3);
 native void setStartRule(int p0, int p1, int p2, int p3, boolean p4);
 native void setStartYear(int p0);
}
interface SortedMap<K, V>  extends java.util.Map<K, V> {
 K firstKey();
 K lastKey();
 java.util.Collection<V> values();
 java.util.Comparator<? super K> comparator();
 java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 java.util.Set<K> keySet();
 java.util.SortedMap<K, V> headMap(K p0);
 java.util.SortedMap<K, V> subMap(K p0, K p1);
 java.util.SortedMap<K, V> tailMap(K p0);
}
interface SortedSet<E>  extends java.util.Set<E> {
 E first();
 E last();
 java.util.Comparator<? super E> comparator();
 java.util.SortedSet<E> headSet(E p0);
 java.util.SortedSet<E> subSet(E p0, E p1);
 java.util.SortedSet<E> tailSet(E p0);
 default java.util.Spliterator<E> spliterator() {}
}
interface Spliterator<T>  {
 static int CONCURRENT;
 static int DISTINCT;
 static int IMMUTABLE;
 static int NONNULL;
 static int ORDERED;
 static int SIZED;
 static int SORTED;
 static int SUBSIZED;
 boolean tryAdvance(java.util.function.Consumer<? super T> p0);
 int characteristics();
 java.util.Spliterator<T> trySplit();
 long estimateSize();
 default boolean hasCharacteristics(int p0) {}
 default java.util.Comparator<? super T> getComparator() {}
 default long getExactSizeIfKnown() {}
 default void forEachRemaining(java.util.function.Consumer<? super T> p0) {}
 static interface OfDouble extends java.util.Spliterator.OfPrimitive<java.lang.Double, java.util.function.DoubleConsumer, java.util.Spliterator.OfDouble> {
  boolean tryAdvance(java.util.function.DoubleConsumer p0);
  java.util.Spliterator.OfDouble trySplit();
  default boolean tryAdvance(java.util.function.Consumer<? super java.lang.Double> p0) {}
  default void forEachRemaining(java.util.function.Consumer<? super java.lang.Double> p0) {}
  default void forEachRemaining(java.util.function.DoubleConsumer p0) {}
 }
 static interface OfInt extends java.util.Spliterator.OfPrimitive<java.lang.Integer, java.util.function.IntConsumer, java.util.Spliterator.OfInt> {
  boolean tryAdvance(java.util.function.IntConsumer p0);
  java.util.Spliterator.OfInt trySplit();
  default boolean tryAdvance(java.util.function.Consumer<? super java.lang.Integer> p0) {}
  default void forEachRemaining(java.util.function.Consumer<? super java.lang.Integer> p0) {}
  default void forEachRemaining(java.util.function.IntConsumer p0) {}
 }
 static interface OfLong extends java.util.Spliterator.OfPrimitive<java.lang.Long, java.util.function.LongConsumer, java.util.Spliterator.OfLong> {
  boolean tryAdvance(java.util.function.LongConsumer p0);
  java.util.Spliterator.OfLong trySplit();
  default boolean tryAdvance(java.util.function.Consumer<? super java.lang.Long> p0) {}
  default void forEachRemaining(java.util.function.Consumer<? super java.lang.Long> p0) {}
  default void forEachRemaining(java.util.function.LongConsumer p0) {}
 }
 static interface OfPrimitive<T, T_CONS, T_SPLITR extends java.util.Spliterator.OfPrimitive<T, T_CONS, T_SPLITR>>  extends java.util.Spliterator<T> {
  boolean tryAdvance(T_CONS p0);
  T_SPLITR trySplit();
  default void forEachRemaining(T_CONS p0) {}
 }
}
class Spliterators {
 static native <T> java.util.Iterator<T> iterator(java.util.Spliterator<? extends T> p0);
 static native java.util.PrimitiveIterator.OfDouble iterator(java.util.Spliterator.OfDouble p0);
 static native java.util.PrimitiveIterator.OfInt iterator(java.util.Spliterator.OfInt p0);
 static native java.util.PrimitiveIterator.OfLong iterator(java.util.Spliterator.OfLong p0);
 static native <T> java.util.Spliterator<T> emptySpliterator();
 static native <T> java.util.Spliterator<T> spliterator(java.lang.Object[] p0, int p1);
 static native <T> java.util.Spliterator<T> spliterator(java.lang.Object[] p0, int p1, int p2, int p3);
 static native <T> java.util.Spliterator<T> spliterator(java.util.Collection<? extends T> p0, int p1);
 static native <T> java.util.Spliterator<T> spliterator(java.util.Iterator<? extends T> p0, long p1, int p2);
 static native <T> java.util.Spliterator<T> spliteratorUnknownSize(java.util.Iterator<? extends T> p0, int p1);
 static native java.util.Spliterator.OfDouble emptyDoubleSpliterator();
 static native java.util.Spliterator.OfDouble spliterator(double[] p0, int p1);
 static native java.util.Spliterator.OfDouble spliterator(double[] p0, int p1, int p2, int p3);
 static native java.util.Spliterator.OfDouble spliterator(java.util.PrimitiveIterator.OfDouble p0, long p1, int p2);
 static native java.util.Spliterator.OfDouble spliteratorUnknownSize(java.util.PrimitiveIterator.OfDouble p0, int p1);
 static native java.util.Spliterator.OfInt emptyIntSpliterator();
 static native java.util.Spliterator.OfInt spliterator(int[] p0, int p1);
 static native java.util.Spliterator.OfInt spliterator(int[] p0, int p1, int p2, int p3);
 static native java.util.Spliterator.OfInt spliterator(java.util.PrimitiveIterator.OfInt p0, long p1, int p2);
 static native java.util.Spliterator.OfInt spliteratorUnknownSize(java.util.PrimitiveIterator.OfInt p0, int p1);
 static native java.util.Spliterator.OfLong emptyLongSpliterator();
 static native java.util.Spliterator.OfLong spliterator(java.util.PrimitiveIterator.OfLong p0, long p1, int p2);
 static native java.util.Spliterator.OfLong spliterator(long[] p0, int p1);
 static native java.util.Spliterator.OfLong spliterator(long[] p0, int p1, int p2, int p3);
 static native java.util.Spliterator.OfLong spliteratorUnknownSize(java.util.PrimitiveIterator.OfLong p0, int p1);
 abstract static class AbstractDoubleSpliterator implements java.util.Spliterator.OfDouble {
  AbstractDoubleSpliterator(long p0, int p1) {}
  native int characteristics();
  native java.util.Spliterator.OfDouble trySplit();
  native long estimateSize();
 }
 abstract static class AbstractIntSpliterator implements java.util.Spliterator.OfInt {
  AbstractIntSpliterator(long p0, int p1) {}
  native int characteristics();
  native java.util.Spliterator.OfInt trySplit();
  native long estimateSize();
 }
 abstract static class AbstractLongSpliterator implements java.util.Spliterator.OfLong {
  AbstractLongSpliterator(long p0, int p1) {}
  native int characteristics();
  native java.util.Spliterator.OfLong trySplit();
  native long estimateSize();
 }
 abstract static class AbstractSpliterator<T>  implements java.util.Spliterator<T> {
  AbstractSpliterator(long p0, int p1) {}
  native int characteristics();
  native java.util.Spliterator<T> trySplit();
  native long estimateSize();
 }
}
class SplittableRandom implements java.util.random.RandomGenerator, java.util.random.RandomGenerator.SplittableGenerator {
 SplittableRandom() {}
 SplittableRandom(long p0) {}
 native int nextInt();
 native java.util.SplittableRandom split();
 native java.util.SplittableRandom split(java.util.random.RandomGenerator.SplittableGenerator p0);
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
 native java.util.stream.Stream<java.util.random.RandomGenerator.SplittableGenerator> splits();
 native java.util.stream.Stream<java.util.random.RandomGenerator.SplittableGenerator> splits(java.util.random.RandomGenerator.SplittableGenerator p0);
 native java.util.stream.Stream<java.util.random.RandomGenerator.SplittableGenerator> splits(long p0);
 native java.util.stream.Stream<java.util.random.RandomGenerator.SplittableGenerator> splits(long p0, java.util.random.RandomGenerator.SplittableGenerator p1);
 native long nextLong();
 native void nextBytes(byte[] p0);
}
class Stack<E>  extends java.util.Vector<E> {
 Stack() {}
 native boolean empty();
 native E push(E p0);
 native int search(java.lang.Object p0);
 native E peek();
 native E pop();
}
class StringJoiner {
 StringJoiner(java.lang.CharSequence p0) {}
 StringJoiner(java.lang.CharSequence p0, java.lang.CharSequence p1, java.lang.CharSequence p2) {}
 native int length();
 native java.lang.String toString();
 native java.util.StringJoiner add(java.lang.CharSequence p0);
 native java.util.StringJoiner merge(java.util.StringJoiner p0);
 native java.util.StringJoiner setEmptyValue(java.lang.CharSequence p0);
}
class StringTokenizer implements java.util.Enumeration<java.lang.Object> {
 StringTokenizer(java.lang.String p0) {}
 StringTokenizer(java.lang.String p0, java.lang.String p1) {}
 StringTokenizer(java.lang.String p0, java.lang.String p1, boolean p2) {}
 native boolean hasMoreElements();
 native boolean hasMoreTokens();
 native int countTokens();
 native java.lang.Object nextElement();
 native java.lang.String nextToken();
 native java.lang.String nextToken(java.lang.String p0);
}
abstract class TimeZone implements java.io.Serializable, java.lang.Cloneable {
 static int LONG;
 static int SHORT;
 TimeZone() {}
 abstract boolean inDaylightTime(java.util.Date p0);
 abstract boolean useDaylightTime();
 abstract int getOffset(int p0, int p1, int p2, int p3, int p4, int p5);
 abstract int getRawOffset();
 abstract void setRawOffset(int p0);
 native boolean hasSameRules(java.util.TimeZone p0);
 native boolean observesDaylightTime();
 native final java.lang.String getDisplayName();
 native final java.lang.String getDisplayName(boolean p0, int p1);
 native final java.lang.String getDisplayName(java.util.Locale p0);
 native int getDSTSavings();
 native int getOffset(long p0);
 native java.lang.Object clone();
 native java.lang.String getDisplayName(boolean p0, int p1, java.util.Locale p2);
 native java.lang.String getID();
 native java.time.ZoneId toZoneId();
 static native java.util.TimeZone getDefault();
 static native java.util.TimeZone getTimeZone(java.time.ZoneId p0);
 static native java.lang.String[] getAvailableIDs();
 static native java.lang.String[] getAvailableIDs(int p0);
 static native java.util.TimeZone getTimeZone(java.lang.String p0);
 static native void setDefault(java.util.TimeZone p0);
 native void setID(java.lang.String p0);
}
class Timer {
 Timer() {}
 Timer(boolean p0) {}
 Timer(java.lang.String p0) {}
 Timer(java.lang.String p0, boolean p1) {}
 native int purge();
 native void cancel();
 native void schedule(java.util.TimerTask p0, java.util.Date p1);
 native void schedule(java.util.TimerTask p0, java.util.Date p1, long p2);
 native void schedule(java.util.TimerTask p0, long p1);
 native void schedule(java.util.TimerTask p0, long p1, long p2);
 native void scheduleAtFixedRate(java.util.TimerTask p0, java.util.Date p1, long p2);
 native void scheduleAtFixedRate(java.util.TimerTask p0, long p1, long p2);
}
abstract class TimerTask implements java.lang.Runnable {
 TimerTask() {}
 abstract void run();
 native boolean cancel();
 native long scheduledExecutionTime();
}
class TooManyListenersException extends java.lang.Exception {
 TooManyListenersException() {}
 TooManyListenersException(java.lang.String p0) {}
}
class TreeMap<K, V>  extends java.util.AbstractMap<K, V> implements java.util.NavigableMap<K, V>, java.lang.Cloneable, java.io.Serializable {
 TreeMap() {}
 TreeMap(java.util.Comparator<? super K> p0) {}
 TreeMap(java.util.Map<? extends K, ? extends V> p0) {}
 TreeMap(java.util.SortedMap<K, ? extends V> p0) {}
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean replace(K p0, V p1, V p2);
 native int size();
 native K ceilingKey(K p0);
 native java.lang.Object clone();
 native V compute(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native V computeIfAbsent(K p0, java.util.function.Function<? super K, ? extends V> p1);
 native V computeIfPresent(K p0, java.util.function.BiFunction<? super K, ? super V, ? extends V> p1);
 native K firstKey();
 native K floorKey(K p0);
 native V get(java.lang.Object p0);
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
 native java.util.NavigableMap<K, V> descendingMap();
 native java.util.NavigableMap<K, V> headMap(K p0, boolean p1);
 native java.util.NavigableMap<K, V> subMap(K p0, boolean p1, K p2, boolean p3);
 native java.util.NavigableMap<K, V> tailMap(K p0, boolean p1);
 native java.util.NavigableSet<K> descendingKeySet();
 native java.util.NavigableSet<K> navigableKeySet();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native java.util.SortedMap<K, V> headMap(K p0);
 native java.util.SortedMap<K, V> subMap(K p0, K p1);
 native java.util.SortedMap<K, V> tailMap(K p0);
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
class TreeSet<E>  extends java.util.AbstractSet<E> implements java.util.NavigableSet<E>, java.lang.Cloneable, java.io.Serializable {
 TreeSet() {}
 TreeSet(java.util.Collection<? extends E> p0) {}
 TreeSet(java.util.Comparator<? super E> p0) {}
 TreeSet(java.util.SortedSet<E> p0) {}
 native boolean add(E p0);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean isEmpty();
 native boolean remove(java.lang.Object p0);
 native int size();
 native E ceiling(E p0);
 native java.lang.Object clone();
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
 native java.util.NavigableSet<E> headSet(E p0, boolean p1);
 native java.util.NavigableSet<E> subSet(E p0, boolean p1, E p2, boolean p3);
 native java.util.NavigableSet<E> tailSet(E p0, boolean p1);
 native java.util.SortedSet<E> headSet(E p0);
 native java.util.SortedSet<E> subSet(E p0, E p1);
 native java.util.SortedSet<E> tailSet(E p0);
 native java.util.Spliterator<E> spliterator();
 native void clear();
}
class UUID implements java.io.Serializable, java.lang.Comparable<java.util.UUID> {
 UUID(long p0, long p1) {}
 native boolean equals(java.lang.Object p0);
 native int clockSequence();
 native int compareTo(java.util.UUID p0);
 native int hashCode();
 native int variant();
 native int version();
 native java.lang.String toString();
 native long getLeastSignificantBits();
 native long getMostSignificantBits();
 native long node();
 native long timestamp();
 static native java.util.UUID fromString(java.lang.String p0);
 static native java.util.UUID nameUUIDFromBytes(byte[] p0);
 static native java.util.UUID randomUUID();
}
class UnknownFormatConversionException extends java.util.IllegalFormatException {
 UnknownFormatConversionException(java.lang.String p0) {}
 native java.lang.String getConversion();
 native java.lang.String getMessage();
}
class UnknownFormatFlagsException extends java.util.IllegalFormatException {
 UnknownFormatFlagsException(java.lang.String p0) {}
 native java.lang.String getFlags();
 native java.lang.String getMessage();
}
class Vector<E>  extends java.util.AbstractList<E> implements java.util.List<E>, java.util.RandomAccess, java.lang.Cloneable, java.io.Serializable {
 int capacityIncrement;
 int elementCount;
 java.lang.Object[] elementData;
 Vector() {}
 Vector(int p0) {}
 Vector(int p0, int p1) {}
 Vector(java.util.Collection<? extends E> p0) {}
 native void removeRange(int p0, int p1);
 native boolean addAll(java.util.Collection<? extends E> p0);
 native boolean contains(java.lang.Object p0);
 native boolean remove(java.lang.Object p0);
 native boolean removeAll(java.util.Collection<?> p0);
 native boolean removeIf(java.util.function.Predicate<? super E> p0);
 native boolean retainAll(java.util.Collection<?> p0);
 native int indexOf(java.lang.Object p0);
 native java.util.Enumeration<E> elements();
 native java.util.Spliterator<E> spliterator();
 native boolean add(E p0);
 native boolean addAll(int p0, java.util.Collection<? extends E> p1);
 native boolean containsAll(java.util.Collection<?> p0);
 native boolean equals(java.lang.Object p0);
 native boolean isEmpty();
 native boolean removeElement(java.lang.Object p0);
 native int capacity();
 native int hashCode();
 native int indexOf(java.lang.Object p0, int p1);
 native int lastIndexOf(java.lang.Object p0);
 native int lastIndexOf(java.lang.Object p0, int p1);
 native int size();
 native java.lang.Object clone();
 native E elementAt(int p0);
 native E firstElement();
 native E get(int p0);
 native E lastElement();
 native E remove(int p0);
 native E set(int p0, E p1);
 native java.lang.Object[] toArray();
 native <T> T[] toArray(T[] p0);
 native java.lang.String toString();
 native java.util.Iterator<E> iterator();
 native java.util.List<E> subList(int p0, int p1);
 native java.util.ListIterator<E> listIterator();
 native java.util.ListIterator<E> listIterator(int p0);
 native void addElement(E p0);
 native void copyInto(java.lang.Object[] p0);
 native void ensureCapacity(int p0);
 native void forEach(java.util.function.Consumer<? super E> p0);
 native void insertElementAt(E p0, int p1);
 native void removeAllElements();
 native void removeElementAt(int p0);
 native void replaceAll(java.util.function.UnaryOperator<E> p0);
 native void setElementAt(E p0, int p1);
 native void setSize(int p0);
 native void sort(java.util.Comparator<? super E> p0);
 native void trimToSize();
 native void add(int p0, E p1);
 native void clear();
}
class WeakHashMap<K, V>  extends java.util.AbstractMap<K, V> implements java.util.Map<K, V> {
 WeakHashMap() {}
 WeakHashMap(int p0) {}
 WeakHashMap(int p0, float p1) {}
 WeakHashMap(java.util.Map<? extends K, ? extends V> p0) {}
 native boolean containsKey(java.lang.Object p0);
 native boolean containsValue(java.lang.Object p0);
 native boolean isEmpty();
 native int size();
 native V get(java.lang.Object p0);
 native V put(K p0, V p1);
 native V remove(java.lang.Object p0);
 native java.util.Collection<V> values();
 native java.util.Set<java.util.Map.Entry<K, V>> entrySet();
 native java.util.Set<K> keySet();
 native void clear();
 native void forEach(java.util.function.BiConsumer<? super K, ? super V> p0);
 native void putAll(java.util.Map<? extends K, ? extends V> p0);
 native void replaceAll(java.util.function.BiFunction<? super K, ? super V, ? extends V> p0);
}
