package java.lang.ref;
class Cleaner {
 native java.lang.ref.Cleaner.Cleanable register(java.lang.Object p0, java.lang.Runnable p1);
 static native java.lang.ref.Cleaner create();
 static native java.lang.ref.Cleaner create(java.util.concurrent.ThreadFactory p0);
 static interface Cleanable {
  void clean();
 }
}
class PhantomReference<T>  extends java.lang.ref.Reference<T> {
 PhantomReference(T p0, java.lang.ref.ReferenceQueue<? super T> p1) {}
 native T get();
}
abstract class Reference<T>  {
 native java.lang.Object clone();
 native boolean enqueue();
 native boolean isEnqueued();
 native final boolean refersTo(T p0);
 native T get();
 static native void reachabilityFence(java.lang.Object p0);
 native void clear();
}
class ReferenceQueue<T>  {
 ReferenceQueue() {}
 native java.lang.ref.Reference<? extends T> poll();
 native java.lang.ref.Reference<? extends T> remove();
 native java.lang.ref.Reference<? extends T> remove(long p0);
}
class SoftReference<T>  extends java.lang.ref.Reference<T> {
 SoftReference(T p0) {}
 SoftReference(T p0, java.lang.ref.ReferenceQueue<? super T> p1) {}
 native T get();
}
class WeakReference<T>  extends java.lang.ref.Reference<T> {
 WeakReference(T p0) {}
 WeakReference(T p0, java.lang.ref.ReferenceQueue<? super T> p1) {}
}
