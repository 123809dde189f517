package java.nio.file;
class AccessDeniedException extends java.nio.file.FileSystemException {
 AccessDeniedException(java.lang.String p0) {}
 AccessDeniedException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
}
enum AccessMode {
 READ, WRITE, EXECUTE;
}
class AtomicMoveNotSupportedException extends java.nio.file.FileSystemException {
 AtomicMoveNotSupportedException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
}
class ClosedDirectoryStreamException extends java.lang.IllegalStateException {
 ClosedDirectoryStreamException() {}
}
class ClosedFileSystemException extends java.lang.IllegalStateException {
 ClosedFileSystemException() {}
}
class ClosedWatchServiceException extends java.lang.IllegalStateException {
 ClosedWatchServiceException() {}
}
interface CopyOption {
}
class DirectoryIteratorException extends java.util.ConcurrentModificationException {
 DirectoryIteratorException(java.io.IOException p0) {}
 native java.io.IOException getCause();
}
class DirectoryNotEmptyException extends java.nio.file.FileSystemException {
 DirectoryNotEmptyException(java.lang.String p0) {}
}
interface DirectoryStream<T>  extends java.io.Closeable, java.lang.Iterable<T> {
 java.util.Iterator<T> iterator();
 static interface Filter<T>  {
  boolean accept(T p0);
 }
}
class FileAlreadyExistsException extends java.nio.file.FileSystemException {
 FileAlreadyExistsException(java.lang.String p0) {}
 FileAlreadyExistsException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
}
abstract class FileStore {
 FileStore() {}
 abstract boolean isReadOnly();
 abstract boolean supportsFileAttributeView(java.lang.Class<? extends java.nio.file.attribute.FileAttributeView> p0);
 abstract boolean supportsFileAttributeView(java.lang.String p0);
 abstract java.lang.Object getAttribute(java.lang.String p0);
 abstract java.lang.String name();
 abstract java.lang.String type();
 abstract <V extends java.nio.file.attribute.FileStoreAttributeView> V getFileStoreAttributeView(java.lang.Class<V> p0);
 abstract long getTotalSpace();
 abstract long getUnallocatedSpace();
 abstract long getUsableSpace();
 native long getBlockSize();
}
abstract class FileSystem implements java.io.Closeable {
 FileSystem() {}
 abstract boolean isOpen();
 abstract boolean isReadOnly();
 abstract java.lang.Iterable<java.nio.file.FileStore> getFileStores();
 abstract java.lang.Iterable<java.nio.file.Path> getRootDirectories();
 abstract java.lang.String getSeparator();
 abstract java.nio.file.Path getPath(java.lang.String p0, java.lang.String... p1);
 abstract java.nio.file.PathMatcher getPathMatcher(java.lang.String p0);
 abstract java.nio.file.WatchService newWatchService();
 abstract java.nio.file.attribute.UserPrincipalLookupService getUserPrincipalLookupService();
 abstract java.nio.file.spi.FileSystemProvider provider();
 abstract java.util.Set<java.lang.String> supportedFileAttributeViews();
 abstract void close();
}
class FileSystemAlreadyExistsException extends java.lang.RuntimeException {
 FileSystemAlreadyExistsException() {}
 FileSystemAlreadyExistsException(java.lang.String p0) {}
}
class FileSystemException extends java.io.IOException {
 FileSystemException(java.lang.String p0) {}
 FileSystemException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
 native java.lang.String getFile();
 native java.lang.String getMessage();
 native java.lang.String getOtherFile();
 native java.lang.String getReason();
}
class FileSystemLoopException extends java.nio.file.FileSystemException {
 FileSystemLoopException(java.lang.String p0) {}
}
class FileSystemNotFoundException extends java.lang.RuntimeException {
 FileSystemNotFoundException() {}
 FileSystemNotFoundException(java.lang.String p0) {}
}
class FileSystems {
 static native java.nio.file.FileSystem getDefault();
 static native java.nio.file.FileSystem getFileSystem(java.net.URI p0);
 static native java.nio.file.FileSystem newFileSystem(java.net.URI p0, java.util.Map<java.lang.String, ?> p1);
 static native java.nio.file.FileSystem newFileSystem(java.net.URI p0, java.util.Map<java.lang.String, ?> p1, java.lang.ClassLoader p2);
 static native java.nio.file.FileSystem newFileSystem(java.nio.file.Path p0);
 static native java.nio.file.FileSystem newFileSystem(java.nio.file.Path p0, java.lang.ClassLoader p1);
 static native java.nio.file.FileSystem newFileSystem(java.nio.file.Path p0, java.util.Map<java.lang.String, ?> p1);
 static native java.nio.file.FileSystem newFileSystem(java.nio.file.Path p0, java.util.Map<java.lang.String, ?> p1, java.lang.ClassLoader p2);
}
enum FileVisitOption {
 FOLLOW_LINKS;
}
enum FileVisitResult {
 CONTINUE, TERMINATE, SKIP_SUBTREE, SKIP_SIBLINGS;
}
interface FileVisitor<T>  {
 java.nio.file.FileVisitResult postVisitDirectory(T p0, java.io.IOException p1);
 java.nio.file.FileVisitResult preVisitDirectory(T p0, java.nio.file.attribute.BasicFileAttributes p1);
 java.nio.file.FileVisitResult visitFile(T p0, java.nio.file.attribute.BasicFileAttributes p1);
 java.nio.file.FileVisitResult visitFileFailed(T p0, java.io.IOException p1);
}
class Files {
 static native boolean deleteIfExists(java.nio.file.Path p0);
 static native boolean exists(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native boolean isDirectory(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native boolean isExecutable(java.nio.file.Path p0);
 static native boolean isHidden(java.nio.file.Path p0);
 static native boolean isReadable(java.nio.file.Path p0);
 static native boolean isRegularFile(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native boolean isSameFile(java.nio.file.Path p0, java.nio.file.Path p1);
 static native boolean isSymbolicLink(java.nio.file.Path p0);
 static native boolean isWritable(java.nio.file.Path p0);
 static native boolean notExists(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native byte[] readAllBytes(java.nio.file.Path p0);
 static native java.io.BufferedReader newBufferedReader(java.nio.file.Path p0);
 static native java.io.BufferedReader newBufferedReader(java.nio.file.Path p0, java.nio.charset.Charset p1);
 static native java.io.BufferedWriter newBufferedWriter(java.nio.file.Path p0, java.nio.charset.Charset p1, java.nio.file.OpenOption... p2);
 static native java.io.BufferedWriter newBufferedWriter(java.nio.file.Path p0, java.nio.file.OpenOption... p1);
 static native java.io.InputStream newInputStream(java.nio.file.Path p0, java.nio.file.OpenOption... p1);
 static native java.io.OutputStream newOutputStream(java.nio.file.Path p0, java.nio.file.OpenOption... p1);
 static native java.lang.Object getAttribute(java.nio.file.Path p0, java.lang.String p1, java.nio.file.LinkOption... p2);
 static native java.lang.String probeContentType(java.nio.file.Path p0);
 static native java.lang.String readString(java.nio.file.Path p0);
 static native java.lang.String readString(java.nio.file.Path p0, java.nio.charset.Charset p1);
 static native java.nio.channels.SeekableByteChannel newByteChannel(java.nio.file.Path p0, java.nio.file.OpenOption... p1);
 static native java.nio.channels.SeekableByteChannel newByteChannel(java.nio.file.Path p0, java.util.Set<? extends java.nio.file.OpenOption> p1, java.nio.file.attribute.FileAttribute<?>... p2);
 static native java.nio.file.DirectoryStream<java.nio.file.Path> newDirectoryStream(java.nio.file.Path p0);
 static native java.nio.file.DirectoryStream<java.nio.file.Path> newDirectoryStream(java.nio.file.Path p0, java.lang.String p1);
 static native java.nio.file.DirectoryStream<java.nio.file.Path> newDirectoryStream(java.nio.file.Path p0, java.nio.file.DirectoryStream.Filter<? super java.nio.file.Path> p1);
 static native java.nio.file.FileStore getFileStore(java.nio.file.Path p0);
 static native java.nio.file.Path copy(java.nio.file.Path p0, java.nio.file.Path p1, java.nio.file.CopyOption... p2);
 static native java.nio.file.Path createDirectories(java.nio.file.Path p0, java.nio.file.attribute.FileAttribute<?>... p1);
 static native java.nio.file.Path createDirectory(java.nio.file.Path p0, java.nio.file.attribute.FileAttribute<?>... p1);
 static native java.nio.file.Path createFile(java.nio.file.Path p0, java.nio.file.attribute.FileAttribute<?>... p1);
 static native java.nio.file.Path createLink(java.nio.file.Path p0, java.nio.file.Path p1);
 static native java.nio.file.Path createSymbolicLink(java.nio.file.Path p0, java.nio.file.Path p1, java.nio.file.attribute.FileAttribute<?>... p2);
 static native java.nio.file.Path createTempDirectory(java.lang.String p0, java.nio.file.attribute.FileAttribute<?>... p1);
 static native java.nio.file.Path createTempDirectory(java.nio.file.Path p0, java.lang.String p1, java.nio.file.attribute.FileAttribute<?>... p2);
 static native java.nio.file.Path createTempFile(java.lang.String p0, java.lang.String p1, java.nio.file.attribute.FileAttribute<?>... p2);
 static native java.nio.file.Path createTempFile(java.nio.file.Path p0, java.lang.String p1, java.lang.String p2, java.nio.file.attribute.FileAttribute<?>... p3);
 static native java.nio.file.Path move(java.nio.file.Path p0, java.nio.file.Path p1, java.nio.file.CopyOption... p2);
 static native java.nio.file.Path readSymbolicLink(java.nio.file.Path p0);
 static native java.nio.file.Path setAttribute(java.nio.file.Path p0, java.lang.String p1, java.lang.Object p2, java.nio.file.LinkOption... p3);
 static native java.nio.file.Path setLastModifiedTime(java.nio.file.Path p0, java.nio.file.attribute.FileTime p1);
 static native java.nio.file.Path setOwner(java.nio.file.Path p0, java.nio.file.attribute.UserPrincipal p1);
 static native java.nio.file.Path setPosixFilePermissions(java.nio.file.Path p0, java.util.Set<java.nio.file.attribute.PosixFilePermission> p1);
 static native java.nio.file.Path walkFileTree(java.nio.file.Path p0, java.nio.file.FileVisitor<? super java.nio.file.Path> p1);
 static native java.nio.file.Path walkFileTree(java.nio.file.Path p0, java.util.Set<java.nio.file.FileVisitOption> p1, int p2, java.nio.file.FileVisitor<? super java.nio.file.Path> p3);
 static native java.nio.file.Path write(java.nio.file.Path p0, byte[] p1, java.nio.file.OpenOption... p2);
 static native java.nio.file.Path write(java.nio.file.Path p0, java.lang.Iterable<? extends java.lang.CharSequence> p1, java.nio.charset.Charset p2, java.nio.file.OpenOption... p3);
 static native java.nio.file.Path write(java.nio.file.Path p0, java.lang.Iterable<? extends java.lang.CharSequence> p1, java.nio.file.OpenOption... p2);
 static native java.nio.file.Path writeString(java.nio.file.Path p0, java.lang.CharSequence p1, java.nio.charset.Charset p2, java.nio.file.OpenOption... p3);
 static native java.nio.file.Path writeString(java.nio.file.Path p0, java.lang.CharSequence p1, java.nio.file.OpenOption... p2);
 static native <A extends java.nio.file.attribute.BasicFileAttributes> A readAttributes(java.nio.file.Path p0, java.lang.Class<A> p1, java.nio.file.LinkOption... p2);
 static native <V extends java.nio.file.attribute.FileAttributeView> V getFileAttributeView(java.nio.file.Path p0, java.lang.Class<V> p1, java.nio.file.LinkOption... p2);
 static native java.nio.file.attribute.FileTime getLastModifiedTime(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native java.nio.file.attribute.UserPrincipal getOwner(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native java.util.List<java.lang.String> readAllLines(java.nio.file.Path p0);
 static native java.util.List<java.lang.String> readAllLines(java.nio.file.Path p0, java.nio.charset.Charset p1);
 static native java.util.Map<java.lang.String, java.lang.Object> readAttributes(java.nio.file.Path p0, java.lang.String p1, java.nio.file.LinkOption... p2);
 static native java.util.Set<java.nio.file.attribute.PosixFilePermission> getPosixFilePermissions(java.nio.file.Path p0, java.nio.file.LinkOption... p1);
 static native java.util.stream.Stream<java.nio.file.Path> find(java.nio.file.Path p0, int p1, java.util.function.BiPredicate<java.nio.file.Path, java.nio.file.attribute.BasicFileAttributes> p2, java.nio.file.FileVisitOption... p3);
 static native java.util.stream.Stream<java.lang.String> lines(java.nio.file.Path p0);
 static native java.util.stream.Stream<java.lang.String> lines(java.nio.file.Path p0, java.nio.charset.Charset p1);
 static native java.util.stream.Stream<java.nio.file.Path> list(java.nio.file.Path p0);
 static native java.util.stream.Stream<java.nio.file.Path> walk(java.nio.file.Path p0, int p1, java.nio.file.FileVisitOption... p2);
 static native java.util.stream.Stream<java.nio.file.Path> walk(java.nio.file.Path p0, java.nio.file.FileVisitOption... p1);
 static native long copy(java.io.InputStream p0, java.nio.file.Path p1, java.nio.file.CopyOption... p2);
 static native long copy(java.nio.file.Path p0, java.io.OutputStream p1);
 static native long mismatch(java.nio.file.Path p0, java.nio.file.Path p1);
 static native long size(java.nio.file.Path p0);
 static native void delete(java.nio.file.Path p0);
}
class InvalidPathException extends java.lang.IllegalArgumentException {
 InvalidPathException(java.lang.String p0, java.lang.String p1) {}
 InvalidPathException(java.lang.String p0, java.lang.String p1, int p2) {}
 native int getIndex();
 native java.lang.String getInput();
 native java.lang.String getMessage();
 native java.lang.String getReason();
}
enum LinkOption implements java.nio.file.OpenOption, java.nio.file.CopyOption {
 NOFOLLOW_LINKS;
}
class LinkPermission extends java.security.BasicPermission {
 LinkPermission(java.lang.String p0) {}
 LinkPermission(java.lang.String p0, java.lang.String p1) {}
}
class NoSuchFileException extends java.nio.file.FileSystemException {
 NoSuchFileException(java.lang.String p0) {}
 NoSuchFileException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
}
class NotDirectoryException extends java.nio.file.FileSystemException {
 NotDirectoryException(java.lang.String p0) {}
}
class NotLinkException extends java.nio.file.FileSystemException {
 NotLinkException(java.lang.String p0) {}
 NotLinkException(java.lang.String p0, java.lang.String p1, java.lang.String p2) {}
}
interface OpenOption {
}
interface Path extends java.lang.Comparable<java.nio.file.Path>, java.lang.Iterable<java.nio.file.Path>, java.nio.file.Watchable {
 boolean endsWith(java.nio.file.Path p0);
 boolean equals(java.lang.Object p0);
 boolean isAbsolute();
 boolean startsWith(java.nio.file.Path p0);
 int compareTo(java.nio.file.Path p0);
 int getNameCount();
 int hashCode();
 java.lang.String toString();
 java.net.URI toUri();
 java.nio.file.FileSystem getFileSystem();
 java.nio.file.Path getFileName();
 java.nio.file.Path getName(int p0);
 java.nio.file.Path getParent();
 java.nio.file.Path getRoot();
 java.nio.file.Path normalize();
 java.nio.file.Path relativize(java.nio.file.Path p0);
 java.nio.file.Path resolve(java.nio.file.Path p0);
 java.nio.file.Path subpath(int p0, int p1);
 java.nio.file.Path toAbsolutePath();
 java.nio.file.Path toRealPath(java.nio.file.LinkOption... p0);
 java.nio.file.WatchKey register(java.nio.file.WatchService p0, java.nio.file.WatchEvent.Kind<?>[] p1, java.nio.file.WatchEvent.Modifier... p2);
 default boolean endsWith(java.lang.String p0) {}
 default boolean startsWith(java.lang.String p0) {}
 default java.io.File toFile() {}
 default java.nio.file.Path resolve(java.lang.String p0) {}
 default java.nio.file.Path resolveSibling(java.lang.String p0) {}
 default java.nio.file.Path resolveSibling(java.nio.file.Path p0) {}
 default java.nio.file.WatchKey register(java.nio.file.WatchService p0, java.nio.file.WatchEvent.Kind<?>... p1) {}
 default java.util.Iterator<java.nio.file.Path> iterator() {}
 static java.nio.file.Path of(java.lang.String p0, java.lang.String... p1) {}
 static java.nio.file.Path of(java.net.URI p0) {}
}
interface PathMatcher {
 boolean matches(java.nio.file.Path p0);
}
class Paths {
 static native java.nio.file.Path get(java.lang.String p0, java.lang.String... p1);
 static native java.nio.file.Path get(java.net.URI p0);
}
class ProviderMismatchException extends java.lang.IllegalArgumentException {
 ProviderMismatchException() {}
 ProviderMismatchException(java.lang.String p0) {}
}
class ProviderNotFoundException extends java.lang.RuntimeException {
 ProviderNotFoundException() {}
 ProviderNotFoundException(java.lang.String p0) {}
}
class ReadOnlyFileSystemException extends java.lang.UnsupportedOperationException {
 ReadOnlyFileSystemException() {}
}
interface SecureDirectoryStream<T>  extends java.nio.file.DirectoryStream<T> {
 java.nio.channels.SeekableByteChannel newByteChannel(T p0, java.util.Set<? extends java.nio.file.OpenOption> p1, java.nio.file.attribute.FileAttribute<?>... p2);
 java.nio.file.SecureDirectoryStream<T> newDirectoryStream(T p0, java.nio.file.LinkOption... p1);
 <V extends java.nio.file.attribute.FileAttributeView> V getFileAttributeView(java.lang.Class<V> p0);
 <V extends java.nio.file.attribute.FileAttributeView> V getFileAttributeView(T p0, java.lang.Class<V> p1, java.nio.file.LinkOption... p2);
 void deleteDirectory(T p0);
 void deleteFile(T p0);
 void move(T p0, java.nio.file.SecureDirectoryStream<T> p1, T p2);
}
class SimpleFileVisitor<T>  implements java.nio.file.FileVisitor<T> {
 SimpleFileVisitor() {}
 native java.nio.file.FileVisitResult postVisitDirectory(T p0, java.io.IOException p1);
 native java.nio.file.FileVisitResult preVisitDirectory(T p0, java.nio.file.attribute.BasicFileAttributes p1);
 native java.nio.file.FileVisitResult visitFile(T p0, java.nio.file.attribute.BasicFileAttributes p1);
 native java.nio.file.FileVisitResult visitFileFailed(T p0, java.io.IOException p1);
}
enum StandardCopyOption implements java.nio.file.CopyOption {
 REPLACE_EXISTING, COPY_ATTRIBUTES, ATOMIC_MOVE;
}
enum StandardOpenOption implements java.nio.file.OpenOption {
 READ, WRITE, APPEND, TRUNCATE_EXISTING, CREATE, CREATE_NEW, DELETE_ON_CLOSE, SPARSE, SYNC, DSYNC;
}
class StandardWatchEventKinds {
 static java.nio.file.WatchEvent.Kind<java.nio.file.Path> ENTRY_CREATE;
 static java.nio.file.WatchEvent.Kind<java.nio.file.Path> ENTRY_DELETE;
 static java.nio.file.WatchEvent.Kind<java.nio.file.Path> ENTRY_MODIFY;
 static java.nio.file.WatchEvent.Kind<java.lang.Object> OVERFLOW;
}
interface WatchEvent<T>  {
 int count();
 T context();
 java.nio.file.WatchEvent.Kind<T> kind();
 static interface Kind<T>  {
  java.lang.Class<T> type();
  java.lang.String name();
 }
 static interface Modifier {
  java.lang.String name();
 }
}
interface WatchKey {
 boolean isValid();
 boolean reset();
 java.nio.file.Watchable watchable();
 java.util.List<java.nio.file.WatchEvent<?>> pollEvents();
 void cancel();
}
interface WatchService extends java.io.Closeable {
 java.nio.file.WatchKey poll();
 java.nio.file.WatchKey poll(long p0, java.util.concurrent.TimeUnit p1);
 java.nio.file.WatchKey take();
 void close();
}
interface Watchable {
 java.nio.file.WatchKey register(java.nio.file.WatchService p0, java.nio.file.WatchEvent.Kind<?>... p1);
 java.nio.file.WatchKey register(java.nio.file.WatchService p0, java.nio.file.WatchEvent.Kind<?>[] p1, java.nio.file.WatchEvent.Modifier... p2);
}
