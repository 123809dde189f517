package java.util.concurrent.locks;
abstract class AbstractOwnableSynchronizer implements java.io.Serializable {
 AbstractOwnableSynchronizer() {}
 native final java.lang.Thread getExclusiveOwnerThread();
 native final void setExclusiveOwnerThread(java.lang.Thread p0);
}
abstract class AbstractQueuedLongSynchronizer extends java.util.concurrent.locks.AbstractOwnableSynchronizer implements java.io.Serializable {
 AbstractQueuedLongSynchronizer() {}
 native boolean isHeldExclusively();
 native boolean tryAcquire(long p0);
 native boolean tryRelease(long p0);
 native boolean tryReleaseShared(long p0);
 native final boolean compareAndSetState(long p0, long p1);
 native final long getState();
 native final void setState(long p0);
 native long tryAcquireShared(long p0);
 native final boolean hasContended();
 native final boolean hasQueuedPredecessors();
 native final boolean hasQueuedThreads();
 native final boolean hasWaiters(java.util.concurrent.locks.AbstractQueuedLongSynchronizer.ConditionObject p0);
 native final boolean isQueued(java.lang.Thread p0);
 native final boolean owns(java.util.concurrent.locks.AbstractQueuedLongSynchronizer.ConditionObject p0);
 native final boolean release(long p0);
 native final boolean releaseShared(long p0);
 native final boolean tryAcquireNanos(long p0, long p1);
 native final boolean tryAcquireSharedNanos(long p0, long p1);
 native final int getQueueLength();
 native final int getWaitQueueLength(java.util.concurrent.locks.AbstractQueuedLongSynchronizer.ConditionObject p0);
 native final java.lang.Thread getFirstQueuedThread();
 native final java.util.Collection<java.lang.Thread> getExclusiveQueuedThreads();
 native final java.util.Collection<java.lang.Thread> getQueuedThreads();
 native final java.util.Collection<java.lang.Thread> getSharedQueuedThreads();
 native final java.util.Collection<java.lang.Thread> getWaitingThreads(java.util.concurrent.locks.AbstractQueuedLongSynchronizer.ConditionObject p0);
 native final void acquire(long p0);
 native final void acquireInterruptibly(long p0);
 native final void acquireShared(long p0);
 native final void acquireSharedInterruptibly(long p0);
 native java.lang.String toString();
 class ConditionObject implements java.util.concurrent.locks.Condition, java.io.Serializable {
  ConditionObject(java.util.concurrent.locks.AbstractQueuedLongSynchronizer p0) {}
  native final boolean hasWaiters();
  native final int getWaitQueueLength();
  native final java.util.Collection<java.lang.Thread> getWaitingThreads();
  native final boolean await(long p0, java.util.concurrent.TimeUnit p1);
  native final boolean awaitUntil(java.util.Date p0);
  native final long awaitNanos(long p0);
  native final void await();
  native final void awaitUninterruptibly();
  native final void signal();
  native final void signalAll();
 }
}
abstract class AbstractQueuedSynchronizer extends java.util.concurrent.locks.AbstractOwnableSynchronizer implements java.io.Serializable {
 AbstractQueuedSynchronizer() {}
 native boolean isHeldExclusively();
 native boolean tryAcquire(int p0);
 native boolean tryRelease(int p0);
 native boolean tryReleaseShared(int p0);
 native final boolean compareAndSetState(int p0, int p1);
 native final int getState();
 native final void setState(int p0);
 native int tryAcquireShared(int p0);
 native final boolean hasContended();
 native final boolean hasQueuedPredecessors();
 native final boolean hasQueuedThreads();
 native final boolean hasWaiters(java.util.concurrent.locks.AbstractQueuedSynchronizer.ConditionObject p0);
 native final boolean isQueued(java.lang.Thread p0);
 native final boolean owns(java.util.concurrent.locks.AbstractQueuedSynchronizer.ConditionObject p0);
 native final boolean release(int p0);
 native final boolean releaseShared(int p0);
 native final boolean tryAcquireNanos(int p0, long p1);
 native final boolean tryAcquireSharedNanos(int p0, long p1);
 native final int getQueueLength();
 native final int getWaitQueueLength(java.util.concurrent.locks.AbstractQueuedSynchronizer.ConditionObject p0);
 native final java.lang.Thread getFirstQueuedThread();
 native final java.util.Collection<java.lang.Thread> getExclusiveQueuedThreads();
 native final java.util.Collection<java.lang.Thread> getQueuedThreads();
 native final java.util.Collection<java.lang.Thread> getSharedQueuedThreads();
 native final java.util.Collection<java.lang.Thread> getWaitingThreads(java.util.concurrent.locks.AbstractQueuedSynchronizer.ConditionObject p0);
 native final void acquire(int p0);
 native final void acquireInterruptibly(int p0);
 native final void acquireShared(int p0);
 native final void acquireSharedInterruptibly(int p0);
 native java.lang.String toString();
 class ConditionObject implements java.util.concurrent.locks.Condition, java.io.Serializable {
  ConditionObject(java.util.concurrent.locks.AbstractQueuedSynchronizer p0) {}
  native final boolean hasWaiters();
  native final int getWaitQueueLength();
  native final java.util.Collection<java.lang.Thread> getWaitingThreads();
  native final boolean await(long p0, java.util.concurrent.TimeUnit p1);
  native final boolean awaitUntil(java.util.Date p0);
  native final long awaitNanos(long p0);
  native final void await();
  native final void awaitUninterruptibly();
  native final void signal();
  native final void signalAll();
 }
}
interface Condition {
 boolean await(long p0, java.util.concurrent.TimeUnit p1);
 boolean awaitUntil(java.util.Date p0);
 long awaitNanos(long p0);
 void await();
 void awaitUninterruptibly();
 void signal();
 void signalAll();
}
interface Lock {
 boolean tryLock();
 boolean tryLock(long p0, java.util.concurrent.TimeUnit p1);
 java.util.concurrent.locks.Condition newCondition();
 void lock();
 void lockInterruptibly();
 void unlock();
}
class LockSupport {
 static native java.lang.Object getBlocker(java.lang.Thread p0);
 static native void park();
 static native void park(java.lang.Object p0);
 static native void parkNanos(java.lang.Object p0, long p1);
 static native void parkNanos(long p0);
 static native void parkUntil(java.lang.Object p0, long p1);
 static native void parkUntil(long p0);
 static native void setCurrentBlocker(java.lang.Object p0);
 static native void unpark(java.lang.Thread p0);
}
interface ReadWriteLock {
 java.util.concurrent.locks.Lock readLock();
 java.util.concurrent.locks.Lock writeLock();
}
class ReentrantLock implements java.util.concurrent.locks.Lock, java.io.Serializable {
 ReentrantLock() {}
 ReentrantLock(boolean p0) {}
 native java.lang.Thread getOwner();
 native java.util.Collection<java.lang.Thread> getQueuedThreads();
 native java.util.Collection<java.lang.Thread> getWaitingThreads(java.util.concurrent.locks.Condition p0);
 native boolean hasWaiters(java.util.concurrent.locks.Condition p0);
 native boolean isHeldByCurrentThread();
 native boolean isLocked();
 native boolean tryLock();
 native boolean tryLock(long p0, java.util.concurrent.TimeUnit p1);
 native final boolean hasQueuedThread(java.lang.Thread p0);
 native final boolean hasQueuedThreads();
 native final boolean isFair();
 native final int getQueueLength();
 native int getHoldCount();
 native int getWaitQueueLength(java.util.concurrent.locks.Condition p0);
 native java.lang.String toString();
 native java.util.concurrent.locks.Condition newCondition();
 native void lock();
 native void lockInterruptibly();
 native void unlock();
}
class ReentrantReadWriteLock implements java.util.concurrent.locks.ReadWriteLock, java.io.Serializable {
 ReentrantReadWriteLock() {}
 ReentrantReadWriteLock(boolean p0) {}
 native java.lang.Thread getOwner();
 native java.util.Collection<java.lang.Thread> getQueuedReaderThreads();
 native java.util.Collection<java.lang.Thread> getQueuedThreads();
 native java.util.Collection<java.lang.Thread> getQueuedWriterThreads();
 native java.util.Collection<java.lang.Thread> getWaitingThreads(java.util.concurrent.locks.Condition p0);
 native boolean hasWaiters(java.util.concurrent.locks.Condition p0);
 native boolean isWriteLocked();
 native boolean isWriteLockedByCurrentThread();
 native final boolean hasQueuedThread(java.lang.Thread p0);
 native final boolean hasQueuedThreads();
 native final boolean isFair();
 native final int getQueueLength();
 native int getReadHoldCount();
 native int getReadLockCount();
 native int getWaitQueueLength(java.util.concurrent.locks.Condition p0);
 native int getWriteHoldCount();
 native java.lang.String toString();
 native java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock readLock();
 native java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock writeLock();
 static class ReadLock implements java.util.concurrent.locks.Lock, java.io.Serializable {
  ReadLock(java.util.concurrent.locks.ReentrantReadWriteLock p0) {}
  native boolean tryLock();
  native boolean tryLock(long p0, java.util.concurrent.TimeUnit p1);
  native java.lang.String toString();
  native java.util.concurrent.locks.Condition newCondition();
  native void lock();
  native void lockInterruptibly();
  native void unlock();
 }
 static class WriteLock implements java.util.concurrent.locks.Lock, java.io.Serializable {
  WriteLock(java.util.concurrent.locks.ReentrantReadWriteLock p0) {}
  native boolean isHeldByCurrentThread();
  native boolean tryLock();
  native boolean tryLock(long p0, java.util.concurrent.TimeUnit p1);
  native int getHoldCount();
  native java.lang.String toString();
  native java.util.concurrent.locks.Condition newCondition();
  native void lock();
  native void lockInterruptibly();
  native void unlock();
 }
}
class StampedLock implements java.io.Serializable {
 StampedLock() {}
 native boolean isReadLocked();
 native boolean isWriteLocked();
 native boolean tryUnlockRead();
 native boolean tryUnlockWrite();
 native boolean validate(long p0);
 native int getReadLockCount();
 native java.lang.String toString();
 native java.util.concurrent.locks.Lock asReadLock();
 native java.util.concurrent.locks.Lock asWriteLock();
 native java.util.concurrent.locks.ReadWriteLock asReadWriteLock();
 native long readLock();
 native long readLockInterruptibly();
 native long tryConvertToOptimisticRead(long p0);
 native long tryConvertToReadLock(long p0);
 native long tryConvertToWriteLock(long p0);
 native long tryOptimisticRead();
 native long tryReadLock();
 native long tryReadLock(long p0, java.util.concurrent.TimeUnit p1);
 native long tryWriteLock();
 native long tryWriteLock(long p0, java.util.concurrent.TimeUnit p1);
 native long writeLock();
 native long writeLockInterruptibly();
 static native boolean isLockStamp(long p0);
 static native boolean isOptimisticReadStamp(long p0);
 static native boolean isReadLockStamp(long p0);
 static native boolean isWriteLockStamp(long p0);
 native void unlock(long p0);
 native void unlockRead(long p0);
 native void unlockWrite(long p0);
}
