package java.nio.channels;
class AcceptPendingException extends java.lang.IllegalStateException {
 AcceptPendingException() {}
}
class AlreadyBoundException extends java.lang.IllegalStateException {
 AlreadyBoundException() {}
}
class AlreadyConnectedException extends java.lang.IllegalStateException {
 AlreadyConnectedException() {}
}
interface AsynchronousByteChannel extends java.nio.channels.AsynchronousChannel {
 java.util.concurrent.Future<java.lang.Integer> read(java.nio.ByteBuffer p0);
 java.util.concurrent.Future<java.lang.Integer> write(java.nio.ByteBuffer p0);
 <A> void read(java.nio.ByteBuffer p0, A p1, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p2);
 <A> void write(java.nio.ByteBuffer p0, A p1, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p2);
}
interface AsynchronousChannel extends java.nio.channels.Channel {
 void close();
}
abstract class AsynchronousChannelGroup {
 AsynchronousChannelGroup(java.nio.channels.spi.AsynchronousChannelProvider p0) {}
 abstract boolean awaitTermination(long p0, java.util.concurrent.TimeUnit p1);
 abstract boolean isShutdown();
 abstract boolean isTerminated();
 abstract void shutdown();
 abstract void shutdownNow();
 native final java.nio.channels.spi.AsynchronousChannelProvider provider();
 static native java.nio.channels.AsynchronousChannelGroup withCachedThreadPool(java.util.concurrent.ExecutorService p0, int p1);
 static native java.nio.channels.AsynchronousChannelGroup withFixedThreadPool(int p0, java.util.concurrent.ThreadFactory p1);
 static native java.nio.channels.AsynchronousChannelGroup withThreadPool(java.util.concurrent.ExecutorService p0);
}
class AsynchronousCloseException extends java.nio.channels.ClosedChannelException {
 AsynchronousCloseException() {}
}
abstract class AsynchronousFileChannel implements java.nio.channels.AsynchronousChannel {
 AsynchronousFileChannel() {}
 abstract java.nio.channels.AsynchronousFileChannel truncate(long p0);
 abstract java.nio.channels.FileLock tryLock(long p0, long p1, boolean p2);
 abstract java.util.concurrent.Future<java.nio.channels.FileLock> lock(long p0, long p1, boolean p2);
 abstract java.util.concurrent.Future<java.lang.Integer> read(java.nio.ByteBuffer p0, long p1);
 abstract java.util.concurrent.Future<java.lang.Integer> write(java.nio.ByteBuffer p0, long p1);
 abstract long size();
 abstract void force(boolean p0);
 abstract <A> void lock(long p0, long p1, boolean p2, A p3, java.nio.channels.CompletionHandler<java.nio.channels.FileLock, ? super A> p4);
 abstract <A> void read(java.nio.ByteBuffer p0, long p1, A p2, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p3);
 abstract <A> void write(java.nio.ByteBuffer p0, long p1, A p2, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p3);
 native final java.nio.channels.FileLock tryLock();
 native final java.util.concurrent.Future<java.nio.channels.FileLock> lock();
 native final <A> void lock(A p0, java.nio.channels.CompletionHandler<java.nio.channels.FileLock, ? super A> p1);
 static native java.nio.channels.AsynchronousFileChannel open(java.nio.file.Path p0, java.nio.file.OpenOption... p1);
 static native java.nio.channels.AsynchronousFileChannel open(java.nio.file.Path p0, java.util.Set<? extends java.nio.file.OpenOption> p1, java.util.concurrent.ExecutorService p2, java.nio.file.attribute.FileAttribute<?>... p3);
}
abstract class AsynchronousServerSocketChannel implements java.nio.channels.AsynchronousChannel, java.nio.channels.NetworkChannel {
 AsynchronousServerSocketChannel(java.nio.channels.spi.AsynchronousChannelProvider p0) {}
 abstract java.net.SocketAddress getLocalAddress();
 abstract java.nio.channels.AsynchronousServerSocketChannel bind(java.net.SocketAddress p0, int p1);
 abstract <T> java.nio.channels.AsynchronousServerSocketChannel setOption(java.net.SocketOption<T> p0, T p1);
 abstract java.util.concurrent.Future<java.nio.channels.AsynchronousSocketChannel> accept();
 abstract <A> void accept(A p0, java.nio.channels.CompletionHandler<java.nio.channels.AsynchronousSocketChannel, ? super A> p1);
 native final java.nio.channels.AsynchronousServerSocketChannel bind(java.net.SocketAddress p0);
 native final java.nio.channels.spi.AsynchronousChannelProvider provider();
 static native java.nio.channels.AsynchronousServerSocketChannel open();
 static native java.nio.channels.AsynchronousServerSocketChannel open(java.nio.channels.AsynchronousChannelGroup p0);
}
abstract class AsynchronousSocketChannel implements java.nio.channels.AsynchronousByteChannel, java.nio.channels.NetworkChannel {
 AsynchronousSocketChannel(java.nio.channels.spi.AsynchronousChannelProvider p0) {}
 abstract java.net.SocketAddress getLocalAddress();
 abstract java.net.SocketAddress getRemoteAddress();
 abstract java.nio.channels.AsynchronousSocketChannel bind(java.net.SocketAddress p0);
 abstract <T> java.nio.channels.AsynchronousSocketChannel setOption(java.net.SocketOption<T> p0, T p1);
 abstract java.nio.channels.AsynchronousSocketChannel shutdownInput();
 abstract java.nio.channels.AsynchronousSocketChannel shutdownOutput();
 abstract java.util.concurrent.Future<java.lang.Void> connect(java.net.SocketAddress p0);
 abstract java.util.concurrent.Future<java.lang.Integer> read(java.nio.ByteBuffer p0);
 abstract java.util.concurrent.Future<java.lang.Integer> write(java.nio.ByteBuffer p0);
 abstract <A> void connect(java.net.SocketAddress p0, A p1, java.nio.channels.CompletionHandler<java.lang.Void, ? super A> p2);
 abstract <A> void read(java.nio.ByteBuffer p0, long p1, java.util.concurrent.TimeUnit p2, A p3, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p4);
 abstract <A> void read(java.nio.ByteBuffer[] p0, int p1, int p2, long p3, java.util.concurrent.TimeUnit p4, A p5, java.nio.channels.CompletionHandler<java.lang.Long, ? super A> p6);
 abstract <A> void write(java.nio.ByteBuffer p0, long p1, java.util.concurrent.TimeUnit p2, A p3, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p4);
 abstract <A> void write(java.nio.ByteBuffer[] p0, int p1, int p2, long p3, java.util.concurrent.TimeUnit p4, A p5, java.nio.channels.CompletionHandler<java.lang.Long, ? super A> p6);
 native final java.nio.channels.spi.AsynchronousChannelProvider provider();
 native final <A> void read(java.nio.ByteBuffer p0, A p1, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p2);
 native final <A> void write(java.nio.ByteBuffer p0, A p1, java.nio.channels.CompletionHandler<java.lang.Integer, ? super A> p2);
 static native java.nio.channels.AsynchronousSocketChannel open();
 static native java.nio.channels.AsynchronousSocketChannel open(java.nio.channels.AsynchronousChannelGroup p0);
}
interface ByteChannel extends java.nio.channels.ReadableByteChannel, java.nio.channels.WritableByteChannel {
}
class CancelledKeyException extends java.lang.IllegalStateException {
 CancelledKeyException() {}
}
interface Channel extends java.io.Closeable {
 boolean isOpen();
 void close();
}
class Channels {
 static native java.io.InputStream newInputStream(java.nio.channels.AsynchronousByteChannel p0);
 static native java.io.InputStream newInputStream(java.nio.channels.ReadableByteChannel p0);
 static native java.io.OutputStream newOutputStream(java.nio.channels.AsynchronousByteChannel p0);
 static native java.io.OutputStream newOutputStream(java.nio.channels.WritableByteChannel p0);
 static native java.io.Reader newReader(java.nio.channels.ReadableByteChannel p0, java.lang.String p1);
 static native java.io.Reader newReader(java.nio.channels.ReadableByteChannel p0, java.nio.charset.Charset p1);
 static native java.io.Reader newReader(java.nio.channels.ReadableByteChannel p0, java.nio.charset.CharsetDecoder p1, int p2);
 static native java.io.Writer newWriter(java.nio.channels.WritableByteChannel p0, java.lang.String p1);
 static native java.io.Writer newWriter(java.nio.channels.WritableByteChannel p0, java.nio.charset.Charset p1);
 static native java.io.Writer newWriter(java.nio.channels.WritableByteChannel p0, java.nio.charset.CharsetEncoder p1, int p2);
 static native java.nio.channels.ReadableByteChannel newChannel(java.io.InputStream p0);
 static native java.nio.channels.WritableByteChannel newChannel(java.io.OutputStream p0);
}
class ClosedByInterruptException extends java.nio.channels.AsynchronousCloseException {
 ClosedByInterruptException() {}
}
class ClosedChannelException extends java.io.IOException {
 ClosedChannelException() {}
}
class ClosedSelectorException extends java.lang.IllegalStateException {
 ClosedSelectorException() {}
}
interface CompletionHandler<V, A>  {
 void completed(V p0, A p1);
 void failed(java.lang.Throwable p0, A p1);
}
class ConnectionPendingException extends java.lang.IllegalStateException {
 ConnectionPendingException() {}
}
abstract class DatagramChannel extends java.nio.channels.spi.AbstractSelectableChannel implements java.nio.channels.ByteChannel, java.nio.channels.ScatteringByteChannel, java.nio.channels.GatheringByteChannel, java.nio.channels.MulticastChannel {
 DatagramChannel(java.nio.channels.spi.SelectorProvider p0) {}
 abstract boolean isConnected();
 abstract int read(java.nio.ByteBuffer p0);
 abstract int send(java.nio.ByteBuffer p0, java.net.SocketAddress p1);
 abstract int write(java.nio.ByteBuffer p0);
 abstract java.net.DatagramSocket socket();
 abstract java.net.SocketAddress getLocalAddress();
 abstract java.net.SocketAddress getRemoteAddress();
 abstract java.net.SocketAddress receive(java.nio.ByteBuffer p0);
 abstract java.nio.channels.DatagramChannel bind(java.net.SocketAddress p0);
 abstract java.nio.channels.DatagramChannel connect(java.net.SocketAddress p0);
 abstract java.nio.channels.DatagramChannel disconnect();
 abstract <T> java.nio.channels.DatagramChannel setOption(java.net.SocketOption<T> p0, T p1);
 abstract long read(java.nio.ByteBuffer[] p0, int p1, int p2);
 abstract long write(java.nio.ByteBuffer[] p0, int p1, int p2);
 native final int validOps();
 native final long read(java.nio.ByteBuffer[] p0);
 native final long write(java.nio.ByteBuffer[] p0);
 static native java.nio.channels.DatagramChannel open();
 static native java.nio.channels.DatagramChannel open(java.net.ProtocolFamily p0);
}
abstract class FileChannel extends java.nio.channels.spi.AbstractInterruptibleChannel implements java.nio.channels.SeekableByteChannel, java.nio.channels.GatheringByteChannel, java.nio.channels.ScatteringByteChannel {
 FileChannel() {}
 abstract int read(java.nio.ByteBuffer p0);
 abstract int read(java.nio.ByteBuffer p0, long p1);
 abstract int write(java.nio.ByteBuffer p0);
 abstract int write(java.nio.ByteBuffer p0, long p1);
 abstract java.nio.MappedByteBuffer map(java.nio.channels.FileChannel.MapMode p0, long p1, long p2);
 abstract java.nio.channels.FileChannel position(long p0);
 abstract java.nio.channels.FileChannel truncate(long p0);
 abstract java.nio.channels.FileLock lock(long p0, long p1, boolean p2);
 abstract java.nio.channels.FileLock tryLock(long p0, long p1, boolean p2);
 abstract long position();
 abstract long read(java.nio.ByteBuffer[] p0, int p1, int p2);
 abstract long size();
 abstract long transferFrom(java.nio.channels.ReadableByteChannel p0, long p1, long p2);
 abstract long transferTo(long p0, long p1, java.nio.channels.WritableByteChannel p2);
 abstract long write(java.nio.ByteBuffer[] p0, int p1, int p2);
 abstract void force(boolean p0);
 native final java.nio.channels.FileLock lock();
 native final java.nio.channels.FileLock tryLock();
 native final long read(java.nio.ByteBuffer[] p0);
 native final long write(java.nio.ByteBuffer[] p0);
 static native java.nio.channels.FileChannel open(java.nio.file.Path p0, java.nio.file.OpenOption... p1);
 static native java.nio.channels.FileChannel open(java.nio.file.Path p0, java.util.Set<? extends java.nio.file.OpenOption> p1, java.nio.file.attribute.FileAttribute<?>... p2);
 static class MapMode {
  static java.nio.channels.FileChannel.MapMode PRIVATE;
  static java.nio.channels.FileChannel.MapMode READ_ONLY;
  static java.nio.channels.FileChannel.MapMode READ_WRITE;
  native java.lang.String toString();
 }
}
abstract class FileLock implements java.lang.AutoCloseable {
 FileLock(java.nio.channels.AsynchronousFileChannel p0, long p1, long p2, boolean p3) {}
 FileLock(java.nio.channels.FileChannel p0, long p1, long p2, boolean p3) {}
 abstract boolean isValid();
 abstract void release();
 native final boolean isShared();
 native final boolean overlaps(long p0, long p1);
 native final java.lang.String toString();
 native final java.nio.channels.FileChannel channel();
 native final long position();
 native final long size();
 native final void close();
 native java.nio.channels.Channel acquiredBy();
}
class FileLockInterruptionException extends java.io.IOException {
 FileLockInterruptionException() {}
}
interface GatheringByteChannel extends java.nio.channels.WritableByteChannel {
 long write(java.nio.ByteBuffer[] p0);
 long write(java.nio.ByteBuffer[] p0, int p1, int p2);
}
class IllegalBlockingModeException extends java.lang.IllegalStateException {
 IllegalBlockingModeException() {}
}
class IllegalChannelGroupException extends java.lang.IllegalArgumentException {
 IllegalChannelGroupException() {}
}
class IllegalSelectorException extends java.lang.IllegalArgumentException {
 IllegalSelectorException() {}
}
class InterruptedByTimeoutException extends java.io.IOException {
 InterruptedByTimeoutException() {}
}
interface InterruptibleChannel extends java.nio.channels.Channel {
 void close();
}
abstract class MembershipKey {
 MembershipKey() {}
 abstract boolean isValid();
 abstract java.net.InetAddress group();
 abstract java.net.InetAddress sourceAddress();
 abstract java.net.NetworkInterface networkInterface();
 abstract java.nio.channels.MembershipKey block(java.net.InetAddress p0);
 abstract java.nio.channels.MembershipKey unblock(java.net.InetAddress p0);
 abstract java.nio.channels.MulticastChannel channel();
 abstract void drop();
}
interface MulticastChannel extends java.nio.channels.NetworkChannel {
 java.nio.channels.MembershipKey join(java.net.InetAddress p0, java.net.NetworkInterface p1);
 java.nio.channels.MembershipKey join(java.net.InetAddress p0, java.net.NetworkInterface p1, java.net.InetAddress p2);
 void close();
}
interface NetworkChannel extends java.nio.channels.Channel {
 <T> T getOption(java.net.SocketOption<T> p0);
 java.net.SocketAddress getLocalAddress();
 java.nio.channels.NetworkChannel bind(java.net.SocketAddress p0);
 <T> java.nio.channels.NetworkChannel setOption(java.net.SocketOption<T> p0, T p1);
 java.util.Set<java.net.SocketOption<?>> supportedOptions();
}
class NoConnectionPendingException extends java.lang.IllegalStateException {
 NoConnectionPendingException() {}
}
class NonReadableChannelException extends java.lang.IllegalStateException {
 NonReadableChannelException() {}
}
class NonWritableChannelException extends java.lang.IllegalStateException {
 NonWritableChannelException() {}
}
class NotYetBoundException extends java.lang.IllegalStateException {
 NotYetBoundException() {}
}
class NotYetConnectedException extends java.lang.IllegalStateException {
 NotYetConnectedException() {}
}
class OverlappingFileLockException extends java.lang.IllegalStateException {
 OverlappingFileLockException() {}
}
abstract class Pipe {
 Pipe() {}
 abstract java.nio.channels.Pipe.SinkChannel sink();
 abstract java.nio.channels.Pipe.SourceChannel source();
 static native java.nio.channels.Pipe open();
 abstract static class SinkChannel extends java.nio.channels.spi.AbstractSelectableChannel implements java.nio.channels.WritableByteChannel, java.nio.channels.GatheringByteChannel {
  SinkChannel(java.nio.channels.spi.SelectorProvider p0) {}
  native final int validOps();
 }
 abstract static class SourceChannel extends java.nio.channels.spi.AbstractSelectableChannel implements java.nio.channels.ReadableByteChannel, java.nio.channels.ScatteringByteChannel {
  SourceChannel(java.nio.channels.spi.SelectorProvider p0) {}
  native final int validOps();
 }
}
class ReadPendingException extends java.lang.IllegalStateException {
 ReadPendingException() {}
}
interface ReadableByteChannel extends java.nio.channels.Channel {
 int read(java.nio.ByteBuffer p0);
}
interface ScatteringByteChannel extends java.nio.channels.ReadableByteChannel {
 long read(java.nio.ByteBuffer[] p0);
 long read(java.nio.ByteBuffer[] p0, int p1, int p2);
}
interface SeekableByteChannel extends java.nio.channels.ByteChannel {
 int read(java.nio.ByteBuffer p0);
 int write(java.nio.ByteBuffer p0);
 java.nio.channels.SeekableByteChannel position(long p0);
 java.nio.channels.SeekableByteChannel truncate(long p0);
 long position();
 long size();
}
abstract class SelectableChannel extends java.nio.channels.spi.AbstractInterruptibleChannel implements java.nio.channels.Channel {
 SelectableChannel() {}
 abstract boolean isBlocking();
 abstract boolean isRegistered();
 abstract int validOps();
 abstract java.lang.Object blockingLock();
 abstract java.nio.channels.SelectableChannel configureBlocking(boolean p0);
 abstract java.nio.channels.SelectionKey keyFor(java.nio.channels.Selector p0);
 abstract java.nio.channels.SelectionKey register(java.nio.channels.Selector p0, int p1, java.lang.Object p2);
 abstract java.nio.channels.spi.SelectorProvider provider();
 native final java.nio.channels.SelectionKey register(java.nio.channels.Selector p0, int p1);
}
abstract class SelectionKey {
 static int OP_ACCEPT;
 static int OP_CONNECT;
 static int OP_READ;
 static int OP_WRITE;
 SelectionKey() {}
 abstract boolean isValid();
 abstract int interestOps();
 abstract int readyOps();
 abstract java.nio.channels.SelectableChannel channel();
 abstract java.nio.channels.SelectionKey interestOps(int p0);
 abstract java.nio.channels.Selector selector();
 abstract void cancel();
 native final boolean isAcceptable();
 native final boolean isConnectable();
 native final boolean isReadable();
 native final boolean isWritable();
 native final java.lang.Object attach(java.lang.Object p0);
 native final java.lang.Object attachment();
 native int interestOpsAnd(int p0);
 native int interestOpsOr(int p0);
}
abstract class Selector implements java.io.Closeable {
 Selector() {}
 abstract boolean isOpen();
 abstract int select();
 abstract int select(long p0);
 abstract int selectNow();
 abstract java.nio.channels.Selector wakeup();
 abstract java.nio.channels.spi.SelectorProvider provider();
 abstract java.util.Set<java.nio.channels.SelectionKey> keys();
 abstract java.util.Set<java.nio.channels.SelectionKey> selectedKeys();
 abstract void close();
 native int select(java.util.function.Consumer<java.nio.channels.SelectionKey> p0);
 native int select(java.util.function.Consumer<java.nio.channels.SelectionKey> p0, long p1);
 native int selectNow(java.util.function.Consumer<java.nio.channels.SelectionKey> p0);
 static native java.nio.channels.Selector open();
}
abstract class ServerSocketChannel extends java.nio.channels.spi.AbstractSelectableChannel implements java.nio.channels.NetworkChannel {
 ServerSocketChannel(java.nio.channels.spi.SelectorProvider p0) {}
 abstract java.net.ServerSocket socket();
 abstract java.net.SocketAddress getLocalAddress();
 abstract java.nio.channels.ServerSocketChannel bind(java.net.SocketAddress p0, int p1);
 abstract <T> java.nio.channels.ServerSocketChannel setOption(java.net.SocketOption<T> p0, T p1);
 abstract java.nio.channels.SocketChannel accept();
 native final int validOps();
 native final java.nio.channels.ServerSocketChannel bind(java.net.SocketAddress p0);
 static native java.nio.channels.ServerSocketChannel open();
 static native java.nio.channels.ServerSocketChannel open(java.net.ProtocolFamily p0);
}
class ShutdownChannelGroupException extends java.lang.IllegalStateException {
 ShutdownChannelGroupException() {}
}
abstract class SocketChannel extends java.nio.channels.spi.AbstractSelectableChannel implements java.nio.channels.ByteChannel, java.nio.channels.ScatteringByteChannel, java.nio.channels.GatheringByteChannel, java.nio.channels.NetworkChannel {
 SocketChannel(java.nio.channels.spi.SelectorProvider p0) {}
 abstract boolean connect(java.net.SocketAddress p0);
 abstract boolean finishConnect();
 abstract boolean isConnected();
 abstract boolean isConnectionPending();
 abstract int read(java.nio.ByteBuffer p0);
 abstract int write(java.nio.ByteBuffer p0);
 abstract java.net.Socket socket();
 abstract java.net.SocketAddress getLocalAddress();
 abstract java.net.SocketAddress getRemoteAddress();
 abstract java.nio.channels.SocketChannel bind(java.net.SocketAddress p0);
 abstract <T> java.nio.channels.SocketChannel setOption(java.net.SocketOption<T> p0, T p1);
 abstract java.nio.channels.SocketChannel shutdownInput();
 abstract java.nio.channels.SocketChannel shutdownOutput();
 abstract long read(java.nio.ByteBuffer[] p0, int p1, int p2);
 abstract long write(java.nio.ByteBuffer[] p0, int p1, int p2);
 native final int validOps();
 native final long read(java.nio.ByteBuffer[] p0);
 native final long write(java.nio.ByteBuffer[] p0);
 static native java.nio.channels.SocketChannel open();
 static native java.nio.channels.SocketChannel open(java.net.ProtocolFamily p0);
 static native java.nio.channels.SocketChannel open(java.net.SocketAddress p0);
}
class UnresolvedAddressException extends java.lang.IllegalArgumentException {
 UnresolvedAddressException() {}
}
class UnsupportedAddressTypeException extends java.lang.IllegalArgumentException {
 UnsupportedAddressTypeException() {}
}
interface WritableByteChannel extends java.nio.channels.Channel {
 int write(java.nio.ByteBuffer p0);
}
class WritePendingException extends java.lang.IllegalStateException {
 WritePendingException() {}
}
